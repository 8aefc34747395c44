/** The sheet of an assessment: every student with every question, as the grids show it. */
import { ATTENDANCES } from '../contract/attendance.ts';
import { z } from 'zod';
import type { Answer } from '../contract/answer.ts';
import { namedStudent } from '../contract/answer.ts';
import { id } from '../contract/fields.ts';
import { totalFlag } from '../contract/total-flag.ts';
import { value } from './marks.contract.ts';

const attendance = z.enum(ATTENDANCES);

const sheetCell = z
  .object({
    value: z.int().nullable().describe('The mark that counts: the one entered by staff, else the one that the student has confirmed.'),
    source: z
      .enum(['staff', 'upload', 'student'])
      .nullable()
      .describe('Where that mark comes from: typed, from a file, or from the student.'),
    values: z
      .array(value)
      .exactOptional()
      .describe(
        'Only of a contested cell: each value that staff have entered, the one that counts first. An author who saw them sends them as `was`.',
      ),
    student: z.int().exactOptional().describe('What the student has confirmed, where a mark entered by staff counts instead.'),
  })
  .describe('null: nothing stands there.');
export type SheetCell = Answer<typeof sheetCell>;

const sums = z.object({ sum: z.int(), count: z.int() });

const sheetStudent = z.object({
  ...namedStudent,
  setId: id,
  attendance: z.object({ value: attendance, values: z.array(value).exactOptional().describe('Only if contested.') }),
  total: sheetCell.nullable().describe('The total that staff have entered.'),
  staffTotal: z
    .int()
    .nullable()
    .describe(
      'The total entered by staff, else the sum of their question marks if every question has one. null: neither, or absent or exempt.',
    ),
  flags: z.array(totalFlag).exactOptional().describe('What is open about that total. Left out: nothing.'),
  marks: sums.describe('Of the question marks entered by staff. Kept, and not counting, of a student who was absent or exempt.'),
  effective: sums.describe('Of the question marks that count: those of staff, else those that the student has confirmed.'),
  cells: z.array(sheetCell.nullable()).describe('Parallel to `questions`.'),
});
export type SheetStudent = Answer<typeof sheetStudent>;

const sheet = z
  .object({
    version: z.string().describe('The same as long as nothing in the answer has changed but where the reader may write.'),
    testId: id,
    name: z.string(),
    subjectId: id,
    max: z.int().nullable().describe('null: no questions yet'),
    mayWrite: z.boolean().describe('In all of `sets`.'),
    sets: z.array(z.object({ setId: id, name: z.string(), mayWrite: z.boolean() })),
    questions: z.array(z.object({ questionId: id, number: z.int(), topic: z.string(), max: z.int() })),
    students: z.array(sheetStudent).describe('Everybody who is in the sets now, by name.'),
  })
  .describe('An assessment of a class or a year group: all students with all questions.');
export type Sheet = Answer<typeof sheet>;

export const sheetQueries = {
  sheet: {
    /** One of `setId` and `yearGroupId`. */
    input: z.object({ testId: id, setId: id.optional(), yearGroupId: id.optional() }),
    answer: sheet,
  },
};
