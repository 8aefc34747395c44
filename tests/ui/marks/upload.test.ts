import { expect, test } from 'vitest';
import type { CellChange, PreviewCell, UploadPreview } from '../../../api/marks/upload/uploads.contract.ts';
import type { Turned } from '../../../api/marks/marks.contract.ts';
import { groupsOf } from '../../../staff-ui/marks/upload/useResults.ts';
import { added, firstChoice, forAll, leftOut, testsOf } from '../../../staff-ui/marks/upload/totals/choice.ts';
import { columnsOf } from '../../../staff-ui/marks/upload/totals/choice.ts';
import { storedText, turnedText } from '../../../staff-ui/marks/upload/outcome-text.ts';
import {
  blanksIn,
  changesFirst,
  decidesOf,
  filtersOf,
  inWords,
  sawOf,
  stillBlank,
  withZeros,
} from '../../../staff-ui/marks/upload/preview-model.ts';

const cell = (column: number, is: number, now: PreviewCell['now'], change: CellChange): PreviewCell => ({ column, is, now, change });

const preview = (...students: readonly (readonly [setName: string, ...cells: PreviewCell[]])[]): UploadPreview => {
  const counts = { equal: 0, new: 0, replaced: 0, contested: 0 };
  for (const [, ...cells] of students) for (const { change } of cells) counts[change]++;
  return {
    students: students.map(([setName, ...cells], index) => ({
      studentId: `${index}`,
      admissionNo: `M${index}`,
      name: `Student ${index}`,
      setId: setName,
      setName,
      cells,
    })),
    unmatched: [],
    counts,
    rankings: 0,
    repeats: false,
    questionIds: [],
  };
};

test('students whose values would change stand first, then those with new ones, otherwise as in the file', () => {
  const { students } = preview(
    ['11X1', cell(0, 1, [1], 'equal')],
    ['11X1'],
    ['11X1', cell(0, 1, [], 'new')],
    ['11X1', cell(0, 1, [], 'new'), cell(1, 1, [2], 'replaced')],
    ['11X1', cell(0, 1, [2, 3], 'contested')],
    ['11X1', cell(0, 1, [2], 'replaced')],
  );
  expect(changesFirst(students).map(({ studentId }) => studentId)).toEqual(['4', '3', '5', '2', '0', '1']);
});

test('0 is entered for the blanks of a preview, and nowhere else', () => {
  const shown = preview(['11X1', cell(0, 9, [], 'new')], ['11X1'], ['11X2', cell(1, 2, [], 'new')]);
  const blanks = [{ row: 0, columns: [1, 3] }, undefined, { row: 3, columns: [0] }];
  const withBlanks = { ...shown, students: shown.students.map((one, at) => (blanks[at] ? { ...one, blanks: blanks[at] } : one)) };
  expect([blanksIn(shown), blanksIn(withBlanks)]).toEqual([0, 3]);
  // Row 2 is of nobody who is known. In column 2 of row 0 a mark is stored already.
  const rows = [[9, null, null], [null], [1, null], [null, 2]].map((marks) => ({ marks }));
  expect(withZeros(rows, withBlanks).map(({ marks }) => marks)).toEqual([[9, 0, null, 0], [null], [1, null], [0, 2]]);
});

test('a mark that somebody has entered since the preview is no blank any more: no 0 goes over it', () => {
  const blank = { row: 0, columns: [1, 2, 3, 4] };
  const shown = preview(['11X1', cell(0, 9, [], 'new')], ['11X1']);
  const before = { ...shown, students: shown.students.map((one, at) => (at === 0 ? { ...one, blanks: blank } : one)) };
  const now = preview(
    [
      '11X1',
      cell(0, 9, [], 'new'),
      cell(1, 0, [5], 'replaced'),
      cell(2, 0, ['cleared'], 'new'),
      cell(3, 0, [0], 'equal'),
      cell(4, 0, [1, 2], 'contested'),
    ],
    ['11X1'],
  );
  const left = stillBlank(before, now);
  expect(blanksIn(left)).toBe(1);
  expect(withZeros([{ marks: [9] }, { marks: [null] }], left).map(({ marks }) => marks)).toEqual([[9, null, 0], [null]]);
});

test('a preview says in a sentence what the upload would do', () => {
  const mixed = preview(['11X1', cell(0, 20, [18], 'replaced')], ['11X2', cell(0, 9, [], 'new')], ['11X2', cell(0, 8, [], 'new')]);
  expect(inWords(mixed, 'total')).toBe('This will change 1 total in 11X1 and add 2.');
  expect(inWords(preview(['11X1', cell(0, 9, [], 'new')]), 'total')).toBe('This will add 1 total.');
  const same = preview(['11X1', cell(0, 9, [9], 'equal')]);
  expect(inWords(same, 'mark')).toBe('This will confirm 1 mark that is there already.');
  expect(inWords({ ...same, repeats: true }, 'mark')).toBe(
    'Nothing would change: you have uploaded the same before, and all of it still counts.',
  );
  expect(inWords(preview(['11X1']), 'mark')).toBe('The file has no marks for these tests.');
  const all = preview(['11X1', cell(0, 20, [18], 'replaced'), cell(1, 9, [], 'new'), cell(2, 8, [8], 'equal'), cell(3, 7, [7], 'equal')]);
  expect(inWords(all, 'total')).toBe('This will change 1 total in 11X1, add 1 and confirm 2 that are there already.');
  expect(inWords(preview(['11X1', cell(0, 9, [7, 8], 'contested')]), 'total')).toBe(
    '1 cell holds several values: tick where the file decides.',
  );
});

test('an upload says what it stored, and what it confirmed', () => {
  const uploaded = (stored: number, confirmed: number, unchanged = 0) => ({
    entryId: 'e',
    commandId: 'c',
    stored,
    confirmed,
    unchanged,
    unmatched: [],
  });
  expect(storedText(uploaded(2, 28), 'mark')).toBe('2 marks stored, 28 confirmed.');
  expect(storedText(uploaded(30, 0), 'mark')).toBe('30 marks stored.');
  expect(storedText(uploaded(0, 1), 'mark')).toBe('1 mark confirmed.');
  expect(storedText(uploaded(0, 0, 30), 'mark')).toBe('Nothing to store: 30 marks are there already.');
});

test('an undo says what went, what stays, and who said it too', () => {
  const turned = (more: Partial<Turned>): Turned => ({ undone: true, cells: 30, own: 30, shared: 0, replaced: 0, alsoBy: [], ...more });
  const named = (...names: (string | null)[]) => names.map((name) => ({ name, you: false }));
  expect(turnedText(turned({}))).toBe('What stood there before counts again.');
  expect(turnedText(turned({ own: 2, shared: 28, alsoBy: named('Ms Okafor') }))).toBe('2 removed, 28 stay: also entered by Ms Okafor.');
  expect(turnedText(turned({ own: 0, shared: 1, alsoBy: named('A', 'B', null, 'C') }))).toBe('1 stays: also entered by A, B and 2 more.');
  expect(turnedText(turned({ own: 1, shared: 28, replaced: 1, alsoBy: [{ name: 'Me', you: true }, ...named(null)] }))).toBe(
    '1 removed, 28 stay: also entered by you and somebody who was forgotten, 1 was replaced since.',
  );
  expect(turnedText(turned({ undone: false, own: 2, shared: 28, alsoBy: named('Ms Okafor') }))).toBe(
    '2 are back, 28 stood without it: also entered by Ms Okafor.',
  );
});

test('it sends what stood in the preview, several values included, and nothing for empty cells', () => {
  const shown = preview(['11X1', cell(0, 20, [18], 'replaced'), cell(1, 5, [], 'new'), cell(2, 4, [3, 7], 'contested')]);
  expect(sawOf(shown)).toEqual([
    { admissionNo: 'M0', column: 0, values: [18] },
    { admissionNo: 'M0', column: 2, values: [3, 7] },
  ]);
});

test('only contested cells that were ticked are decided', () => {
  const shown = preview(
    ['11X1', cell(0, 20, [18], 'replaced'), cell(1, 4, [3, 7], 'contested')],
    ['11X1', cell(1, 4, [3, 7], 'contested')],
  );
  expect(decidesOf(shown, new Set(['M0 0', 'M0 1']))).toEqual([{ admissionNo: 'M0', column: 1 }]);
});

test('filters are offered where they show something else than everybody', () => {
  const shown = preview(['11X1', cell(0, 20, [18], 'replaced')], ['11X1', cell(0, 9, [], 'new')], ['11X1', cell(0, 9, [9], 'equal')]);
  expect(filtersOf(shown).map(({ kept, students }) => `${kept} ${students}`)).toEqual(['all 3', 'changes 2', 'replaced 1', 'new 1']);
});

const named = (testId: string, max: number | null = 40) => ({ testId, name: testId.toUpperCase(), max, visible: true, questions: [] });
const tests = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((id) => named(id));
const set = (name: string, testIds: readonly string[]) => ({ setId: name, name, year: 11, students: 30, mayWrite: true, testIds });

test('the only test that has questions is chosen beforehand, or the one that the dialog was opened for', () => {
  expect(firstChoice([set('11X1', ['a', 'z'])], [named('a'), named('z', null)], [])).toEqual({ '11X1': ['a'] });
  expect(firstChoice([set('11X1', ['a', 'b'])], tests, [])).toEqual({ '11X1': [] });
  expect(firstChoice([set('11X1', ['a', 'b'])], tests, ['b'])).toEqual({ '11X1': ['b'] });
});

test('a seventh test has no column', () => {
  expect(added(['a', 'b', 'c', 'd', 'e'], 'f')).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  expect(added(['a', 'b', 'c', 'd', 'e', 'f'], 'g')).toBe('too many');
});

test('every test of the subject can be chosen, those of the class first', () => {
  const { ownTests: own, others } = testsOf(set('11X1', ['c', 'a']), tests);
  expect([own, others].map((some) => some.map(({ testId }) => testId))).toEqual([
    ['c', 'a'],
    ['b', 'd', 'e', 'f', 'g'],
  ]);
  expect(firstChoice([set('11X1', ['a'])], tests, ['b'])).toEqual({ '11X1': ['b'] });
});

test('one choice is taken over for every class as it is: no column becomes another test', () => {
  expect(forAll([set('11X1', ['a', 'b']), set('11X2', ['b'])], ['a', 'b'])).toEqual({ '11X1': ['a', 'b'], '11X2': ['a', 'b'] });
});

test('columns that no test was chosen for are named before they are left out', () => {
  const classes = [set('11X1', ['a', 'b']), set('11X2', ['a', 'b'])];
  expect(leftOut(classes, { '11X1': ['a'], '11X2': ['a'] }, 1)).toBeUndefined();
  expect(leftOut(classes, { '11X1': ['a', 'b'], '11X2': ['a'] }, 2)).toContain('fewer tests are selected for 11X2');
  expect(leftOut(classes, { '11X1': ['a'], '11X2': [] }, 1)).toBe('No test is selected for 11X2: their totals will not be uploaded.');
});

test('a column bears the name of its test, or of all where classes differ', () => {
  const classes = [set('11X1', ['a', 'b']), set('11X2', ['a', 'b'])];
  expect(columnsOf(classes, { '11X1': ['a', 'b'], '11X2': ['a'] }, tests)).toEqual([
    { name: 'Test 1', about: 'A (of 40)' },
    { name: 'Test 2', about: 'B (of 40)' },
  ]);
  expect(columnsOf(classes, { '11X1': ['a'], '11X2': ['b'] }, tests)).toEqual([{ name: 'Test 1', about: 'A, B' }]);
});

test('a whole year group is offered to leaders, and only classes in which one may write', () => {
  const more = { schemeId: null, thresholds: { red: 0, amber: 40, green: 70 } };
  const sets = [
    { ...set('11X10', []), ...more },
    { ...set('11X2', []), ...more },
    { ...set('11Y1', []), mayWrite: false, ...more },
  ];
  const structure = {
    subject: { subjectId: 's', name: 'Mathematics' },
    yearGroups: [{ yearGroupId: 'y', year: 11, sets }],
    schemes: [],
    tests: [],
    exams: [],
    teachers: [],
  };
  expect(groupsOf(structure, true).map(({ name }) => name)).toEqual(['All classes of year 11', '11X2', '11X10']);
  expect(groupsOf(structure, false).map(({ name }) => name)).toEqual(['11X2', '11X10']);
});
