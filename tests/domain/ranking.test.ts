import { expect, test } from 'vitest';
import { priorPoints } from '../../api/prior/prior-score.contract.ts';
import { boundariesOf, gradeOf, lastRanks } from '../../api/tasks/grades.contract.ts';
import { rank, warningsOf } from '../../api/tasks/ranking.contract.ts';

/** The worked example of formula R3: prior as typed, marks of T1 (of 40), T2 Higher (of 80), T3 Foundation (of 80). */
const example: readonly (readonly [name: string, prior: string | null, t1: number | null, t2: number | null, t3: number | null])[] = [
  ['Adams', 'A*', 36, 60, null],
  ['Baker', 'A', 30, 52, null],
  ['Clark', 'A', 34, 68, null],
  ['Davis', 'B', 28, 44, null],
  ['Evans', 'B', null, 56, null],
  ['Flynn', 'C', 26, null, 66],
  ['Grant', 'D', 20, null, 50],
  ['Hayes', 'D', 24, null, 50],
  ['Irwin', 'E', 12, null, 34],
  ['Jones', null, 20, null, 50],
];
const totalsAt = (column: 2 | 3 | 4) => new Map(example.flatMap((row) => (row[column] === null ? [] : [[row[0], row[column]] as const])));
const ranked = rank(
  example.map(([studentId, prior]) => ({ studentId, prior: prior === null ? null : priorPoints(prior) })),
  [
    { testId: 'T1', max: 40, totals: totalsAt(2) },
    { testId: 'T2', max: 80, totals: totalsAt(3) },
    { testId: 'T3', max: 80, totals: totalsAt(4) },
  ],
);
const shares = [
  { label: '7', percent: 15 },
  { label: '5', percent: 35 },
  { label: '3', percent: 50 },
];

test('the worked example of the formula comes out digit for digit', () => {
  const { norms, rows } = ranked;
  expect([norms.prior.mean?.toFixed(4), norms.prior.sd?.toFixed(4)]).toEqual(['36.4444', '12.5708']);
  const four = (value: number | null) => (value === null ? null : Number(value.toFixed(4)));
  expect(
    norms.tests.map(({ testId, n, mean, sd, priorMean, difference, multiplier }) => [
      testId,
      n,
      ...[mean, sd, priorMean, difference, multiplier].map(four),
    ]),
  ).toEqual([
    ['T1', 9, 63.8889, 17.7604, 36, -0.0354, 0.9882],
    ['T2', 5, 70, 10, 46.4, 0.792, 1.264],
    ['T3', 5, 62.5, 12.6491, 24, -0.9899, 0.67],
  ]);
  const table = rows
    .toSorted((a, b) => (a.ranking ?? 0) - (b.ranking ?? 0))
    .map(({ studentId, score, ranking, residual }) => [studentId, score, ranking, residual, gradeOf(shares, rows.length, ranking ?? 0)]);
  expect(table).toEqual([
    ['Clark', 81.89, 1, 1, '7'],
    ['Adams', 73.68, 2, -1, '7'],
    ['Evans', 63.2, 3, 1, '5'],
    ['Baker', 56.19, 4, -2, '5'],
    ['Flynn', 50.8, 5, 1, '5'],
    ['Davis', 43.34, 6, -2, '3'],
    ['Hayes', 39.65, 7, 0, '3'],
    ['Grant', 35.02, 8, -1, '3'],
    ['Jones', 35.02, 8, null, '3'],
    ['Irwin', 16.91, 10, 0, '3'],
  ]);
});

test('the boundary of a grade is the lowest score in it, by the ceiling of the cumulative percentage', () => {
  expect(lastRanks(shares, 10)).toEqual([2, 5, 10]);
  expect(lastRanks([{ percent: 7 }, { percent: 93 }], 100)).toEqual([7, 100]);
  const all = ranked.rows.flatMap(({ ranking, score }) => (ranking === null ? [] : [{ ranking, score }]));
  expect(boundariesOf(shares, all).map(({ label, students, boundary }) => [label, students, boundary])).toEqual([
    ['7', 2, 73.68],
    ['5', 3, 50.8],
    ['3', 5, 16.91],
  ]);
});

test('a small example warns of what makes it uncertain', () => {
  expect(warningsOf(ranked)).toEqual([
    { about: 'few-sat', testId: 'T1' },
    { about: 'few-sat', testId: 'T2' },
    { about: 'few-sat', testId: 'T3' },
    { about: 'small-cohort', students: 10 },
    { about: 'sat-few', studentId: 'Evans', sat: 1, of: 3 },
  ]);
});

test('who sat nothing has no score and no rank; a test that nobody sat counts for nobody', () => {
  const students = ['a', 'b', 'c'].map((studentId) => ({ studentId, prior: 40 }));
  const { rows, norms } = rank(students, [
    {
      testId: 'sat',
      max: 10,
      totals: new Map([
        ['a', 9],
        ['b', 5],
      ]),
    },
    { testId: 'not sat', max: 10, totals: new Map() },
  ]);
  expect(rows.map(({ studentId, sat, score, ranking, residual }) => [studentId, sat, score, ranking, residual])).toEqual([
    ['a', 1, 66.67, 1, 0],
    ['b', 1, 33.33, 2, -1],
    ['c', 0, null, null, null],
  ]);
  expect(norms.tests[0]).toMatchObject({ testId: 'not sat', n: 0, mean: null, sd: null, priorMean: null, difference: 0, multiplier: 1 });
  // All priors are equal: nobody is ahead of anybody.
  expect(norms.tests[1]).toMatchObject({ priorMean: 40, difference: 0, multiplier: 1 });
});
