import { expect, test } from 'vitest';
import { priorPoints } from '../../../api/prior/prior-score.contract.ts';
import { boundariesOf, gradeOf, lastRanks } from '../../../api/tasks/grades/grades.contract.ts';
import { rank, testsGiven, warningsOf } from '../../../api/tasks/ranking/ranking.contract.ts';
import { EXAMPLE, GRADES, NORMS, PRIOR_NORMS, TABLE, TESTS } from '../../support/worked-example-table.ts';

const totalsAt = (column: number): ReadonlyMap<string, number> =>
  new Map(
    EXAMPLE.flatMap(([studentId, , , totals]) => {
      const total = totals[column] ?? null;
      return total === null ? [] : [[studentId, total] as const];
    }),
  );
const ranked = rank(
  EXAMPLE.map(([studentId, , prior]) => ({ studentId, prior: prior === null ? null : priorPoints(prior) })),
  TESTS.map(([testId, max], column) => ({ testId, max, totals: totalsAt(column) })),
);

test('the worked example of the formula comes out digit for digit', () => {
  const { norms, rows } = ranked;
  const four = (value: number | null) => (value === null ? null : Number(value.toFixed(4)));
  expect([norms.prior.mean, norms.prior.sd].map(four)).toEqual(PRIOR_NORMS);
  expect(
    norms.tests.map(({ testId, n, mean, sd, priorMean, difference, multiplier }) => [
      testId,
      n,
      ...[mean, sd, priorMean, difference, multiplier].map(four),
    ]),
  ).toEqual(NORMS);
  const table = rows
    .toSorted((a, b) => (a.ranking ?? 0) - (b.ranking ?? 0))
    .map(({ studentId, score, ranking, residual }) => [studentId, score, ranking, residual, gradeOf(GRADES, rows.length, ranking ?? 0)]);
  expect(table).toEqual(TABLE);
});

test('the boundary of a grade is the lowest score in it, by the ceiling of the cumulative percentage', () => {
  expect(lastRanks(GRADES, 10)).toEqual([2, 5, 10]);
  expect(lastRanks([{ percent: 7 }, { percent: 93 }], 100)).toEqual([7, 100]);
  const all = ranked.rows.flatMap(({ ranking, score }) => (ranking === null ? [] : [{ ranking, score }]));
  expect(boundariesOf(GRADES, all).map(({ label, students, boundary }) => [label, students, boundary])).toEqual([
    ['7', 2, 73.68],
    ['5', 3, 50.8],
    ['3', 5, 16.91],
  ]);
});

test('a small example warns of what makes it uncertain', () => {
  const rows = ranked.rows.map((row) => ({ ...row, given: 3 }));
  expect(warningsOf({ ...ranked, rows })).toEqual([
    { about: 'few-sat', testId: 'T1' },
    { about: 'few-sat', testId: 'T2 (Higher)' },
    { about: 'few-sat', testId: 'T3 (Foundation)' },
    { about: 'small-cohort', students: 10 },
    { about: 'sat-few', studentId: 'Evans', sat: 1, of: 3 },
  ]);
});

test('of two tiers, a student sat those given to their class: by the task, or because somebody of it has a total', () => {
  const given = testsGiven(
    ['both', 'higher', 'foundation'],
    [
      { setId: 'H', testId: 'both' },
      { setId: 'H', testId: 'higher' },
      { setId: 'F', testId: 'both' },
      { setId: 'F', testId: 'not ranked by' },
    ],
    [
      { setId: 'H', totals: [30, 20, null] },
      { setId: 'F', totals: [30, null, 0] },
      { setId: 'F', totals: [null, null, null] },
    ],
  );
  expect([...given]).toEqual([
    ['H', 2],
    ['F', 2],
  ]);
  const one = { studentId: 'a', sat: 1 };
  const warned = (of: number) => warningsOf({ ...ranked, rows: [{ ...one, given: of }] }).filter(({ about }) => about === 'sat-few');
  expect([warned(2), warned(3)]).toEqual([[], [{ about: 'sat-few', studentId: 'a', sat: 1, of: 3 }]]);
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
