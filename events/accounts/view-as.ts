import { z } from 'zod';
import type { Aggregate } from '../aggregate.ts';
import type { EventOf } from '../codec/event.ts';
import { event, upcaster } from '../codec/event.ts';
import { id } from '../fields.ts';

/** What is handed out, in the words of the product. */
const first = [
  'students',
  'class list',
  'marks',
  'markbook',
  'ranking',
  'grades',
  'class report',
  'student reports',
  'feedback sheets',
  'revision list',
  'revision lists',
  'joining code',
  'teachers',
  'staff users',
  'student users',
  'record',
  'earlier moment',
  'replay',
] as const;

/** How it leaves the site: as a file, on paper, or as the screen shows it. */
const handedOutAs = ['file', 'paper', 'screen'] as const;

const handedOutFirst = z.strictObject({
  what: z.enum(first),
  as: z.enum(handedOutAs),
  subjectId: id.optional(),
  yearGroupId: id.optional(),
  setId: id.optional(),
  testId: id.optional(),
  taskId: id.optional(),
  studentId: id.optional(),
  asOf: z.iso.datetime().optional(),
});
/** All that is stored of a person, by the operator: of an account, or of a student. */
const handedOutSecond = handedOutFirst.extend({ what: z.enum([...first, 'stored data']), accountId: id.optional() });
/** The totals of an assessment, too. */
const handedOut = handedOutSecond.extend({ what: z.enum([...first, 'stored data', 'totals']) });

/**
 * Storage contract of `look-{schoolId}.{accountId}`: what a member of staff has seen or taken of other people's data. At which students' pages
 * they have looked, once per student and hour; what was handed out to them, of which things (none: of the whole school), and as of which
 * earlier moment.
 */
export const lookEvents = {
  StudentLookedAt: event(1, z.strictObject({ studentId: id })),
  DataHandedOut: event(3, handedOut, {
    1: upcaster(handedOutFirst, handedOutSecond, (data) => data),
    2: upcaster(handedOutSecond, handedOut, (data) => data),
  }),
};

export type LookEvent = EventOf<typeof lookEvents>;

/** No state: decisions need none. */
export const look: Aggregate<undefined, LookEvent> = { category: 'look', initial: () => undefined, evolve: () => undefined };
