import { describe, test } from 'vitest';
import { ChangeStudents } from '../../../api/students/roster-changes.commands.ts';
import { AddStudent } from '../../../api/students/roster.commands.ts';
import type { Happened } from '../../support/decider.ts';
import { deciding, id, made } from '../../support/decider.ts';
import { added, corrected, known, moved, offRoll, person, removed, subjectId } from '../../support/roster.ts';

const idTaken = 'Student ID must be unique';
/** The command that a table of students submits, about one of them. */
const change = (details: object, of = subjectId) => ({ subjectId: of, changes: [{ studentId: id('Ann'), ...details }] });

const addStudent = deciding(AddStudent, {}, known);
const changeStudents = deciding(ChangeStudents, {}, known);

describe('a student who is added', () => {
  const add = { subjectId, setId: id('11A'), admissionNo: '00123', name: 'Ann', dateOfBirth: '2009-05-01' };

  test('gets a set of the subject, and keeps a StudentID of zeros', () => {
    addStudent([], add).then([
      {
        type: 'StudentAdded',
        data: { studentId: made('student'), subjectId, setId: id('11A'), person: person('00123', 'Ann', '2009-05-01') },
      },
    ]);
    addStudent([], { ...add, setId: id('11S') }).refused('There is no such set.', 'setId');
    addStudent([], { ...add, dateOfBirth: '2009-02-31' }).invalid('Invalid ISO date');
  });

  test("has a StudentID that is nobody else's, whatever the case of its letters", () => {
    addStudent([added('Ben', 'X12')], { ...add, admissionNo: ' x12' }).refused(idTaken, 'admissionNo');
    addStudent([added('Ben', '123')], add).events();
    addStudent([added('Ben', 'X12'), corrected('Ben', 'Y12', 'Ben')], {
      ...add,
      admissionNo: 'X12',
    }).events();
  });
});

test('a student whom the school knows comes back into the subject under their StudentID', () => {
  const add = { subjectId, setId: id('11A'), admissionNo: '1', name: 'Ann', dateOfBirth: null };
  const elsewhere: Happened = {
    type: 'StudentEnrolled',
    data: { studentId: id('Ann'), subjectId: id('science'), setId: id('11S') },
  };
  const enrolled = { type: 'StudentEnrolled', data: { studentId: id('Ann'), subjectId, setId: id('11A') } } as const;
  addStudent([added('Ann', '1'), removed('Ann')], add).then([enrolled]);
  addStudent([added('Ann', '1'), elsewhere, removed('Ann')], add).then([enrolled]);
  const born = corrected('Ann', '1', 'Ann', '2009-05-01');
  addStudent([added('Ann', '1'), born, removed('Ann')], { ...add, name: 'Anne', dateOfBirth: '2009-05-01' }).then([
    corrected('Ann', '1', 'Anne', '2009-05-01'),
    enrolled,
  ]);
  addStudent([added('Ann', '1'), born, removed('Ann')], add).then([enrolled]);
  // A date of birth that is not known is filled in, whatever else they are in.
  for (const before of [
    [added('Ann', '1'), removed('Ann')],
    [added('Ann', '1'), elsewhere, removed('Ann')],
  ])
    addStudent(before, { ...add, dateOfBirth: '2009-05-01' }).then([born, enrolled]);
  // Somebody else under the StudentID of a student who left: nobody gets another person's marks.
  for (const name of ['Anne', 'Somebody else'])
    for (const dateOfBirth of [null, '2010-01-01'])
      addStudent([added('Ann', '1'), removed('Ann')], { ...add, name, dateOfBirth }).refused(idTaken, 'admissionNo');
  addStudent([added('Ann', '1'), born, elsewhere, removed('Ann')], { ...add, dateOfBirth: '2010-01-01' }).refused(idTaken, 'admissionNo');
  addStudent([added('Ann', '1'), elsewhere, removed('Ann')], { ...add, name: 'Somebody else' }).refused(idTaken, 'admissionNo');
});

describe('a student who is corrected', () => {
  const correct = (details: object = {}) => change({ details: { admissionNo: '1', name: 'Anne', dateOfBirth: null, ...details } });

  test('keeps a StudentID of their own', () => {
    changeStudents([added('Ann', '1')], correct()).then([corrected('Ann', '1', 'Anne')]);
    changeStudents([added('Ann', '1'), added('Ben', 'x2')], correct({ admissionNo: 'X2' })).refused(
      'Student ID must be Unique',
      'changes.0.admissionNo',
    );
    changeStudents([], correct()).refused('There is no such student.');
  });

  test('only where something is different', () => {
    changeStudents([added('Ann', 'a1')], correct({ admissionNo: 'a1', name: 'Ann' })).nothing();
    changeStudents([added('Ann', 'a1')], correct({ admissionNo: 'A1', name: 'Ann' })).events();
    changeStudents([added('Ann', 'a1')], correct({ admissionNo: 'a1', name: 'Ann', dateOfBirth: '2009-05-01' })).events();
  });
});

describe('the place of a student in a subject', () => {
  const move = (set: string, of = subjectId) => change({ place: { setId: id(set) } }, of);
  const ann = [added('Ann', '1')];

  test('is a set of it', () => {
    changeStudents(ann, move('11B')).then([moved('Ann', '11B')]);
    changeStudents(ann, move('11A')).nothing();
    changeStudents(ann, move('11S')).refused('There is no such set.', 'changes.0.setId');
    changeStudents([], move('11B')).refused('There is no such student.');
    const twice = [...move('11B').changes, ...move('11A').changes];
    changeStudents(ann, { ...move('11B'), changes: twice }).refused('Each student can be listed only once.');
  });

  test('is new where the student was not in the subject', () => {
    changeStudents(ann, move('11B', id('science'))).then([
      { type: 'StudentEnrolled', data: { studentId: id('Ann'), subjectId: id('science'), setId: id('11B') } },
    ]);
    changeStudents([...ann, removed('Ann')], move('11B')).then([
      { type: 'StudentEnrolled', data: { studentId: id('Ann'), subjectId, setId: id('11B') } },
    ]);
    changeStudents([...ann, offRoll('Ann')], move('11A')).then([moved('Ann', '11A')]);
  });

  test('can be Off-Roll', () => {
    changeStudents(ann, change({ place: 'off-roll' })).then([offRoll('Ann')]);
    changeStudents([...ann, offRoll('Ann')], change({ place: 'off-roll' })).nothing();
    changeStudents([...ann, removed('Ann')], change({ place: 'off-roll' })).refused('There is no such student in this subject.');
    changeStudents(ann, change({ place: 'off-roll' }, id('science'))).refused('There is no such student in this subject.');
  });

  test('is where they were last, for who was removed and comes back', () => {
    changeStudents([...ann, moved('Ann', '11B'), removed('Ann')], change({ place: 'back' })).then([
      { type: 'StudentEnrolled', data: { studentId: id('Ann'), subjectId, setId: id('11B') } },
    ]);
    changeStudents([...ann, moved('Ann', '11G'), removed('Ann')], change({ place: 'back' })).then([offRoll('Ann')]);
    changeStudents([...ann, offRoll('Ann'), removed('Ann')], change({ place: 'back' })).then([offRoll('Ann')]);
    changeStudents(ann, change({ place: 'back' })).nothing();
    changeStudents(ann, change({ place: 'back' }, id('science'))).refused('There is no such student in this subject.');
  });

  test('can end', () => {
    changeStudents(ann, change({ place: 'removed' })).then([removed('Ann')]);
    changeStudents([...ann, removed('Ann')], change({ place: 'removed' })).nothing();
  });
});
