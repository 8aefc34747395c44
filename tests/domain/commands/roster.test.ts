import { describe, expect, test } from 'vitest';
import { AddStudent, CorrectStudent, ImportStudents, MoveStudent, RemoveStudent, TakeOffRoll } from '../../../api/commands/roster.ts';
import type { Happened } from '../../support/decider.ts';
import { given, id, made, tagOf } from '../../support/decider.ts';

const subjectId = id('maths');
const known = {
  sets: [
    { setId: id('11A'), name: '11A' },
    { setId: id('11B'), name: '11B' },
  ],
};
const person = (admissionNo: string, name: string, dateOfBirth: string | null = null) => ({
  admissionNo,
  name,
  dateOfBirth,
  tag: tagOf('admission-number', admissionNo),
});
const added = (name: string, admissionNo: string, set = '11A'): Happened => ({
  type: 'StudentAdded',
  data: { studentId: id(name), subjectId, setId: id(set), person: person(admissionNo, name) },
});
const removed = (name: string): Happened => ({ type: 'StudentRemoved', data: { studentId: id(name), subjectId } });
const offRoll = (name: string): Happened => ({ type: 'StudentTakenOffRoll', data: { studentId: id(name), subjectId } });
const idTaken = 'Student ID must be unique';

describe('a student who is added', () => {
  const add = { subjectId, setId: id('11A'), admissionNo: '00123', name: 'Ann', dateOfBirth: '2009-05-01' };

  test('gets a set of the subject, and keeps a StudentID of zeros', () => {
    given([])
      .when(AddStudent, add, known)
      .then([
        {
          type: 'StudentAdded',
          data: { studentId: made('student'), subjectId, setId: id('11A'), person: person('00123', 'Ann', '2009-05-01') },
        },
      ]);
    given([])
      .when(AddStudent, { ...add, setId: id('11S') }, known)
      .refused('There is no such set.', 'setId');
    given([])
      .when(AddStudent, { ...add, dateOfBirth: '2009-02-31' }, known)
      .invalid('Invalid ISO date');
  });

  test("has a StudentID that is nobody else's, whatever the case of its letters", () => {
    given([added('Ben', 'X12')])
      .when(AddStudent, { ...add, admissionNo: ' x12' }, known)
      .refused(idTaken, 'admissionNo');
    given([added('Ben', '123')])
      .when(AddStudent, add, known)
      .events();
    given([added('Ben', 'X12'), { type: 'StudentCorrected', data: { studentId: id('Ben'), person: person('Y12', 'Ben') } }])
      .when(AddStudent, { ...add, admissionNo: 'X12' }, known)
      .events();
  });
});

describe('a student who is corrected', () => {
  const correct = { studentId: id('Ann'), admissionNo: '1', name: 'Anne', dateOfBirth: null };

  test('keeps a StudentID of his own', () => {
    given([added('Ann', '1')])
      .when(CorrectStudent, correct)
      .then([{ type: 'StudentCorrected', data: { studentId: id('Ann'), person: person('1', 'Anne') } }]);
    given([added('Ann', '1'), added('Ben', 'x2')])
      .when(CorrectStudent, { ...correct, admissionNo: 'X2' })
      .refused('Student ID must be Unique', 'admissionNo');
    given([]).when(CorrectStudent, correct).refused('There is no such student.');
  });

  test('only where something is different', () => {
    given([added('Ann', 'a1')])
      .when(CorrectStudent, { ...correct, admissionNo: 'a1', name: 'Ann' })
      .nothing();
    given([added('Ann', 'a1')])
      .when(CorrectStudent, { ...correct, admissionNo: 'A1', name: 'Ann' })
      .events();
    given([added('Ann', 'a1')])
      .when(CorrectStudent, { ...correct, admissionNo: 'a1', name: 'Ann', dateOfBirth: '2009-05-01' })
      .events();
  });
});

describe('the place of a student in a subject', () => {
  const move = { subjectId, studentId: id('Ann'), setId: id('11B') };
  const ann = [added('Ann', '1')];

  test('is a set of it', () => {
    given(ann)
      .when(MoveStudent, move, known)
      .then([{ type: 'StudentMoved', data: { studentId: id('Ann'), subjectId, setId: id('11B') } }]);
    given(ann)
      .when(MoveStudent, { ...move, setId: id('11A') }, known)
      .nothing();
    given(ann)
      .when(MoveStudent, { ...move, setId: id('11S') }, known)
      .refused('There is no such set.', 'setId');
    given([]).when(MoveStudent, move, known).refused('There is no such student.');
  });

  test('is new where the student was not in the subject', () => {
    given(ann)
      .when(MoveStudent, { ...move, subjectId: id('science') }, known)
      .then([{ type: 'StudentEnrolled', data: { studentId: id('Ann'), subjectId: id('science'), setId: id('11B') } }]);
    given([...ann, removed('Ann')])
      .when(MoveStudent, move, known)
      .then([{ type: 'StudentEnrolled', data: { studentId: id('Ann'), subjectId, setId: id('11B') } }]);
    given([...ann, offRoll('Ann')])
      .when(MoveStudent, { ...move, setId: id('11A') }, known)
      .then([{ type: 'StudentMoved', data: { studentId: id('Ann'), subjectId, setId: id('11A') } }]);
  });

  test('can be Off-Roll', () => {
    given(ann)
      .when(TakeOffRoll, { subjectId, studentId: id('Ann') })
      .then([offRoll('Ann')]);
    given([...ann, offRoll('Ann')])
      .when(TakeOffRoll, { subjectId, studentId: id('Ann') })
      .nothing();
    given([...ann, removed('Ann')])
      .when(TakeOffRoll, { subjectId, studentId: id('Ann') })
      .refused('There is no such student in this subject.');
    given(ann)
      .when(TakeOffRoll, { subjectId: id('science'), studentId: id('Ann') })
      .refused('There is no such student in this subject.');
  });

  test('can end', () => {
    given(ann)
      .when(RemoveStudent, { subjectId, studentId: id('Ann') })
      .then([removed('Ann')]);
    given([...ann, removed('Ann')])
      .when(RemoveStudent, { subjectId, studentId: id('Ann') })
      .nothing();
  });
});

describe('an import', () => {
  const file = (rows: readonly (readonly [admissionNo: string, name: string, set: string, dateOfBirth?: string])[], more: object = {}) => ({
    subjectId,
    fileName: 'students.csv',
    rows: rows.map(([admissionNo, name, set, dateOfBirth = null]) => ({ admissionNo, name, set, dateOfBirth })),
    ...more,
  });
  const imported = (happened: readonly Happened[], input: object) => {
    const [event, ...more] = given(happened).when(ImportStudents, input, known).events();
    expect(more).toEqual([]);
    if (event?.type !== 'StudentsImported') throw new Error(`not an import: ${event?.type}`);
    return event.data;
  };
  const none = {
    subjectId,
    added: [],
    enrolled: [],
    moved: [],
    corrected: [],
    offRolled: [],
    removed: [],
    about: { fileName: 'students.csv' },
  };
  const newStudent = (admissionNo: string) => made(`student ${tagOf('admission-number', admissionNo)}`);
  const school = [added('Ann', '1'), added('Ben', '2', '11B'), added('Cem', '3')];

  test('holds changes only: new students, those back in the subject, and those in another set', () => {
    expect(
      imported(
        [...school, removed('Ann')],
        file([
          ['1', 'Ann', '11B'],
          ['2', 'Ben', '11B'],
          ['3', 'Cem', '11B'],
          ['4', 'Dee', '11A'],
        ]),
      ),
    ).toEqual({
      ...none,
      added: [{ studentId: newStudent('4'), setId: id('11A'), person: person('4', 'Dee') }],
      enrolled: [{ studentId: id('Ann'), setId: id('11B') }],
      moved: [{ studentId: id('Cem'), setId: id('11B') }],
    });
  });

  test('of what is there already changes nothing', () => {
    given(school)
      .when(
        ImportStudents,
        file([
          ['1', 'Ann', '11A'],
          ['2', 'Ben', '11B'],
        ]),
        known,
      )
      .nothing();
    given(school)
      .when(
        ImportStudents,
        file(
          [
            ['1', 'Ann', '11A'],
            ['2', 'Ben', '11B'],
            ['3', 'Cem', '11A'],
          ],
          { others: 'remove' },
        ),
        known,
      )
      .nothing();
  });

  test('does with the others of the subject as it is told', () => {
    const others = [
      ...school,
      added('Eve', '5'),
      { type: 'StudentEnrolled', data: { studentId: id('Eve'), subjectId: id('science'), setId: id('11S') } } as const,
    ];
    expect(imported(others, file([['9', 'New', '11A']]))).toMatchObject({ offRolled: [], removed: [] });
    expect(imported([...others, offRoll('Ben'), removed('Eve')], file([['1', 'Ann', '11A']], { others: 'off-roll' }))).toEqual({
      ...none,
      offRolled: [id('Cem')],
    });
    expect(imported([...others, offRoll('Ben'), removed('Eve')], file([['1', 'Ann', '11A']], { others: 'remove' }))).toEqual({
      ...none,
      removed: [id('Ben'), id('Cem')],
    });
  });

  test('brings back who is off-roll', () => {
    expect(imported([...school, offRoll('Ann')], file([['1', 'Ann', '11A']]))).toEqual({
      ...none,
      moved: [{ studentId: id('Ann'), setId: id('11A') }],
    });
  });

  test('asks before it changes a name or a date of birth', () => {
    const changed = file([
      ['1', 'Anne', '11A'],
      ['2', 'Ben', '11B', '2009-05-01'],
      ['3', 'Cem', '11A'],
    ]);
    const refusal = given(school).when(ImportStudents, changed, known).refusal();
    expect(refusal).toMatchObject({
      code: 'conflict',
      title: '2 student(s) are known with another name or date of birth. Confirm that the file is right.',
    });
    expect(refusal.errors.map(({ path }) => path)).toEqual(['rows.0', 'rows.1']);
    expect(imported(school, { ...changed, correct: true })).toEqual({
      ...none,
      corrected: [
        { studentId: id('Ann'), person: person('1', 'Anne') },
        { studentId: id('Ben'), person: person('2', 'Ben', '2009-05-01') },
      ],
    });
  });

  test('with a StudentID twice is refused as a whole, whatever the case of its letters', () => {
    given([])
      .when(
        ImportStudents,
        file([
          ['a1', 'Ann', '11A'],
          ['2', 'Ben', '11A'],
          [' A1', 'Ann', '11B'],
        ]),
        known,
      )
      .refused('Duplicate Student IDs are present in your upload file. Each student must be assigned a unique ID.', 'rows.2.admissionNo');
  });

  test('with sets that are not there is refused as a whole, naming each once', () => {
    const refusal = given([])
      .when(
        ImportStudents,
        file([
          ['1', 'Ann', '12A'],
          ['2', 'Ben', '11A'],
          ['3', 'Cem', '12A'],
          ['4', 'Dee', '12B'],
        ]),
        known,
      )
      .refusal();
    expect(refusal.title).toBe('There are no sets of these names: 12A, 12B. Add them first.');
    expect(refusal.errors.map(({ path }) => path)).toEqual(['rows.0.set', 'rows.2.set', 'rows.3.set']);
  });

  test('finds the same new student again when it is repeated', () => {
    expect(imported([], file([['7', 'Flo', '11A']]))).toEqual(imported([], file([['7', 'Flo', '11A']])));
  });
});
