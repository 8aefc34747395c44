/** What each grade profile would give the students of a task. */
import { z } from 'zod';
import type { Answer } from '../../contract/answer.ts';
import { namedStudent } from '../../contract/answer.ts';
import { id } from '../../contract/fields.ts';
import { totalFlag } from '../../contract/total-flag.ts';

const gradesOfProfile = z.array(
  z.object({
    label: z.string(),
    percent: z.int(),
    students: z.int(),
    boundary: z.number().nullable().describe('The lowest score that gets it. null: nobody does, or without a score.'),
  }),
);
const taskGrades = z
  .object({
    taskId: id,
    students: z.int().describe('With a rank, and not left out.'),
    allocated: gradesOfProfile
      .nullable()
      .describe('The grades as they stand, by the percentages that were allocated, whatever has become of the profile. null: none are.'),
    flaggedTotals: z
      .array(z.object({ ...namedStudent, testId: id, test: z.string(), flag: totalFlag }))
      .describe('What is open now about totals of these students in the tests of the ranking.'),
    profiles: z.array(
      z.object({
        gradeProfileId: id,
        name: z.string(),
        sum: z.int().describe('Of the percentages: only 100 can be allocated.'),
        grades: gradesOfProfile,
      }),
    ),
  })
  .describe('What each grade profile of the year group would give.');
export type TaskGrades = Answer<typeof taskGrades>;

export const taskGradesQueries = { 'task-grades': { input: z.object({ taskId: id }), answer: taskGrades } };
