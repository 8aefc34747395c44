import { z } from 'zod';
import { nothing } from './answer.ts';
import { id, isInCalendar } from './fields.ts';

/** What is handed out, in the words of the product, as in the event. */
const handedOut = [
  'students',
  'class list',
  'marks',
  'totals',
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
  'stored data',
] as const;

/** What leaves the site with somebody, of which things, and as of which earlier moment. */
const handOut = z.strictObject({
  what: z.enum(handedOut),
  as: z.enum(['file', 'paper', 'screen']),
  subjectId: id.optional(),
  yearGroupId: id.optional(),
  setId: id.optional(),
  testId: id.optional(),
  taskId: id.optional(),
  studentId: id.optional(),
  /** Whose stored data the operator prints: nobody else names an account. */
  accountId: id.optional(),
  asOf: z.iso.datetime({ offset: true }).refine(isInCalendar, 'The year must be between 1000 and 3000').optional(),
});
export type HandOut = z.input<typeof handOut>;

export const handOutCommands = { RecordHandOut: { input: handOut, result: nothing } };
