/** Tables for data_download.csv. */
import { z } from 'zod';
import type { Answer } from '../contract/answer.ts';
import { id } from '../contract/fields.ts';

const exportTable = z.object({
  title: z.string().describe("The year group or assessment: 'Year 11', 'Mock 1'."),
  columns: z.array(z.string()),
  rows: z.array(z.array(z.union([z.string(), z.number(), z.null()]))).describe('All of the same length; columns beyond it are empty.'),
});
export type ExportTable = Answer<typeof exportTable>;

export const exportQueries = {
  'export-students': { input: z.object({ yearGroupId: id }), answer: exportTable },
  'export-results': { input: z.object({ testId: id }), answer: exportTable },
};
