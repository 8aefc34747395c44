import { expect, test } from 'vitest';
import { wrongMark } from '../../../staff-ui/marks/sheet/model/cells.ts';
import { cellsOf, changesInWords, changesOf, mostlyRemoves } from '../../../staff-ui/marks/sheet/totals.ts';
import { totalKey } from '../../../ui/marks/mark-drafts.ts';

test.each([
  ['', undefined],
  ['26', undefined],
  [' 7 ', undefined],
  ['27', 'Max mark available is 26'],
  ['12.5', 'Value must be an integer'],
  ['-1', 'Value must be an integer'],
  ['x', 'Value must be an integer'],
  [' ', 'Value must be an integer'],
])('"%s" of 26: %s', (typed, message) => {
  expect(wrongMark(typed, 26)).toBe(message);
});

const form = { subjectId: 's', setId: '11X1', testId: 'mock' };
/** What was typed by student, and what its author saw. */
const typed = (drafts: Readonly<Record<string, readonly [value: string, saw: string]>>) =>
  Object.fromEntries(Object.entries(drafts).map(([studentId, [value, saw]]) => [totalKey(form, studentId), { value, saw }]));

test('what was typed into is sent, with what its author saw there, also where it is the value that is there; an emptied field clears', () => {
  expect(cellsOf(typed({ a: ['7', ''], b: ['', '18'], c: ['018', '18'], d: ['', ''], e: [' ', '5'] }))).toEqual([
    { studentId: 'a', testId: 'mock', is: 7, was: [] },
    { studentId: 'b', testId: 'mock', is: 'cleared', was: [18] },
    { studentId: 'c', testId: 'mock', is: 18, was: [18] },
    { studentId: 'd', testId: 'mock', is: 'cleared', was: [] },
  ]);
  expect(cellsOf({})).toEqual([]);
});

test('who types over a field with several values has seen them all', () => {
  expect(cellsOf(typed({ a: ['7', '5 6'] }))).toEqual([{ studentId: 'a', testId: 'mock', is: 7, was: [5, 6] }]);
});

const stored = new Map([
  ['b', '18'],
  ['c', '12'],
  ['d', '5'],
]);
const changes = (drafts: Parameters<typeof typed>[0]) => changesOf(stored, cellsOf(typed(drafts)));

test('what would be stored is counted before it is submitted', () => {
  expect(changesInWords(changes({ a: ['7', ''] }))).toBe('1 total changed');
  expect(changesInWords(changes({ b: ['18', '18'] }))).toBe('1 total entered again');
  expect(changesInWords(changes({ a: ['7', ''], b: ['18', '18'], c: ['3', '12'], d: ['', '5'] }))).toBe(
    '2 totals changed, 1 removed, 1 entered again',
  );
  expect(changesInWords(changes({}))).toBe('');
});

test('a submission that mostly takes out asks first; one emptied field is a correction', () => {
  expect(mostlyRemoves(changes({ b: ['', '18'], c: ['', '12'], d: ['6', '5'] }))).toBe(true);
  expect(mostlyRemoves(changes({ b: ['', '18'], c: ['', '12'], a: ['1', ''], d: ['6', '5'] }))).toBe(false);
  expect(mostlyRemoves(changes({ b: ['', '18'] }))).toBe(false);
  // Nothing stands there: nothing is taken out.
  expect(mostlyRemoves(changes({ a: ['', ''], e: ['', ''] }))).toBe(false);
});
