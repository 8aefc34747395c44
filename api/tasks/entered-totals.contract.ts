/** What is asked before assessments are assigned to the classes of a feedback task. */
import { z } from 'zod';
import type { Answer } from '../contract/answer.ts';
import { namedStudent } from '../contract/answer.ts';
import { id, isoDate } from '../contract/fields.ts';

const enteredTotals = z
  .object({
    subjectId: id,
    yearGroupId: id,
    entered: z.array(
      z.object({
        setId: id,
        testId: id,
        students: z.int().describe('On roll in the class now.'),
        entered: z.int().describe('How many of them have a staff total.'),
        out: z.int().describe('How many are absent or exempt.'),
        missing: z.array(z.object(namedStudent)).describe('The others, by name.'),
        satOn: isoDate
          .nullable()
          .describe('As somebody said for the class, else the latest day that an upload of its totals said, else that of its first mark.'),
        inTask: z.boolean().describe('A feedback task gives the assessment to the class already.'),
      }),
    ),
  })
  .describe('The totals of a year group: for each class the assessments in which somebody of it has one, and who has none yet.');
export type EnteredTotals = Answer<typeof enteredTotals>;

export const enteredTotalsQueries = {
  'entered-totals': { input: z.object({ yearGroupId: id }), answer: enteredTotals },
};
