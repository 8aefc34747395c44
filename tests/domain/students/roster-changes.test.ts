import { describe, expect, test } from 'vitest';
import { ChangeStudents, UndoRosterChange } from '../../../api/students/roster-changes.commands.ts';
import { AddStudent } from '../../../api/students/roster.commands.ts';
import type { Happened } from '../../support/decider.ts';
import { deciding, given, id, made } from '../../support/decider.ts';
import { added, corrected, known, moved, offRoll, person, removed, subjectId } from '../../support/roster.ts';

const idTaken = 'Student ID must be unique';

const changeStudents = deciding(ChangeStudents, {}, known);
const undoRosterChange = deciding(UndoRosterChange, { subjectId }, known);

describe('a table of students that is submitted', () => {
  const school = [added('Ann', '1'), added('Ben', '2'), added('Cem', '3')];
  const details = (admissionNo: string, name: string) => ({ admissionNo, name, dateOfBirth: null });
  const submit = (...changes: object[]) => ({ subjectId, changes });

  test('is one command, whatever was done in it', () => {
    changeStudents(
      school,
      submit(
        { studentId: id('Ann'), details: details('1', 'Anne'), place: { setId: id('11B') } },
        { studentId: id('Ben'), place: 'off-roll' },
        { studentId: id('Cem'), place: 'removed' },
      ),
    ).then([corrected('Ann', '1', 'Anne'), moved('Ann', '11B'), offRoll('Ben'), removed('Cem')]);
  });

  test('is refused as a whole, naming each field', () => {
    const refusal = changeStudents(
      school,
      submit(
        { studentId: id('Ann'), details: details('9', 'Ann') },
        { studentId: id('Ben'), details: details('3', 'Ben') },
        { studentId: id('Cem'), place: { setId: id('11S') } },
      ),
    ).refusal();
    expect(refusal.errors).toEqual([
      { path: 'changes.1.admissionNo', message: 'Student ID must be Unique' },
      { path: 'changes.2.setId', message: 'There is no such set.' },
    ]);
    changeStudents(
      school,
      submit({ studentId: id('Ann'), details: details('x', 'A') }, { studentId: id('Ben'), details: details('X', 'B') }),
    ).refused('Student ID must be Unique', 'changes.1.admissionNo');
  });

  test('does not write over what somebody else changed meanwhile', () => {
    const change = { studentId: id('Ann'), details: details('1', 'Anna'), was: details('1', 'Ann') };
    changeStudents(school, submit(change)).events();
    changeStudents([...school, corrected('Ann', '1', 'Annabel')], submit(change)).refused(
      'Somebody else changed this student meanwhile.',
      'changes.0.was',
    );
  });

  test('may exchange the StudentIDs of two', () => {
    const exchanged = [corrected('Ann', '2', 'Ann'), corrected('Ben', '1', 'Ben')] as const;
    changeStudents(
      school,
      submit({ studentId: id('Ann'), details: details('2', 'Ann') }, { studentId: id('Ben'), details: details('1', 'Ben') }),
    ).then(exchanged);
    // Each of the two is taken afterwards.
    for (const admissionNo of ['1', '2']) {
      given([...school, ...exchanged])
        .when(AddStudent, { subjectId, setId: id('11A'), admissionNo, name: 'New', dateOfBirth: null }, known)
        .refused(idTaken);
    }
  });

  test('brings new students, and those whom the school knows, each under a StudentID of their own', () => {
    const one = (admissionNo: string, name: string) => ({ setId: id('11A'), ...details(admissionNo, name) });
    const submitted = (added: object[], ...changes: object[]) =>
      changeStudents([...school, removed('Cem')], { ...submit(...changes), added });
    const fresh = (index: number, admissionNo: string, name: string) => ({
      type: 'StudentAdded' as const,
      data: { studentId: made(`student ${index}`), subjectId, setId: id('11A'), person: person(admissionNo, name) },
    });
    const back = { type: 'StudentEnrolled', data: { studentId: id('Cem'), subjectId, setId: id('11A') } } as const;
    submitted([one('4', 'Dee'), one('3', 'Cem'), one('5', 'Eve')]).then([fresh(0, '4', 'Dee'), back, fresh(2, '5', 'Eve')]);
    // Another's StudentID is free once it is given up in the same table.
    submitted([one('1', 'Dee')], { studentId: id('Ann'), details: details('6', 'Ann') }).then([
      corrected('Ann', '6', 'Ann'),
      fresh(0, '1', 'Dee'),
    ]);
    for (const twice of [
      [one('x4', 'Dee'), one('X4 ', 'Eve')],
      [one('3', 'Cem'), one('3', 'Cem')],
    ])
      submitted(twice).refused(idTaken, 'added.1.admissionNo');
    submitted([one('2', 'Ben')]).refused(idTaken, 'added.0.admissionNo');
    submitted([one('6', 'Dee')], { studentId: id('Ann'), details: details('6', 'Ann') }).refused(idTaken, 'added.0.admissionNo');
    submitted([one('3', 'Cem')], { studentId: id('Cem'), place: { setId: id('11B') } }).refused(idTaken, 'added.0.admissionNo');
    submitted([{ ...one('4', 'Dee'), setId: id('11S') }]).refused('There is no such set.', 'added.0.setId');
  });

  test('is one event for a whole year', () => {
    const added = Array.from({ length: 500 }, (_, index) => ({ setId: id('11A'), ...details(`Y${index}`, 'New') }));
    const left = [
      { studentId: id('Ann'), details: details('9', 'Anne'), place: { setId: id('11B') } },
      { studentId: id('Ben'), place: 'off-roll' },
    ];
    const back = { setId: id('11B'), ...details('3', 'Cem') };
    const [event, ...others] = changeStudents([...school, removed('Cem')], { ...submit(...left), added: [...added, back] }).events();
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      type: 'StudentsImported',
      data: {
        added: added.map(({ setId }, index) => ({ studentId: made(`student ${index}`), setId, person: { admissionNo: `Y${index}` } })),
        enrolled: [{ studentId: id('Cem'), setId: id('11B') }],
        moved: [{ studentId: id('Ann'), setId: id('11B') }],
        corrected: [{ studentId: id('Ann'), person: { name: 'Anne' } }],
        offRolled: [id('Ben')],
        removed: [],
      },
    });
  });

  test.each([
    ['a date that is none', { admissionNo: '1', name: 'Ann', dateOfBirth: '2009-02-31' }, 'Invalid ISO date'],
    [
      'a StudentID of 21 letters',
      { admissionNo: 'x'.repeat(21), name: 'Ann', dateOfBirth: null },
      'Too big: expected string to have <=20 characters',
    ],
    ['no name', { admissionNo: '1', name: ' ', dateOfBirth: null }, 'Required'],
  ])('with %s is not understood', (_, wrong, message) => {
    changeStudents(school, submit({ studentId: id('Ann'), details: wrong })).invalid(message);
  });
});

describe('a change of students that is undone', () => {
  const import_ = (data: object): Happened => ({
    type: 'StudentsImported',
    data: { subjectId, added: [], enrolled: [], moved: [], corrected: [], offRolled: [], removed: [], about: { fileName: '' }, ...data },
    commandId: id('import'),
  });
  const before = [added('Ann', '1'), added('Ben', '2'), added('Cem', '3'), offRoll('Cem'), added('Dee', '4')];
  const nextYear = import_({
    added: [{ studentId: id('Eve'), setId: id('11B'), person: person('5', 'Eve') }],
    moved: [
      { studentId: id('Ann'), setId: id('11B') },
      { studentId: id('Cem'), setId: id('11B') },
    ],
    corrected: [{ studentId: id('Ann'), person: person('1', 'Anne') }],
    offRolled: [id('Ben')],
    removed: [id('Dee')],
  });
  const undo = { subjectId, commandId: id('import') };
  const nothing = {
    subjectId,
    commandId: id('import'),
    placed: [],
    offRolled: [],
    removed: [],
    corrected: [],
    changedSince: [],
    kept: { places: [], numbers: [] },
  };
  const back = {
    ...nothing,
    placed: ['Ann', 'Ben', 'Dee'].map((name) => ({ studentId: id(name), setId: id('11A') })),
    offRolled: [id('Cem')],
    removed: [id('Eve')],
    corrected: [{ studentId: id('Ann'), person: person('1', 'Ann') }],
  };
  const undone = (happened: readonly Happened[], sets = known) => {
    const [event] = undoRosterChange(happened, undo, sets).events();
    if (event?.type !== 'RosterCommandUndone') throw new Error(`not undone: ${event?.type}`);
    return event.data;
  };
  const sorted = (data: ReturnType<typeof undone>) => ({
    ...data,
    placed: data.placed.toSorted((one, other) => one.studentId.localeCompare(other.studentId)),
  });

  test('leaves everybody where and as they were', () => {
    expect(sorted(undone([...before, nextYear]))).toEqual(sorted(back));
  });

  test('does not touch what was changed since', () => {
    const since: Happened[] = [moved('Ann', '11C'), corrected('Ann', '1', 'Annabel'), removed('Eve')];
    expect(sorted(undone([...before, nextYear, ...since]))).toEqual(
      sorted({ ...back, placed: back.placed.slice(1), removed: [], corrected: [], changedSince: [id('Ann'), id('Eve')] }),
    );
  });

  test('leaves out whose set is gone', () => {
    expect(undone([...before, nextYear], { ...known, sets: known.sets.slice(1) })).toMatchObject({
      placed: [],
      offRolled: [id('Cem')],
      kept: { places: [id('Ann'), id('Ben'), id('Dee')] },
    });
  });

  test('gives two their own StudentIDs back that they had exchanged, but none that somebody else has by now', () => {
    const renamed = (name: string, admissionNo: string, commandId = id('import')): Happened => ({
      type: 'StudentCorrected',
      data: { studentId: id(name), person: person(admissionNo, `${name} Renamed`) },
      commandId,
    });
    const exchanged = [renamed('Ben', '1'), renamed('Ann', '2'), renamed('Cem', '4')];
    const school = [added('Ann', '1'), added('Ben', '2'), added('Cem', '3')];
    expect(undone([...school, ...exchanged, added('Dee', '3')])).toMatchObject({
      corrected: [
        { studentId: id('Ben'), person: person('2', 'Ben') },
        { studentId: id('Ann'), person: person('1', 'Ann') },
        { studentId: id('Cem'), person: person('4', 'Cem') },
      ],
      kept: { numbers: [id('Cem')] },
    });
    expect(undone([...school, ...exchanged, renamed('Ben', '5', id('later')), added('Dee', '1')])).toMatchObject({
      corrected: [
        { studentId: id('Ben'), person: person('5', 'Ben') },
        { studentId: id('Ann'), person: person('2', 'Ann') },
        { studentId: id('Cem'), person: person('3', 'Cem') },
      ],
      changedSince: [id('Ben')],
      kept: { numbers: [id('Ann')] },
    });
  });

  test('happens once, and can be undone in its turn', () => {
    const undoing: Happened = { type: 'RosterCommandUndone', data: back, commandId: id('undo') };
    undoRosterChange([...before, nextYear, undoing], undo).nothing();
    const redone = undoRosterChange([...before, nextYear, undoing], { commandId: id('undo') }).events();
    expect(redone).toMatchObject([
      { data: { offRolled: [id('Ben')], removed: [id('Dee')], corrected: [{ studentId: id('Ann'), person: person('1', 'Anne') }] } },
    ]);
  });

  describe('before a later change of the same', () => {
    const renamed = (name: string, commandId: string): Happened => ({ ...corrected('Ann', '1', name), commandId: id(commandId) });
    const twice = [added('Ann', '1'), renamed('Ann One', 'first'), renamed('Ann Two', 'second')];
    const undoing = (commandId: string) => ({ subjectId, commandId: id(commandId) });

    test('changes nothing that is seen, and does not come back with that', () => {
      const first = undoRosterChange(twice, undoing('first')).events();
      expect(first).toEqual([{ type: 'RosterCommandUndone', data: { ...nothing, commandId: id('first'), changedSince: [id('Ann')] } }]);
      const [second] = undoRosterChange([...twice, ...first], undoing('second')).events();
      expect(second?.data).toMatchObject({ corrected: [{ studentId: id('Ann'), person: person('1', 'Ann') }] });
    });

    test('takes back the name only, if it was the date of birth that was changed since', () => {
      const born = corrected('Ann', '1', 'Ann Two', '2009-01-31');
      const [event] = undoRosterChange([...twice, born], undoing('second')).events();
      expect(event?.data).toMatchObject({
        corrected: [{ studentId: id('Ann'), person: person('1', 'Ann One', '2009-01-31') }],
        changedSince: [],
      });
    });
  });

  test('says what is in the way, if nothing of it can be undone', () => {
    const other: Happened = { ...corrected('Ann', '2', 'Ann'), commandId: id('import') };
    undoRosterChange([added('Ann', '1'), other, added('Ben', '1')], undo).refused(
      'Nothing was undone. Ben has the StudentID 1 now, so Ann cannot have it.',
    );
    const elsewhere: Happened = { ...moved('Ann', '11B'), commandId: id('import') };
    undoRosterChange([added('Ann', '1'), elsewhere], undo, { ...known, sets: known.sets.slice(1) }).refused(
      'Nothing was undone. The set that Ann would be in is gone: restore it first.',
    );
  });

  test('may be years ago, with thousands of single changes since', () => {
    const move = (n: number): Happened => ({
      type: 'StudentMoved',
      data: { studentId: id('Fay'), subjectId, setId: id(n % 2 === 0 ? '11A' : '11B') },
      commandId: id(`move ${n}`),
    });
    const since = [...before, added('Fay', '6'), nextYear, ...Array.from({ length: 30_000 }, (_, n) => move(n))];
    expect(sorted(undone(since))).toEqual(sorted(back));
  });

  test('does not bring back who was forgotten', () => {
    expect(undone([...before, nextYear, { type: 'StudentForgotten', data: { studentId: id('Ann') } }]).corrected).toEqual([]);
  });

  test('must be one that is known', () => {
    undoRosterChange(before, undo).refused('There is no such change.');
  });
});
