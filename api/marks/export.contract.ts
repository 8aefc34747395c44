/** Tables for data_download.csv. */
import { z } from 'zod';
import type { Answer } from '../contract/answer.ts';
import { id } from '../contract/fields.ts';

const exportTable = z.object({
  title: z.string().describe("The year group, subject or assessment: 'Year 11', 'Mathematics', 'Mock 1'."),
  columns: z.array(z.string()),
  rows: z.array(z.array(z.union([z.string(), z.number(), z.null()]))).describe('All of the same length; columns beyond it are empty.'),
});
export type ExportTable = Answer<typeof exportTable>;

/** A year group, or Off-Roll. */
const groupOfStudents = z.union([id, z.literal('off-roll')]);

/** Of what there is how much, in the order in which it is offered. */
const exportChoices = z.object({
  groups: z.array(z.object({ id: groupOfStudents, name: z.string(), students: z.int() })).describe('Year groups, and Off-Roll.'),
  tests: z.array(
    z.object({
      testId: id,
      name: z.string(),
      totals: z.int().describe('Students with a total.'),
      results: z.int().describe('Students with a mark of a question.'),
    }),
  ),
});
export type ExportChoices = Answer<typeof exportChoices>;

export const exportQueries = {
  'export-choices': { input: z.object({ subjectId: id }), answer: exportChoices },
  'export-student-list': {
    input: z.strictObject({ subjectId: id, groups: z.array(groupOfStudents).min(1).max(200) }),
    answer: exportTable,
  },
  'export-totals': { input: z.object({ testId: id }), answer: exportTable },
  'export-students': { input: z.object({ yearGroupId: id }), answer: exportTable },
  'export-results': { input: z.object({ testId: id }), answer: exportTable },
};
