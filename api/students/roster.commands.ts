import { roster } from '../../events/students/roster.ts';
import { rosterCommands } from './students.contract.ts';
import { setFacts } from './students.facts.ts';
import { command, refuse } from '../common/command.ts';
import { arrived } from './student.rules.ts';

export const AddStudent = command({
  ...rosterCommands.AddStudent,
  aggregate: roster,
  facts: setFacts,
  decide(input, state, facts, { newId, tag }) {
    return arrived(newId('student'), input, state, facts, tag);
  },
  answer: (_input, events, _facts, { newId, commandId }) => {
    const found = events.find((event) => event.type === 'StudentEnrolled' || event.type === 'StudentCorrected');
    return { studentId: found && 'studentId' in found.data ? found.data.studentId : newId('student'), commandId };
  },
});

/** The student's part of forgetting: see api/auth/forgetting.handler.ts. The marks stay and count; the StudentID can be used again. */
export const ForgetStudent = command({
  ...rosterCommands.ForgetStudent,
  aggregate: roster,
  decide({ studentId }, state) {
    const student = state.students.get(studentId);
    if (!student) return refuse('not-found', 'There is no such student.');
    return student.forgotten ? [] : [{ type: 'StudentForgotten', data: { studentId } }];
  },
});
