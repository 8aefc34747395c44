/** What is asked about tests: question analysis, averages of sets and years, residuals. The figures are made by the functions beside this file. */
import { z } from 'zod';
import type { Answer } from '../contract/answer.ts';
import { namedStudent } from '../contract/answer.ts';
import { id, isoDate } from '../contract/fields.ts';
import { openMarks, totalFlag } from '../contract/total-flag.ts';
import { question } from './analysis.contract.ts';

const share = z.number().describe('0 to 1');
const evidence = z
  .enum(['none', 'weak', 'fair'])
  .describe('Fewer than 10 students: no discrimination, alpha or SEM; fewer than 20: they say little; else fair.');
const questionFigures = z
  .object({
    facility: share.describe('Mean mark / maximum.'),
    discrimination: z.number().nullable().describe('Correlation with the rest of the test. null: too few students, or no variance.'),
    zero: share,
    full: share,
    distribution: z.array(z.tuple([z.int(), z.int()])).describe('Mark and how many students have it.'),
    alphaIfDeleted: z.number().nullable(),
  })
  .nullable()
  .describe('null: nobody of the group has a mark for it.');

const figures = {
  n: z.int().describe('Students who sat it and have a mark.'),
  evidence,
  k: z.int().describe('Questions with a mark.'),
  mean: z.number().nullable().describe('Of the sums of marks.'),
  sd: z.number().nullable().describe('Of a sample.'),
  alpha: z.number().nullable(),
  sem: z.number().nullable(),
  questions: z.array(questionFigures).describe("Parallel to the answer's `questions`."),
  leftOut: z
    .object({ absent: z.int(), exempt: z.int(), noMarks: z.int() })
    .describe('How many are left out: absent, exempt, or without any mark that counts.'),
  open: z.array(openMarks.unwrap().nullable()).describe('Parallel to the questions; null: nothing is open.'),
};
const group = z.object(figures);

const questionAnalysis = z
  .object({
    testId: id,
    name: z.string(),
    subjectId: id,
    yearGroupId: id,
    year: z.int(),
    max: z.int().nullable().describe('null: no questions yet'),
    questions: z.array(
      z.object({
        ...question,
        reliability: z.number().nullable().describe('Of a claim about this question, by the alpha of all students.'),
      }),
    ),
    topics: z
      .array(z.object({ topic: z.string(), questionIds: z.array(id), reliability: z.number().nullable() }))
      .describe('The questions of one topic together. Below 0.5 a claim is not enough evidence. null: unknown.'),
    all: group.describe('Everybody of the subject who sat it, in whatever year group.'),
    ofYear: group.describe('The students of the year group now.'),
    sets: z
      .array(z.object({ setId: id, name: z.string(), ...figures }))
      .describe('The classes of the year group, or the one that was asked for. A teacher: their own.'),
  })
  .describe('How the questions of a test worked.');
export type QuestionAnalysis = Answer<typeof questionAnalysis>;
export type GroupFigures = Answer<typeof group>;

const questionStudents = z
  .object({
    testId: id,
    ...question,
    students: z
      .array(
        z.object({
          ...namedStudent,
          setId: id,
          mark: z.int().nullable().describe('null: left out, which counts 0.'),
          rest: z.number().nullable().describe('Marks in the other questions / their maxima, 0 to 1. null: there are none.'),
          open: z.boolean().describe('The mark is contested or above the maximum of now.'),
        }),
      )
      .describe('Who sat it, by name.'),
  })
  .describe('The students behind the marks of a question.');
export type QuestionStudents = Answer<typeof questionStudents>;

const percent = z.number().describe('Per cent of the maximum.');
const dashboard = z
  .object({
    yearGroupId: id,
    year: z.int(),
    subjectId: id,
    sets: z.array(z.object({ setId: id, name: z.string(), students: z.int() })),
    tests: z
      .array(
        z.object({
          testId: id,
          name: z.string(),
          max: z.int().nullable(),
          day: isoDate.nullable().describe('The last on which a class of the year group sat it; null: none has.'),
          all: z.object({ n: z.int(), mean: percent, open: openMarks }).nullable().describe('The year group; null: nobody has a total.'),
          averages: z
            .array(
              z.object({
                setId: id,
                n: z.int(),
                mean: percent,
                stands: z.enum(['higher', 'lower', 'among', 'few']),
                range: z
                  .object({ from: percent, to: percent })
                  .exactOptional()
                  .describe(
                    'Where chance alone would put the mean of so many students, all classes together. Left out: fewer than 10 students.',
                  ),
                leftOut: z.object({ absent: z.int(), exempt: z.int(), noTotal: z.int() }),
                open: openMarks,
              }),
            )
            .describe('Of the classes in which somebody has a total.'),
          historic: z
            .array(
              z.object({
                schoolYear: z.int().describe('In which it begins, on 1 September.'),
                n: z.int(),
                mean: percent,
                open: openMarks,
              }),
            )
            .describe(
              'Of all classes of year groups of this number, by the day on which they sat it; who was off roll on that day is left out.',
            ),
          undated: z.int().describe('Totals that are in no school year: who has them was off roll on the day, or no day is known.'),
        }),
      )
      .describe('Of the classes of the year group, or sat by somebody of it; the newest first.'),
  })
  .describe('Averages of a year group: each class, and each school year.');
export type Dashboard = Answer<typeof dashboard>;

const historicTotals = z
  .object({
    testId: id,
    max: z.int().nullable(),
    students: z
      .array(
        z.object({
          ...namedStudent,
          set: z.string().describe('In which the student was on the day.'),
          day: isoDate,
          total: z.int().nullable().describe('null: none counts, as whether they sat it is contested.'),
          flags: z.array(totalFlag).exactOptional().describe('What is open about it. Left out: nothing.'),
        }),
      )
      .describe('By name. Whoever counts in the mean, also those who have left since.'),
  })
  .describe('The totals behind the mean of a school year.');
export type HistoricTotals = Answer<typeof historicTotals>;

const residuals = z
  .object({
    yearGroupId: id,
    subjectId: id,
    taskId: id.nullable().describe('Of the ranking that the markbook shows; null: none.'),
    line: z
      .object({ n: z.int(), a: z.number(), b: z.number(), sd: z.number() })
      .nullable()
      .describe('score = a + b * prior. null: fewer than 10 students with both, or all priors equal.'),
    sets: z.array(
      z.object({
        setId: id,
        n: z.int(),
        mean: z.number(),
        from: z.number(),
        to: z.number(),
        clear: z.boolean().describe('The interval of 95 % excludes 0.'),
      }),
    ),
    students: z.array(
      z.object({
        studentId: id,
        setId: id.describe('The class at the moment of the ranking.'),
        residual: z.number().nullable().describe('Score minus the one expected from the prior. null: no line, or no prior.'),
        standardised: z.int().describe('This cohort, not national: mean 100, SD 15, within 60 and 140.'),
        percentile: z.number().describe('This cohort, not national: 100 * (below + half of equal) / n.'),
      }),
    ),
  })
  .describe('Beside the score of each ranked student: how it compares with the prior, and with the cohort.');
export type ResidualsAnswer = Answer<typeof residuals>;

export const testQueries = {
  'question-analysis': { input: z.object({ testId: id, yearGroupId: id, setId: id.optional() }), answer: questionAnalysis },
  /** One of `setId` and `yearGroupId`; a teacher's own classes only. */
  'question-students': {
    input: z.object({ testId: id, questionId: id, setId: id.optional(), yearGroupId: id.optional() }),
    answer: questionStudents,
  },
  'leader-dashboard': { input: z.object({ yearGroupId: id }), answer: dashboard },
  /** `schoolYear`: in which it begins. */
  'historic-totals': {
    input: z.object({ yearGroupId: id, testId: id, schoolYear: z.string().regex(/^\d{4}$/u, 'A year is written as 2025.') }),
    answer: historicTotals,
  },
  /** `taskId`: of which feedback task the ranking is to be, if not of the last one. */
  residuals: { input: z.object({ yearGroupId: id, taskId: id.optional() }), answer: residuals },
};
