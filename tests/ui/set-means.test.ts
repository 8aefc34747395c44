import { expect, test } from 'vitest';
import type { Markbook } from '../../api/contract/marks.ts';
import { finding, setMeans } from '../../staff-ui/markbook/set-means.ts';

/** Sets of 30 students each, all with the same total. */
const bookOf = (totals: Readonly<Record<string, number | null>>, mean = 20, sd = 5): Markbook => ({
  yearGroupId: 'y',
  year: 11,
  subject: { subjectId: 's', name: 'Mathematics' },
  sets: Object.keys(totals).map((name) => ({ setId: name, name, mayWrite: true })),
  tests: [{ testId: 'mock', name: 'Mock', max: 40, mean, sd, count: 90 }],
  students: Object.entries(totals).flatMap(([setId, total]) =>
    Array.from({ length: 30 }, (_, n) => ({
      studentId: `${setId} ${n}`,
      admissionNo: `${setId} ${n}`,
      name: `Student ${n}`,
      setId,
      totals: [
        { total, source: total === null ? null : ('total' as const), attendance: 'sat' as const, contested: false, aboveMaximum: false },
      ],
    })),
  ),
});

test('sets stand by their means, and only what chance does not explain stands out', () => {
  const means = setMeans(bookOf({ '11X1': 22, '11X2': 25, '11X3': 16, '11X4': null }), 0);
  expect(means.map(({ name, stands }) => `${name} ${stands}`)).toEqual(['11X2 higher', '11X1 among', '11X3 lower']);
  expect(finding(means, 20)).toBe('11X2 above the year’s 20.0, 11X3 below it, by more than chance');
});

test('where nothing stands out, it says so', () => {
  expect(finding(setMeans(bookOf({ '11X1': 21, '11X2': 19 }), 0), 20)).toBe('No set differs from the year’s 20.0 by more than chance');
});

test('without totals there is nothing to compare', () => {
  expect(
    setMeans({ ...bookOf({ '11X1': null }), tests: [{ testId: 'mock', name: 'Mock', max: 40, mean: null, sd: null, count: 0 }] }, 0),
  ).toEqual([]);
});
