import { z } from 'zod';
import type { Aggregate } from './aggregate.ts';
import type { EventOf } from './codec/event.ts';
import { event } from './codec/event.ts';
import { id } from './fields.ts';

/**
 * Storage contract of `look-{schoolId}.{accountId}`: whose student pages somebody of the staff has looked at. Once for each student and
 * hour: the event's author and time say who and when.
 */
export const lookEvents = {
  StudentLookedAt: event(1, z.strictObject({ studentId: id })),
};

export type LookEvent = EventOf<typeof lookEvents>;

/** Nothing that a decision needs. */
export const look: Aggregate<undefined, LookEvent> = { category: 'look', initial: () => undefined, evolve: () => undefined };
