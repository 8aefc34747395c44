import { createHash } from 'node:crypto';
import { z } from 'zod';
import { id } from '../fields.ts';

const testNorms = z.strictObject({
  testId: id,
  max: z.int().min(1),
  /** how many sat it */
  n: z.int().min(0),
  /** of the percentages; null: nobody sat it */
  mean: z.number().nullable(),
  sd: z.number().nullable(),
  /** of those who sat it and have a prior; null: there are none */
  priorMean: z.number().nullable(),
  difference: z.number(),
  clipped: z.boolean(),
  multiplier: z.number(),
  /** The events that entered totals or marks of the cohort for it and stood at that moment: how many, and the last of them; null: none did. */
  counted: z.strictObject({ events: z.int().min(0), last: id.nullable() }),
});
const rankedRow = z.strictObject({
  studentId: id,
  /** of the moment of the ranking: who moves later stays with it */
  setId: id,
  /** as typed, and in points; null: none */
  priorScore: z.string().nullable(),
  prior: z.number().nullable(),
  /** in the order of the norms' tests; null: did not sit it */
  totals: z.array(z.int().nullable()),
  /** null: sat none, and is ranked by hand or left out */
  score: z.number().nullable(),
  ranking: z.int().min(1).nullable(),
  residual: z.int().nullable(),
});

/** Storage contract of `TaskRanked`: who stands where in a feedback task, and the norms that scored them. */
export const ranking = z.strictObject({
  formula: z.literal('R3'),
  terminalExamId: id,
  norms: z.strictObject({
    prior: z.strictObject({ n: z.int().min(0), mean: z.number().nullable(), sd: z.number().nullable() }),
    tests: z.array(testNorms).min(1),
  }),
  /** by student id */
  rows: z.array(rankedRow),
});
export type Ranking = z.infer<typeof ranking>;
export type FeedbackTaskNorms = Ranking['norms'];

/** Equal for rankings that say the same. */
export const digestOfRanking = ({ terminalExamId, norms, rows }: Ranking): string => {
  const content = [
    terminalExamId,
    norms.tests.map(({ testId, max, n, mean, sd, priorMean, multiplier }) => [testId, max, n, mean, sd, priorMean, multiplier]),
    rows.map(({ studentId, setId, prior, totals, score, ranking }) => [studentId, setId, prior, totals, score, ranking]),
  ];
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url');
};
