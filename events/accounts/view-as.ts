import { z } from 'zod';
import type { Aggregate } from '../aggregate.ts';
import type { EventOf } from '../codec/event.ts';
import { event } from '../codec/event.ts';
import { id } from '../fields.ts';

/**
 * Storage contract of `look-{schoolId}.{accountId}`: at which students' pages a member of staff has looked, once per student and hour.
 */
export const lookEvents = {
  StudentLookedAt: event(1, z.strictObject({ studentId: id })),
};

export type LookEvent = EventOf<typeof lookEvents>;

/** No state: decisions need none. */
export const look: Aggregate<undefined, LookEvent> = { category: 'look', initial: () => undefined, evolve: () => undefined };
