import { z } from 'zod';
import type { Aggregate } from './aggregate.ts';
import type { EventOf } from './codec/event.ts';
import { event } from './codec/event.ts';
import { label } from './fields.ts';

/** Storage contract of `school-{schoolId}`: names and shapes are in the log for ever. A new meaning is a new type. */
export const schoolEvents = {
  SchoolOpened: event(1, z.strictObject({ name: label })),
  SchoolRenamed: event(1, z.strictObject({ name: label })),
};

export type SchoolEvent = EventOf<typeof schoolEvents>;
export type School = { status: 'none' } | { status: 'open'; name: string };

export const school: Aggregate<School, SchoolEvent> = {
  category: 'school',
  initial: () => ({ status: 'none' }),
  evolve: (_state, { data }) => ({ status: 'open', name: data.name }),
};
