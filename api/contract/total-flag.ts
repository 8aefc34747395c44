import { z } from 'zod';
import type { Answer } from './answer.ts';
import { id } from './fields.ts';

/** What is open about a student's total in an assessment, so that a ranking by it may be wrong. */
export const totalFlag = z
  .literal(['contested', 'contested-attendance', 'above-maximum'])
  .describe(
    'contested: the total has several values, itself or as the sum of question marks, and nobody has decided; contested-attendance: the same of whether the student sat it; above-maximum: the total, or where none was entered a mark, is above the maximum of now.',
  );
export type TotalFlag = Answer<typeof totalFlag>;

/** What is open about a mark that counts. */
export const markFlag = z
  .literal(['contested-mark', 'above-maximum'])
  .describe(
    'contested-mark: it has several values, and nobody has decided; above-maximum: it is above the maximum that its question has now.',
  );
export type MarkFlag = Answer<typeof markFlag>;

/** A total with what is open about it; one of which two things are open is there twice. */
export const flaggedTotal = z.strictObject({ studentId: id, testId: id, flag: totalFlag });
export type FlaggedTotal = Answer<typeof flaggedTotal>;

export const openMarks = z
  .object({ contested: z.int(), aboveMaximum: z.int() })
  .exactOptional()
  .describe('How many of the marks or totals that this rests on are contested, or above their maximum of now. Left out: none.');
