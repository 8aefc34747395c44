import { describe, expect, test } from 'vitest';
import { Refused } from '../../../api/common/command.ts';
import { importPlan, ImportStudents } from '../../../api/students/import.commands.ts';
import { UndoRosterChange } from '../../../api/students/roster-changes.commands.ts';
import { importStudents } from '../../../api/students/students.contract.ts';
import { OFF_ROLL } from '../../../events/students/roster.ts';
import type { Happened } from '../../support/decider.ts';
import { given, id, stateOf, tagOf } from '../../support/decider.ts';
import { corrected, known, person, subjectId } from '../../support/roster.ts';

const there = [
  ['00101', 'Adler, Stéphane', '2009-09-01'],
  ['00103', "O'Connor, Aoife", '2010-03-03'],
  ['00105', 'Lin, Ethan', '2010-05-05'],
  ['00106', 'Lin, Ethan', '2010-06-06'],
  ['1234567890123456', 'Vale, Tom', '2009-09-09'],
  ['1E5', 'Warner, Ida', '2009-10-10'],
  ['3-4', 'Young, Kit', '2009-11-11'],
  ['00112', 'Zane, Mo', null],
] as const;
const school: readonly Happened[] = there.map(([admissionNo, name, dateOfBirth]) => ({
  type: 'StudentAdded',
  data: { studentId: id(admissionNo), subjectId, setId: id('11A'), person: person(admissionNo, name, dateOfBirth) },
}));

type Row = readonly [admissionNo: string, name: string, dateOfBirth: string | null, decisions?: object];
const fileOf = (rows: readonly Row[]) => ({
  subjectId,
  fileName: 'students.csv',
  others: 'off-roll',
  rows: rows.map(([admissionNo, name, dateOfBirth, decisions]) => ({
    admissionNo,
    name,
    dateOfBirth,
    set: '11A',
    details: 'stored',
    ...decisions,
  })),
});
const planOf = (rows: readonly Row[], happened = school) => {
  const plan = importPlan(importStudents.parse(fileOf(rows)), stateOf(happened), known, { newId: (label) => label, tag: tagOf });
  if (plan instanceof Refused) throw new Error(plan.title);
  return plan;
};
const by = (commandId: string, events: readonly object[]) => events.map((event) => ({ ...event, commandId: id(commandId) }) as Happened);
const after = (rows: readonly Row[]): readonly Happened[] => [
  ...school,
  ...by('import', given(school).when(ImportStudents, fileOf(rows), known).events()),
];
const undone = (happened: readonly Happened[]): readonly Happened[] => [
  ...happened,
  ...by(
    'undo',
    given(happened)
      .when(UndoRosterChange, { subjectId, commandId: id('import') }, known)
      .events(),
  ),
];
/** On roll: StudentID and name. */
const onRoll = (happened: readonly Happened[]): readonly string[] =>
  [...stateOf(happened).students.values()]
    .filter(({ enrolments }) => ![undefined, OFF_ROLL].includes(enrolments.get(subjectId)))
    .map((student) => `${student.person?.admissionNo} ${student.person?.name}`)
    .toSorted();
const refused = (rows: readonly Row[], path: string) => given(school).when(ImportStudents, fileOf(rows), known).refused('', path);

describe('a row whose StudentID is nobody’s', () => {
  test.each<readonly [...row: [string, string, string | null], candidates: readonly string[], is: string | undefined]>([
    // As spreadsheets write it.
    ["'00101", 'Adler, Stéphane', '2009-09-01', ['00101'], '00101'],
    ['="00101"', 'Adler, Stéphane', null, ['00101'], '00101'],
    ['101.0', 'Adler, Stéphane', null, ['00101'], '00101'],
    ['101', 'Adler, Stéphane', null, ['00101'], '00101'],
    ['OO101', 'Adler, Stéphane', null, ['00101'], '00101'],
    ['03-Apr', 'Young, Kit', '2009-11-11', ['3-4'], '3-4'],
    ['04-Mar', 'Young, Kit', null, ['3-4'], '3-4'],
    ['03/04/2026', 'Young, Kit', null, ['3-4'], '3-4'],
    ['1.00E+05', 'Warner, Ida', null, ['1E5'], '1E5'],
    ['1.23457E+15', 'Vale, Tom', '2009-09-09', ['1234567890123456'], '1234567890123456'],
    // By name and date of birth.
    ['X1', 'STEPHANE ADLER', '2009-09-01', ['00101'], '00101'],
    ['X1', 'O’Connor, Aoife', '2010-03-03', ['00103'], '00103'],
    ['X1', 'Lin, Ethan', '2010-06-06', ['00106'], '00106'],
    ['X1', 'Adler, Stéphane', '2010-09-01', [], undefined],
    // A date is not known.
    ['X1', 'Adler, Stéphane', null, ['00101'], undefined],
    ['X1', 'Zane, Mo', '2010-01-01', ['00112'], undefined],
    ['112', 'Zane, Mo', '2010-01-01', ['00112'], '00112'],
    // Several, and what says which.
    ['X1', 'Lin, Ethan', null, ['00105', '00106'], undefined],
    ['106.0', 'Lin, Ethan', null, ['00106', '00105'], '00106'],
    ['106.0', 'Lin, Ethan', '2010-05-05', ['00105', '00106'], undefined],
    // Only the StudentID may be theirs.
    ['101.0', 'Somebody, Else', '2009-09-01', ['00101'], undefined],
    ['X1', 'Somebody, Else', '2009-09-01', [], undefined],
  ])('%s, %s, %s may be %j, and is %s', (...[admissionNo, name, dateOfBirth, candidates, is]) => {
    const row = [admissionNo, name, dateOfBirth] as const;
    const [planned] = planOf([row]).rows;
    expect(planned?.candidates.map(({ student }) => student.admissionNo)).toEqual(candidates);
    const imported = after([row]);
    // Everybody else of the subject goes to Off-Roll.
    expect(onRoll(imported)).toEqual([is === undefined ? `${admissionNo} ${name}` : `${is} ${there.find(([one]) => one === is)?.[1]}`]);
    expect(onRoll(undone(imported))).toEqual(onRoll(school));
  });

  const adler = ['X1', 'Adler, Stéphane', '2009-09-01'] as const;

  test('is nobody’s second row: by default neither of two, else the one whose author says so', () => {
    const again = ['X2', 'Adler, Stéphane', '2009-09-01'] as const;
    expect(onRoll(after([adler, again]))).toEqual(['X1 Adler, Stéphane', 'X2 Adler, Stéphane']);
    expect(onRoll(after([adler, [...again, { is: { studentId: id('00101') } }]]))).toEqual(['00101 Adler, Stéphane', 'X1 Adler, Stéphane']);
    expect(planOf([adler, ['00101', 'Adler, Stéphane', '2009-09-01']]).rows[0]?.candidates).toEqual([]);
  });

  test('is who its author says, under the StudentID that its author chooses; undo brings the stored one back', () => {
    expect(onRoll(after([[...adler, { is: 'new' }]]))).toEqual(['X1 Adler, Stéphane']);
    const renumbered = after([[...adler, { is: { studentId: id('00101') }, number: 'file' }]]);
    expect(onRoll(renumbered)).toEqual(['X1 Adler, Stéphane']);
    expect(stateOf(renumbered).students.size).toBe(there.length);
    expect(onRoll(undone(renumbered))).toEqual(onRoll(school));
    // Their name stays theirs, unless the file's is chosen for it.
    const kit = ['X1', 'Young, Christopher', null, { is: { studentId: id('3-4') }, number: 'file' }] as const;
    expect(onRoll(after([kit]))).toEqual(['X1 Young, Kit']);
    expect(onRoll(after([['X1', 'Young, Christopher', null, { ...kit[3], details: 'file' }]]))).toEqual(['X1 Young, Christopher']);
  });

  test('is nobody of another subject, nobody with a row, and nobody twice', () => {
    const is = (admissionNo: string) => ({ is: { studentId: id(admissionNo) } });
    refused([[...adler, is('somebody elsewhere')]], 'rows.0.is');
    refused([['00103', 'Adler, Stéphane', null, is('00101')]], 'rows.0.is');
    refused(
      [
        [...adler, is('00103')],
        ['00103', "O'Connor, Aoife", null],
      ],
      'rows.0.is',
    );
    refused(
      [
        [...adler, is('00101')],
        ['X2', 'Adler, Stéphane', null, is('00101')],
      ],
      'rows.1.is',
    );
  });

  test('is looked at again where the student has other details since', () => {
    const { seen } = planOf([adler]);
    expect(planOf([adler]).seen).toBe(seen);
    const since = [
      corrected('00101', '00100', 'Adler, Stéphane', '2009-09-01'),
      corrected('00101', '00101', 'Adler, Stephane', '2009-09-01'),
    ];
    for (const change of since) expect(planOf([adler], [...school, change]).seen).not.toBe(seen);
  });
});

test('a name with another apostrophe is the same student under the stored StudentID, and asked about', () => {
  const row = ['00103', 'O’Connor, Aoife', '2010-03-03', { details: undefined }] as const;
  expect(planOf([row]).rows).toMatchObject([{ studentId: id('00103'), candidates: [], details: 'asked' }]);
  refused([row], 'rows.0');
});
