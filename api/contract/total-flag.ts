import { z } from 'zod';
import type { Answer } from './answer.ts';
import { id } from './fields.ts';

/** What is open about a student's total in an assessment, so that a ranking by it may be wrong. */
export const totalFlag = z
  .literal(['contested', 'contested-attendance', 'above-maximum'])
  .describe(
    'contested: total or marks have several values, and nobody has decided; contested-attendance: the same of whether the student sat it; above-maximum: the total, or a mark of it, is above the maximum of now.',
  );
export type TotalFlag = Answer<typeof totalFlag>;

/** A total with what is open about it; one of which two things are open is there twice. */
export const flaggedTotal = z.strictObject({ studentId: id, testId: id, flag: totalFlag });
export type FlaggedTotal = Answer<typeof flaggedTotal>;
