import { expect, test } from 'vitest';
import type { Markbook } from '../../api/marks/marks.contract.ts';
import { cellsOf, changesInWords, errorOf, meanwhile, rowsOf } from '../../staff-ui/manual-totals/entry.ts';

test.each([
  ['', undefined],
  ['26', undefined],
  [' 7 ', undefined],
  ['27', 'Max mark available is 26'],
  ['12.5', 'Value must be an integer'],
  ['-1', 'Value must be an integer'],
  ['x', 'Value must be an integer'],
])('"%s" of 26: %s', (typed, message) => {
  expect(errorOf(typed, 26)).toBe(message);
});

const total = (shown: number | null, more: Partial<Markbook['students'][number]['totals'][number]> = {}) =>
  ({ total: shown, source: shown === null ? null : 'total', attendance: 'sat', contested: false, aboveMaximum: false, ...more }) as const;
const book: Markbook = {
  yearGroupId: 'y',
  year: 11,
  subject: { subjectId: 's', name: 'Mathematics' },
  sets: [{ setId: '11X1', name: '11X1', mayWrite: true }],
  tests: [{ testId: 'mock', name: 'Mock', max: 26, mean: null, sd: null, count: 0 }],
  students: [
    { studentId: 'b', admissionNo: 'M2', name: 'Bell, Bo', setId: '11X1', totals: [total(18)] },
    { studentId: 'a', admissionNo: 'M1', name: 'Adams, Al', setId: '11X1', totals: [total(null)] },
    { studentId: 'c', admissionNo: 'M3', name: 'Cole, Cy', setId: '11X1', totals: [total(12, { source: 'marks' })] },
    { studentId: 'd', admissionNo: 'M4', name: 'Dean, Di', setId: '11X2', totals: [total(5)] },
  ],
};
const rows = rowsOf(book, '11X1', 'mock', (a, b) => a.localeCompare(b));

test('a class has its students by name, with the totals that somebody entered', () => {
  expect(rows.map(({ name, stored, note }) => [name, stored, note])).toEqual([
    ['Adams, Al', '', undefined],
    ['Bell, Bo', '18', undefined],
    ['Cole, Cy', '', 'question marks: 12'],
  ]);
});

test('what was typed into is sent, with what its author saw there, also where it is the value that is there; an emptied field clears', () => {
  expect(cellsOf(rows, { typed: { a: '7', b: '' }, saw: { a: '', b: '18' } }, 'mock')).toEqual([
    { studentId: 'a', testId: 'mock', is: 7, was: [] },
    { studentId: 'b', testId: 'mock', is: 'cleared', was: [18] },
  ]);
  expect(cellsOf(rows, { typed: { a: ' ', b: '018' }, saw: { a: '', b: '18' } }, 'mock')).toEqual([
    { studentId: 'a', testId: 'mock', is: 'cleared', was: [] },
    { studentId: 'b', testId: 'mock', is: 18, was: [18] },
  ]);
  // Somebody else stored 18 while it was typed into an empty field: it was not seen.
  expect(cellsOf(rows, { typed: { b: '18' }, saw: { b: '' } }, 'mock')).toEqual([{ studentId: 'b', testId: 'mock', is: 18, was: [] }]);
  expect(cellsOf(rows, { typed: {}, saw: {} }, 'mock')).toEqual([]);
});

test('what would be stored is counted before it is submitted', () => {
  const words = (typed: Record<string, string>) => changesInWords(rows, cellsOf(rows, { typed, saw: {} }, 'mock'));
  expect(words({ a: '7' })).toBe('1 total changed');
  expect(words({ b: '18' })).toBe('1 total entered again');
  expect(words({ a: '7', b: '18', c: '3' })).toBe('2 totals changed, 1 entered again');
});

test('what somebody else entered while it was typed was not seen: it is told, and does not count as overwritten', () => {
  const over = { typed: { a: '7', b: '20' }, saw: { a: '5', b: '17' } };
  expect(cellsOf(rows, over, 'mock')).toEqual([
    { studentId: 'a', testId: 'mock', is: 7, was: [5] },
    { studentId: 'b', testId: 'mock', is: 20, was: [17] },
  ]);
  expect(rows.map((row) => meanwhile(row, over))).toEqual(['emptied meanwhile', 'changed to 18 meanwhile', undefined]);
});

test('a class can be typed for an assessment that is none of its own yet', () => {
  expect(rowsOf(book, '11X1', 'other', (a, b) => a.localeCompare(b)).map(({ stored }) => stored)).toEqual(['', '', '']);
});
