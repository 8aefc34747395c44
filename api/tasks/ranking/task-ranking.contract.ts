/** The ranked students of a task, and how a score came about. */
import { z } from 'zod';
import type { Answer } from '../../contract/answer.ts';
import { instant, namedStudent } from '../../contract/answer.ts';
import { id, isoDate } from '../../contract/fields.ts';
import { totalFlag } from '../../contract/total-flag.ts';
import { check, nameOrForgotten, rankingFields, rankingFormula, status } from '../task.contract.ts';

const testNorms = z.object({
  testId: id,
  name: z.string(),
  max: z.int(),
  n: z.int().describe('How many of the cohort sat it.'),
  mean: z.number().nullable(),
  sd: z.number().nullable().describe('Of the population. null: nobody sat it.'),
  priorMean: z.number().nullable(),
  difference: z.number(),
  clipped: z.boolean(),
  multiplier: z.number(),
});
/** What scored the students of a ranking. */
export const rankingNorms = z.object({
  prior: z.object({ n: z.int(), mean: z.number().nullable(), sd: z.number().nullable() }),
  tests: z.array(testNorms),
});
const result = { score: z.number().nullable(), ranking: z.int().nullable(), grade: z.string().nullable() };

const outcome = {
  prior: z.string().nullable().describe('As typed. null: none'),
  points: z.number().nullable().describe('What the prior counts.'),
  ...result,
  residual: z.int().nullable(),
  computed: z.object(result).describe('What counts unless the leader decided otherwise.'),
  decided: z
    .object({ ...result, by: nameOrForgotten, at: instant })
    .nullable()
    .describe('By hand; null in it: as computed.'),
  exempt: z.boolean(),
};

export const totalFlags = z
  .array(z.object({ testId: id, flag: totalFlag }))
  .describe("What is open now about the student's totals in the norms' tests. In the ranking they count as they stood.");

const rankedStudent = z.object({
  ...namedStudent,
  setId: id.describe('Of the moment of the ranking.'),
  left: z.boolean().describe('No longer on roll: needs nothing in the final check.'),
  ...outcome,
  totals: z.array(z.int().nullable()).describe("Parallel to the norms' tests. null: did not sit it."),
  totalFlags,
  sat: z.int(),
  given: z.int().describe('How many of the tests are given to the class: `sat` is of these.'),
  teacherRank: z.int().nullable(),
  rankingFlag: z.boolean(),
  rankingComment: z.string().nullable(),
  gradeFlag: z.boolean(),
  gradeComment: z.string().nullable(),
  now: z
    .object({
      totals: z.array(z.int().nullable()),
      score: z.number().nullable(),
      ranking: z.int().nullable(),
      changed: z.boolean().describe('One of the totals of this student is another.'),
    })
    .nullable()
    .describe('With the totals of now and the norms of the ranking. null: the same.'),
});
export type RankedStudent = Answer<typeof rankedStudent>;

const taskRanking = z
  .object({
    taskId: id,
    subjectId: id,
    yearGroupId: id,
    name: nameOrForgotten,
    expiry: isoDate,
    teacherInput: z.boolean(),
    status,
    sets: z.array(z.object({ setId: id, name: z.string(), status, rankingChecked: check, gradesChecked: check })),
    ranking: z
      .object({
        ...rankingFields,
        students: z.int().describe('In the whole cohort.'),
        norms: rankingNorms,
      })
      .nullable()
      .describe('null: not ranked'),
    grades: z.object({ gradesId: id, shares: z.array(z.object({ label: z.string(), percent: z.int() })) }).nullable(),
    students: z.array(rankedStudent).describe('By ranking, then by name.'),
  })
  .describe('The ranked students of a task, or (setId) of one class.');
export type TaskRanking = Answer<typeof taskRanking>;

const taskScore = z
  .object({
    taskId: id,
    studentId: id,
    name: nameOrForgotten,
    setId: id,
    ...outcome,
    rankedAt: instant,
    rankedBy: nameOrForgotten,
    rankingId: id,
    formula: rankingFormula,
    exam: z.string().nullable(),
    priorNorms: rankingNorms.shape.prior,
    tests: z.array(
      testNorms.extend({
        total: z.int().nullable().describe('null: did not sit it, and it counts for nothing.'),
        percent: z.number().nullable(),
        z: z.number().nullable(),
        part: z.number().nullable().describe('multiplier * (z + 3): the score is 100/6 of the mean of these.'),
        now: z.int().nullable().describe('The total of now.'),
        totalFlags: z.array(totalFlag).describe('What is open now about the total.'),
        counted: z.object({ events: z.int(), last: id.nullable() }).describe('Events that the ranking counted, of the whole cohort.'),
        changes: z
          .array(
            z.object({
              commandId: id,
              at: instant,
              by: nameOrForgotten,
              how: z.enum(['upload', 'typed', 'decided']),
              fileName: z.string().nullable(),
              marks: z.boolean().describe('It entered marks of questions, else the total.'),
              is: z.int().nullable().describe('The total that it entered. null: marks, or it cleared the total.'),
              later: z.boolean().describe('After the ranking.'),
            }),
          )
          .describe("What staff entered of the student's total and still stands, oldest first."),
      }),
    ),
    now: z.object({ score: z.number().nullable() }).describe('With the totals of now and the norms of the ranking.'),
  })
  .describe('How a score came about.');
export type TaskScore = Answer<typeof taskScore>;

export const taskRankingQueries = {
  'task-ranking': { input: z.object({ taskId: id, setId: id.optional() }), answer: taskRanking },
  'task-score': { input: z.object({ taskId: id, studentId: id }), answer: taskScore },
};
