/** The words that a school prints on its reports. */
import { z } from 'zod';
import { line } from '../contract/fields.ts';
import { MAX_LABEL } from '../contract/limits.ts';

export const reportWords = z.strictObject({
  /** At the foot of every page, after who it is licensed to. Empty: nothing. */
  foot: line.max(MAX_LABEL),
  /** Under the heading of a revision list. Empty: the usual sentence. */
  sentence: line.max(MAX_LABEL),
  /** Whether a report sets a student beside the class and all students. */
  comparisons: z.boolean(),
});
export type ReportWords = z.output<typeof reportWords>;
export const USUAL_WORDS: ReportWords = { foot: '', sentence: '', comparisons: true };
