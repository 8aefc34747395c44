import { expect, test } from 'vitest';
import type { Markbook } from '../../../api/marks/marks.contract.ts';
import { finding, setMeans } from '../../../staff-ui/marks/markbook/means/SetMeans.tsx';

/** Sets of 30 students (or so many), whose totals lie evenly up to 5 marks on both sides of a mean; null: none has a total. */
const bookOf = (totals: Readonly<Record<string, number | null>>, students = 30): Markbook => ({
  yearGroupId: 'y',
  year: 11,
  subject: { subjectId: 's', name: 'Mathematics' },
  sets: Object.keys(totals).map((name) => ({ setId: name, name, mayWrite: true })),
  tests: [{ testId: 'mock', name: 'Mock', max: 40, mean: 20, sd: 5, count: 90 }],
  students: Object.entries(totals).flatMap(([setId, mean]) =>
    Array.from({ length: students }, (_, n) => ({
      studentId: `${setId} ${n}`,
      admissionNo: `${setId} ${n}`,
      name: `Student ${n}`,
      setId,
      totals: [
        {
          total: mean === null ? null : mean + (n % 11) - 5,
          source: mean === null ? null : ('total' as const),
          attendance: 'sat' as const,
        },
      ],
    })),
  ),
});

const standing = (totals: Readonly<Record<string, number | null>>, students?: number) =>
  setMeans(bookOf(totals, students), 0).map(({ name, stands }) => `${name} ${stands}`);

test('sets stand by their means, and only what chance does not explain stands out', () => {
  const means = setMeans(bookOf({ '11X1': 20, '11X2': 25, '11X3': 15, '11X4': null }), 0);
  expect(means.map(({ name, stands }) => `${name} ${stands}`)).toEqual(['11X2 higher', '11X1 among', '11X3 lower']);
  expect(finding(means, 20)).toBe('11X2 above the year’s 20.0, 11X3 below it, by more than chance');
});

test('where nothing stands out, it says so', () => {
  expect(finding(setMeans(bookOf({ '11X1': 21, '11X2': 19 }), 0), 20)).toBe('No set differs from the year’s 20.0 by more than chance');
});

test('the more sets are shown, the more one must differ to be named', () => {
  const others = Object.fromEntries(Array.from({ length: 70 }, (_, n) => [`set ${n}`, 20]));
  expect(standing({ '11X1': 22, '11X2': 20, '11X3': 20, '11X4': 20, '11X5': 20 })[0]).toBe('11X1 higher');
  expect(standing({ '11X1': 22, ...others })[0]).toBe('11X1 among');
  expect(standing({ '11X1': 24, ...others })[0]).toBe('11X1 higher');
});

test('nothing is claimed of a set with fewer than ten totals', () => {
  const means = setMeans(bookOf({ '11X1': 30, '11X2': 10 }, 9), 0);
  expect(means.map(({ stands, range }) => [stands, range])).toEqual([
    ['few', undefined],
    ['few', undefined],
  ]);
  expect(finding(means, 20)).toBe('No set has 10 totals: too few to compare');
  expect(standing({ '11X1': 30, '11X2': 10 }, 10)).toEqual(['11X1 higher', '11X2 lower']);
});

test('without totals there is nothing to compare', () => {
  expect(setMeans(bookOf({ '11X1': null }), 0)).toEqual([]);
});
