import { expect, test } from 'vitest';
import { priorPoints } from '../../../api/prior/prior-score.contract.ts';
import { boundariesOf, gradeOf, lastRanks } from '../../../api/tasks/grades/grades.contract.ts';
import { rank, testsGiven, warningsOf } from '../../../api/tasks/ranking/ranking.formula.ts';
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
  // Ten who sat, twenty students and half of the tests are enough.
  const tests = ranked.norms.tests.map((norms) => ({ ...norms, n: 10 }));
  const enough = Array.from({ length: 20 }, (_, at) => ({ studentId: `student ${at}`, sat: 2, given: 4 }));
  expect(warningsOf({ norms: { ...ranked.norms, tests }, rows: enough })).toEqual([]);
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

/** Sixteen have a prior of 40 and 40 of 100 marks; with one more of 57, or 23, means are 41, or 39, and SDs 4: that one lies four of them away. */
test.each([
  { one: 57, difference: 2, multiplier: 5 / 3, scores: [91.67, 45.83] },
  { one: 23, difference: -2, multiplier: 1 / 3, scores: [8.33, 54.17] },
])('whoever is far from the cohort, with $one, counts as 3 SDs in marks, and as 2 in priors', ({ one, difference, multiplier, scores }) => {
  const values = new Map(Array.from({ length: 17 }, (_, at) => [`student ${10 + at}`, at === 0 ? one : 40]));
  const { norms, rows } = rank(
    [...values].map(([studentId, prior]) => ({ studentId, prior })),
    [
      { testId: 'all', max: 100, totals: values },
      { testId: 'one', max: 100, totals: new Map([['student 10', 70]]) },
    ],
  );
  expect(norms.tests).toMatchObject([
    { difference: 0, clipped: false },
    { priorMean: one, difference, clipped: true },
  ]);
  expect(norms.tests[1]?.multiplier).toBeCloseTo(multiplier, 12);
  // 100/6 of the mean of 3 + 3 and multiplier * 3, or of 0 and multiplier * 3; of the others 3 - 1/4, or 3 + 1/4.
  expect(rows.slice(0, 2).map(({ score }) => score)).toEqual(scores);
  expect(warningsOf({ norms, rows: [] }).filter(({ about }) => about === 'far-apart')).toEqual([{ about: 'far-apart', testId: 'one' }]);
});
