import { describe, test } from 'vitest';
import { AddStudent, CorrectStudent, MoveStudent, RemoveStudent, TakeOffRoll } from '../../../api/commands/roster.ts';
import type { Happened } from '../../support/decider.ts';
import { given, id, made } from '../../support/decider.ts';
import { added, known, offRoll, person, removed, subjectId } from '../../support/roster.ts';

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

test('a student whom the school knows comes back into the subject under his StudentID', () => {
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
  given([added('Ann', '1'), removed('Ann')])
    .when(AddStudent, { ...add, name: 'Anne' }, known)
    .then([{ type: 'StudentCorrected', data: { studentId: id('Ann'), person: person('1', 'Anne') } }, enrolled]);
  given([added('Ann', '1'), elsewhere, removed('Ann')])
    .when(AddStudent, { ...add, name: 'Somebody else' }, known)
    .refused(idTaken, 'admissionNo');
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
