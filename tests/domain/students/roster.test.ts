import { describe, test } from 'vitest';
import { ChangeStudents } from '../../../api/students/roster-changes.commands.ts';
import { AddStudent } from '../../../api/students/roster.commands.ts';
import type { Happened } from '../../support/decider.ts';
import { given, id, made } from '../../support/decider.ts';
import { added, known, offRoll, person, removed, subjectId } from '../../support/roster.ts';

const idTaken = 'Student ID must be unique';
/** The command that a table of students submits, about one of them. */
const change = (details: object, of = subjectId) => ({ subjectId: of, changes: [{ studentId: id('Ann'), ...details }] });

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

test('a student whom the school knows comes back into the subject under their StudentID', () => {
  const add = { subjectId, setId: id('11A'), admissionNo: '1', name: 'Ann', dateOfBirth: null };
  const elsewhere: Happened = {
    type: 'StudentEnrolled',
    data: { studentId: id('Ann'), subjectId: id('science'), setId: id('11S') },
  };
  const enrolled = { type: 'StudentEnrolled', data: { studentId: id('Ann'), subjectId, setId: id('11A') } } as const;
  given([added('Ann', '1'), removed('Ann')])
    .when(AddStudent, add, known)
    .then([enrolled]);
  given([added('Ann', '1'), elsewhere, removed('Ann')])
    .when(AddStudent, add, known)
    .then([enrolled]);
  const corrected = (name: string, dateOfBirth: string): Happened => ({
    type: 'StudentCorrected',
    data: { studentId: id('Ann'), person: person('1', name, dateOfBirth) },
  });
  const born = corrected('Ann', '2009-05-01');
  given([added('Ann', '1'), born, removed('Ann')])
    .when(AddStudent, { ...add, name: 'Anne', dateOfBirth: '2009-05-01' }, known)
    .then([corrected('Anne', '2009-05-01'), enrolled]);
  given([added('Ann', '1'), born, removed('Ann')])
    .when(AddStudent, add, known)
    .then([enrolled]);
  // A date of birth that is not known is filled in, whatever else they are in.
  for (const before of [
    [added('Ann', '1'), removed('Ann')],
    [added('Ann', '1'), elsewhere, removed('Ann')],
  ])
    given(before)
      .when(AddStudent, { ...add, dateOfBirth: '2009-05-01' }, known)
      .then([born, enrolled]);
  // Somebody else under the StudentID of a student who left: nobody gets another person's marks.
  for (const name of ['Anne', 'Somebody else'])
    for (const dateOfBirth of [null, '2010-01-01'])
      given([added('Ann', '1'), removed('Ann')])
        .when(AddStudent, { ...add, name, dateOfBirth }, known)
        .refused(idTaken, 'admissionNo');
  given([added('Ann', '1'), born, elsewhere, removed('Ann')])
    .when(AddStudent, { ...add, dateOfBirth: '2010-01-01' }, known)
    .refused(idTaken, 'admissionNo');
  given([added('Ann', '1'), elsewhere, removed('Ann')])
    .when(AddStudent, { ...add, name: 'Somebody else' }, known)
    .refused(idTaken, 'admissionNo');
});

describe('a student who is corrected', () => {
  const correct = (details: object = {}) => change({ details: { admissionNo: '1', name: 'Anne', dateOfBirth: null, ...details } });

  test('keeps a StudentID of their own', () => {
    given([added('Ann', '1')])
      .when(ChangeStudents, correct(), known)
      .then([{ type: 'StudentCorrected', data: { studentId: id('Ann'), person: person('1', 'Anne') } }]);
    given([added('Ann', '1'), added('Ben', 'x2')])
      .when(ChangeStudents, correct({ admissionNo: 'X2' }), known)
      .refused('Student ID must be Unique', 'changes.0.admissionNo');
    given([]).when(ChangeStudents, correct(), known).refused('There is no such student.');
  });

  test('only where something is different', () => {
    given([added('Ann', 'a1')])
      .when(ChangeStudents, correct({ admissionNo: 'a1', name: 'Ann' }), known)
      .nothing();
    given([added('Ann', 'a1')])
      .when(ChangeStudents, correct({ admissionNo: 'A1', name: 'Ann' }), known)
      .events();
    given([added('Ann', 'a1')])
      .when(ChangeStudents, correct({ admissionNo: 'a1', name: 'Ann', dateOfBirth: '2009-05-01' }), known)
      .events();
  });
});

describe('the place of a student in a subject', () => {
  const move = (set: string, of = subjectId) => change({ place: { setId: id(set) } }, of);
  const ann = [added('Ann', '1')];

  test('is a set of it', () => {
    given(ann)
      .when(ChangeStudents, move('11B'), known)
      .then([{ type: 'StudentMoved', data: { studentId: id('Ann'), subjectId, setId: id('11B') } }]);
    given(ann).when(ChangeStudents, move('11A'), known).nothing();
    given(ann).when(ChangeStudents, move('11S'), known).refused('There is no such set.', 'changes.0.setId');
    given([]).when(ChangeStudents, move('11B'), known).refused('There is no such student.');
    const twice = [...move('11B').changes, ...move('11A').changes];
    given(ann)
      .when(ChangeStudents, { ...move('11B'), changes: twice }, known)
      .refused('Each student can be listed only once.');
  });

  test('is new where the student was not in the subject', () => {
    given(ann)
      .when(ChangeStudents, move('11B', id('science')), known)
      .then([{ type: 'StudentEnrolled', data: { studentId: id('Ann'), subjectId: id('science'), setId: id('11B') } }]);
    given([...ann, removed('Ann')])
      .when(ChangeStudents, move('11B'), known)
      .then([{ type: 'StudentEnrolled', data: { studentId: id('Ann'), subjectId, setId: id('11B') } }]);
    given([...ann, offRoll('Ann')])
      .when(ChangeStudents, move('11A'), known)
      .then([{ type: 'StudentMoved', data: { studentId: id('Ann'), subjectId, setId: id('11A') } }]);
  });

  test('can be Off-Roll', () => {
    given(ann)
      .when(ChangeStudents, change({ place: 'off-roll' }), known)
      .then([offRoll('Ann')]);
    given([...ann, offRoll('Ann')])
      .when(ChangeStudents, change({ place: 'off-roll' }), known)
      .nothing();
    given([...ann, removed('Ann')])
      .when(ChangeStudents, change({ place: 'off-roll' }), known)
      .refused('There is no such student in this subject.');
    given(ann)
      .when(ChangeStudents, change({ place: 'off-roll' }, id('science')), known)
      .refused('There is no such student in this subject.');
  });

  test('can end', () => {
    given(ann)
      .when(ChangeStudents, change({ place: 'removed' }), known)
      .then([removed('Ann')]);
    given([...ann, removed('Ann')])
      .when(ChangeStudents, change({ place: 'removed' }), known)
      .nothing();
  });
});
