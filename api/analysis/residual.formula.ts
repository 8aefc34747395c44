/**
 * What a student's score is beside the one that students of the same prior usually get: the residual of the line of least squares. Unlike the
 * difference of ranks it has no ceiling, and does not favour those with a low prior.
 */

import type { ResidualsAnswer } from './tests.contract.ts';

type SetResidual = Omit<ResidualsAnswer['sets'][number], 'setId'>;
export type WithPrior = {
  readonly studentId: string;
  readonly setId: string;
  readonly prior: number | null;
  readonly score: number | null;
};
export type Residuals = {
  readonly line: NonNullable<ResidualsAnswer['line']>;
  readonly students: ReadonlyMap<string, number>;
  readonly sets: ReadonlyMap<string, SetResidual>;
};

/** Below it there is no line. */
export const FEWEST_FOR_LINE = 10;

/** `sd`: of the residuals, with n - 2. Undefined with fewer than ten students who have both a prior and a score, or if all priors are the same. */
export const residualsByLine = (students: readonly WithPrior[]): Residuals | undefined => {
  const both = students
    .flatMap(({ studentId, setId, prior, score }) => (prior === null || score === null ? [] : [{ studentId, setId, prior, score }]))
    .toSorted((x, y) => (x.studentId < y.studentId ? -1 : 1));
  const n = both.length;
  if (n < FEWEST_FOR_LINE) return undefined;
  const [priors, scores] = [sum(both.map(({ prior }) => prior)) / n, sum(both.map(({ score }) => score)) / n];
  const spread = sum(both.map(({ prior }) => (prior - priors) ** 2));
  if (both.every(({ prior }) => prior === both[0]?.prior)) return undefined;
  // Equal scores lie on the line exactly: computed, they may lie beside it.
  const isFlat = both.every(({ score }) => score === both[0]?.score);
  const b = isFlat ? 0 : sum(both.map(({ prior, score }) => (prior - priors) * (score - scores))) / spread;
  const a = isFlat ? (both[0]?.score ?? scores) : scores - b * priors;
  const ofStudents = new Map(both.map(({ studentId, prior, score }) => [studentId, score - (a + b * prior)]));
  const sd = Math.sqrt(sum([...ofStudents.values()].map((e) => e ** 2)) / (n - 2));
  const ofSets = new Map<string, number[]>();
  for (const { studentId, setId } of both) ofSets.set(setId, [...(ofSets.get(setId) ?? []), ofStudents.get(studentId) ?? 0]);
  return {
    line: { n, a, b, sd },
    students: ofStudents,
    sets: new Map([...ofSets].map(([setId, residuals]) => [setId, intervalOf(residuals, sd)])),
  };
};

/** The mean with its interval of 95 %. */
const intervalOf = (residuals: readonly number[], sd: number): SetResidual => {
  const n = residuals.length;
  const mean = sum(residuals) / n;
  const half = (1.96 * sd) / Math.sqrt(n);
  return { n, mean, from: mean - half, to: mean + half, clear: Math.abs(mean) > half };
};

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
