import { expect, test } from 'vitest';
import { wrongMarks } from '../../admin-ui/assessments/paper.ts';
import { nameTrouble, yearTrouble } from '../../admin-ui/school/sets/set.ts';
import { changedBy, importInput, summaryOf, undecided } from '../../admin-ui/students/import/import-input.ts';
import { groupsOf, setsToMake } from '../../admin-ui/students/import/sets-to-make.ts';
import { wrongName } from '../../api/contract/rules.ts';
import type { Student } from '../../admin-ui/students/student.ts';
import { typedOf, wrongIn } from '../../admin-ui/students/student.ts';
import type { ImportPreview } from '../../api/students/students.contract.ts';

/** What the forms of the administration say before the server is asked. */

test.each([
  ['11', undefined],
  ['1', undefined],
  ['', 'The value must be an integer number'],
  ['x', 'The value must be an integer number'],
  ['7.5', 'The value must be an integer number'],
  ['0', 'The value must be greater than zero'],
  ['-1', 'The value must be greater than zero'],
  ['99', 'Year 99 is kept for Off-Roll'],
  ['2031', undefined],
  ['10000', 'The value must be less than 10000'],
  ['12', 'This year group exists already'],
])('a year group called %j', (text, said) => {
  expect(yearTrouble(text, [12])).toBe(said);
});

test.each([
  ['11C', undefined],
  [' ', 'Required.'],
  ['11b', 'Set name needs to be unique'],
  [' 11A ', 'Set name needs to be unique'],
])('a set called %j beside 11A and 11B', (name, said) => {
  expect(nameTrouble(name, ['11A', '11B'])).toBe(said);
});

test.each([
  ['Algebra', '2', [undefined, undefined]],
  [' ', '2', ['Required.', undefined]],
  ['Algebra', '', [undefined, 'The value must be an integer number']],
  ['Algebra', '1.5', [undefined, 'The value must be an integer number']],
  ['Algebra', '0', [undefined, 'The value must be greater than zero']],
])('a question on %j for %j marks', (topic, marks, said) => {
  expect([wrongName(topic), wrongMarks(marks)]).toEqual(said);
});

test('a row of the table of students needs ID, name and date of birth; a date that was never known may stay so', () => {
  const student = {
    id: 's',
    subjectId: 'm',
    studentId: 's',
    admissionNo: 'A1',
    name: 'Ann',
    dateOfBirth: '2010-03-05',
    setId: null,
  } as Student;
  const wrong = (fields: object, of: Student = student, removed = false) =>
    wrongIn({ saw: of, value: { ...typedOf(of), ...fields, removed } });
  expect(wrong({})).toEqual({});
  expect(wrong({ admissionNo: ' ', name: '', dateOfBirth: '' })).toEqual({
    admissionNo: 'Required',
    name: 'Required',
    dateOfBirth: 'Required',
  });
  for (const dateOfBirth of ['31/02/2010', '2010-03-05', '05/03/0999', '01/01/3001']) {
    expect(wrong({ dateOfBirth })).toEqual({ dateOfBirth: 'There is no such date: DD/MM/YYYY' });
  }
  expect(wrong({ name: 'Anne' }, { ...student, dateOfBirth: null })).toEqual({});
  expect(wrong({ admissionNo: '' }, student, true)).toEqual({});
});

test('an import says how many it stored, and what became of those who are not in the file', () => {
  const others = (['kept', 'kept', 'off-roll', 'removed'] as const).map((becomes) => ({ becomes }));
  const preview = {
    rows: Array.from({ length: 5 }, () => ({ change: 'same' })),
    counts: { added: 1, enrolled: 1, moved: 2, corrected: 1 },
    others,
  } as unknown as ImportPreview;
  expect(summaryOf(preview)).toBe(
    '5 student(s) on import file successfully uploaded: 2 new, 2 moved, 1 with another name or date of birth. Existing students who are not ' +
      'in the file: 2 kept in their current groups, 1 moved off-roll, 1 permanently removed.',
  );
  const offRoll = { ...preview, rows: [...preview.rows, { change: 'off-roll' }, { change: 'left-out' }] } as unknown as ImportPreview;
  expect(summaryOf(offRoll)).toContain('6 student(s) on import file successfully uploaded: 2 new, 2 moved, 1 taken off roll, ');
  expect(summaryOf(offRoll)).toContain('1 left out: off roll, and not in this subject.');
});

test('an import says of how many anything has changed: each student counts once', () => {
  const [other, kept] = [{ stored: { counts: 'file' } }, { stored: { counts: 'stored' } }];
  const rows = ['added', 'enrolled', 'moved', 'off-roll', 'left-out', 'same'].map((change) => ({ change, stored: null }));
  const of = (...all: readonly object[]) => changedBy({ rows: all } as unknown as ImportPreview);
  expect(of(...rows, { change: 'moved', ...other }, { change: 'same', ...other }, { change: 'same', ...kept })).toBe(
    '2 new, 4 changed, 2 as they were',
  );
  expect(of({ change: 'moved', stored: null })).toBe('1 changed');
});

test('the year group and the scheme of a new set are guessed from its name, and corrected one by one', () => {
  const schemes = [
    { schemeId: 'any', name: 'GCSE' },
    { schemeId: 'twelve', name: 'Year 12 Pure' },
  ];
  const corrected = { 'Year 10 Set 1': { year: '9' } };
  const sets = setsToMake(['11X1', '12A', 'Year 10 Set 1', 'Y12 B', 'Juniors', '99Z', '112'], schemes, corrected);
  expect(sets.map(({ name, year, schemeId }) => `${name}: ${year} ${schemeId}`)).toEqual([
    '11X1: 11 any',
    '12A: 12 twelve',
    'Year 10 Set 1: 9 any',
    'Y12 B: 12 twelve',
    'Juniors:  any',
    '99Z:  any',
    '112:  any',
  ]);
  expect(groupsOf(sets.slice(0, 4))).toEqual([
    { year: 11, schemeId: 'any', names: ['11X1'] },
    { year: 12, schemeId: 'twelve', names: ['12A', 'Y12 B'] },
    { year: 9, schemeId: 'any', names: ['Year 10 Set 1'] },
  ]);
});

test.each(['constructor', '__proto__', 'toString'])('a file with a set and a StudentID called %s is as any other', (name) => {
  const rows = [{ line: 2, admissionNo: name, name: 'Ann', set: name, dateOfBirth: null }];
  expect(importInput('subject', 'a.csv', rows, undecided).rows).toEqual([{ admissionNo: name, name: 'Ann', set: name, dateOfBirth: null }]);
  const decided = { ...undecided, matched: { [name]: 'id of 11A' }, details: { [name]: 'file' as const } };
  expect(importInput('subject', 'a.csv', rows, decided)).toMatchObject({
    rows: [{ set: name, details: 'file' }],
    sets: [{ name, setId: 'id of 11A' }],
  });
});
