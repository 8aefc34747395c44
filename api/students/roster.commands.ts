import type { MarktrailEvent } from '../../events/registry.ts';
import type { Roster, StudentPerson } from '../../events/students/roster.ts';
import { roster } from '../../events/students/roster.ts';
import { rosterCommands } from './students.contract.ts';
import { noFacts } from '../common/facts.ts';
import { setFacts } from './students.facts.ts';
import type { Refused } from '../common/command.ts';
import { command, refuse, refuseInput } from '../common/command.ts';
import { sameName } from '../contract/names.ts';
import { NO_SUBJECT } from '../common/of-subject.ts';
import { hasSet, NO_SET } from './student.rules.ts';

const ID_TAKEN = 'Student ID must be unique';

export const AddStudent = command({
  ...rosterCommands.AddStudent,
  aggregate: roster,
  streamId: () => undefined,
  facts: setFacts,
  decide({ subjectId, setId, admissionNo, name, dateOfBirth }, state, known, { newId, tag }) {
    if (!known.subject) return refuse('not-found', NO_SUBJECT);
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

/**
 * For a StudentID that the school knows but the subject does not: enrols the same person again, or refuses the id if it is somebody else's.
 * Of somebody who is in another subject, the name has to be the same, and no known date of birth another; of somebody who is in none any
 * more, either of them is enough, and the other is corrected. A date of birth that is not known is filled in, and never emptied.
 */
const backInto = (
  studentId: string,
  { subjectId, setId, person }: { subjectId: string; setId: string; person: StudentPerson },
  { students }: Roster,
): readonly MarktrailEvent[] | Refused => {
  const student = students.get(studentId);
  const stored = student?.person;
  if (!stored || student.enrolments.has(subjectId)) return refuseInput('admissionNo', ID_TAKEN);
  const dateOfBirth = person.dateOfBirth ?? stored.dateOfBirth;
  const isNamed = stored.name === person.name;
  const isBorn = stored.dateOfBirth === dateOfBirth;
  const isTheirs =
    student.enrolments.size > 0
      ? isNamed && (isBorn || stored.dateOfBirth === null)
      : sameName(stored.name, person.name) || (isBorn && person.dateOfBirth !== null);
  if (!isTheirs) return refuseInput('admissionNo', ID_TAKEN);
  const enrolled: MarktrailEvent = { type: 'StudentEnrolled', data: { studentId, subjectId, setId } };
  return isNamed && isBorn ? [enrolled] : [{ type: 'StudentCorrected', data: { studentId, person: { ...person, dateOfBirth } } }, enrolled];
};

/** The student's part of forgetting: see api/auth/forgetting.handler.ts. The marks stay and count; the StudentID can be used again. */
export const ForgetStudent = command({
  ...rosterCommands.ForgetStudent,
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
