/** Requests and responses about feedback tasks and their grade profiles. */
import { z } from 'zod';
import type { Answer } from '../../contract/answer.ts';
import { nothing } from '../../contract/answer.ts';
import { id, label, line, ruled } from '../../contract/fields.ts';
import { NOT_WHOLE, REQUIRED, VISIBLE, wrongCount } from '../../contract/rules.ts';
import { MAX_GRADES, wrongGrades } from './grades.contract.ts';

const grade = z.strictObject({
  label: line.min(1, REQUIRED).max(20).regex(VISIBLE, REQUIRED),
  percent: ruled(z.number(NOT_WHOLE), wrongCount).pipe(z.int().max(100)),
});
const grades = ruled(z.array(grade).min(1, REQUIRED).max(MAX_GRADES), wrongGrades);
const content = { name: label, grades };

export const createGradeProfile = z.strictObject({ subjectId: id, yearGroupId: id, ...content });
export const editGradeProfile = z.strictObject({
  gradeProfileId: id,
  ...content,
  /** What the author saw; refused if it has changed since. Left out: there is no such check. */
  was: z.strictObject({ name: z.string(), grades: z.array(z.strictObject({ label: z.string(), percent: z.int() })) }).optional(),
});
/** Without grades at first: they come row by row, and add up to 100 % once all are there. */
export const openGradeProfile = z.strictObject({ subjectId: id, yearGroupId: id, name: label });
/** Some grades, whatever others there are. `was`: the label of the one that is changed; null: it is new, and comes last. */
export const saveGrades = z.strictObject({
  gradeProfileId: id,
  rows: z
    .array(grade.extend({ was: z.string().max(20).nullable() }))
    .min(1)
    .max(MAX_GRADES),
});
export const aboutGradeProfile = z.strictObject({ gradeProfileId: id });

const profiles = z.object({
  profiles: z.array(
    z.object({
      gradeProfileId: id,
      name: z.string(),
      grades: z.array(z.object({ label: z.string(), percent: z.int() })).describe('The best first.'),
      keys: z
        .array(z.object({ label: z.string(), key: z.string() }))
        .exactOptional()
        .describe(
          'By what programs know a grade, where that is not its label: it stays the same when the label changes. Left out: there is none.',
        ),
      sum: z.int().describe('Of the percentages: 100, unless it came row by row through the documented calls.'),
    }),
  ),
});
export type GradeProfiles = Answer<typeof profiles>;

export const tasksCommands = {
  CreateGradeProfile: { input: createGradeProfile, result: z.object({ gradeProfileId: id }) },
  OpenGradeProfile: { input: openGradeProfile, result: z.object({ gradeProfileId: id }) },
  SaveGrades: { input: saveGrades, result: nothing },
  EditGradeProfile: { input: editGradeProfile, result: nothing },
  DeleteGradeProfile: { input: aboutGradeProfile, result: nothing },
  RestoreGradeProfile: { input: aboutGradeProfile, result: nothing },
};

export const tasksQueries = {
  'grade-profiles': { input: z.object({ subjectId: id, yearGroupId: id }), answer: profiles },
};
