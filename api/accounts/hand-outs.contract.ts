import { z } from 'zod';
import { handedOut, handedOutAs } from '../../events/accounts/view-as.ts';
import { nothing } from '../contract/answer.ts';
import { id, isInCalendar } from '../contract/fields.ts';

/** What leaves the site with somebody, of which things, and as of which earlier moment. */
export const handOut = z.strictObject({
  what: z.enum(handedOut),
  as: z.enum(handedOutAs),
  subjectId: id.optional(),
  yearGroupId: id.optional(),
  setId: id.optional(),
  testId: id.optional(),
  taskId: id.optional(),
  studentId: id.optional(),
  asOf: z.iso.datetime({ offset: true }).refine(isInCalendar, 'The year must be between 1000 and 3000').optional(),
});
export type HandOut = z.input<typeof handOut>;

export const handOutCommands = { RecordHandOut: { input: handOut, result: nothing } };
