import type { MarktrailEvent } from '../../events/registry.ts';
import type { Roster, StudentPerson } from '../../events/roster.ts';
import { detailsOf, roster } from '../../events/roster.ts';
import { addStudent, correctStudent, forgetStudent, moveStudent, removeStudent, takeOffRoll } from '../contract/structure.ts';
import { noFacts } from '../facts/facts.ts';
import { setFacts } from '../facts/roster.ts';
import type { Refused } from './command.ts';
import { command, refuse, refuseInput } from './command.ts';
import { corrected, hasSet, NO_SET, placed } from './student.ts';

const ID_TAKEN = 'Student ID must be unique';

export const AddStudent = command({
  input: addStudent,
  aggregate: roster,
  streamId: () => undefined,
  facts: setFacts,
  decide({ subjectId, setId, admissionNo, name, dateOfBirth }, state, known, { newId, tag }) {
    if (!hasSet(known, setId)) return refuseInput('setId', NO_SET);
    const idTag = tag('admission-number', admissionNo);
    const holder = state.byTag.get(idTag);
    if (holder !== undefined) return backInto(holder, { subjectId, setId, person: { admissionNo, name, dateOfBirth, tag: idTag } }, state);
    return [
      {
        type: 'StudentAdded',
        data: { studentId: newId('student'), subjectId, setId, person: { admissionNo, name, dateOfBirth, tag: idTag } },
      },
    ];
  },
  answer: (_input, events, _known, { newId, commandId }) => {
    const found = events.find((event) => event.type === 'StudentEnrolled' || event.type === 'StudentCorrected');
    return { studentId: found && 'studentId' in found.data ? found.data.studentId : newId('student'), commandId };
  },
});

/** A StudentID that nobody in the subject has, but somebody whom the school knows: the same person comes back, or it is another's. */
const backInto = (
  studentId: string,
  { subjectId, setId, person }: { subjectId: string; setId: string; person: StudentPerson },
  { students }: Roster,
): readonly MarktrailEvent[] | Refused => {
  const student = students.get(studentId);
  const isSame = student?.person !== undefined && detailsOf(student.person) === detailsOf(person);
  if (!student || student.enrolments.has(subjectId) || (student.enrolments.size > 0 && !isSame))
    return refuseInput('admissionNo', ID_TAKEN);
  const enrolled: MarktrailEvent = { type: 'StudentEnrolled', data: { studentId, subjectId, setId } };
  return isSame ? [enrolled] : [{ type: 'StudentCorrected', data: { studentId, person } }, enrolled];
};

export const CorrectStudent = command({
  input: correctStudent,
  aggregate: roster,
  streamId: () => undefined,
  facts: noFacts,
  decide: ({ studentId, ...details }, state, _known, { tag }) => corrected(studentId, details, state, tag),
  answer: (_input, _events, _known, { commandId }) => ({ commandId }),
});

/** Into a set: from another one, from Off-Roll, or of a student of the school who is new to the subject. */
export const MoveStudent = command({
  input: moveStudent,
  aggregate: roster,
  streamId: () => undefined,
  facts: setFacts,
  decide: ({ subjectId, studentId, setId }, state, known) => placed({ subjectId, studentId, place: { setId } }, state, known),
  answer: (_input, _events, _known, { commandId }) => ({ commandId }),
});

export const TakeOffRoll = command({
  input: takeOffRoll,
  aggregate: roster,
  streamId: () => undefined,
  facts: noFacts,
  decide: ({ subjectId, studentId }, state) => placed({ subjectId, studentId, place: 'off-roll' }, state, { sets: [] }),
  answer: (_input, _events, _known, { commandId }) => ({ commandId }),
});

/** Ends the enrolment in this subject; marks and person stay, and enrolling again brings everything back. */
export const RemoveStudent = command({
  input: removeStudent,
  aggregate: roster,
  streamId: () => undefined,
  facts: noFacts,
  decide: ({ subjectId, studentId }, state) =>
    state.students.get(studentId)?.enrolments.has(subjectId) ? [{ type: 'StudentRemoved', data: { studentId, subjectId } }] : [],
  answer: (_input, _events, _known, { commandId }) => ({ commandId }),
});

/** Whether it is for him, and what else goes with him: see api/forgetting. His marks stay and count; his StudentID is free again. */
export const ForgetStudent = command({
  input: forgetStudent,
  aggregate: roster,
  streamId: () => undefined,
  facts: noFacts,
  decide({ studentId }, state) {
    const student = state.students.get(studentId);
    if (!student) return refuse('not-found', 'There is no such student.');
    return student.forgotten ? [] : [{ type: 'StudentForgotten', data: { studentId } }];
  },
  answer: () => ({}),
});
