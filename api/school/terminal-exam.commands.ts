import type { Subject } from '../../events/school/subject.ts';
import { structureCommands } from './school.contract.ts';
import { refuse, refuseInput } from '../common/command.ts';
import { sameName } from '../contract/names.ts';
import { subjectCommand } from '../common/of-subject.ts';

const NO_EXAM = 'There is no such terminal exam.';
const EXAM_TAKEN = 'There is a terminal exam of this name in this school year already';

/** A year may have several exams: the screen warns, but nothing is refused. */
export const AddTerminalExam = subjectCommand({
  ...structureCommands.AddTerminalExam,
  decide({ name, yearSat }, state, _facts, { newId }) {
    if (examTaken(state, name, yearSat)) return refuseInput('name', EXAM_TAKEN);
    return [{ type: 'TerminalExamAdded', data: { terminalExamId: newId('terminal-exam'), name, yearSat } }];
  },
  answer: (_input, _events, _facts, { newId }) => ({ terminalExamId: newId('terminal-exam') }),
});

/** Its scores stay with it. */
export const ChangeTerminalExam = subjectCommand({
  ...structureCommands.ChangeTerminalExam,
  decide({ terminalExamId, name, yearSat }, state) {
    const exam = state.terminalExams.get(terminalExamId);
    if (!exam || exam.removed) return refuse('not-found', NO_EXAM);
    const next = { name: name ?? exam.name, yearSat: yearSat ?? exam.yearSat };
    if (examTaken(state, next.name, next.yearSat, terminalExamId)) return refuseInput('name', EXAM_TAKEN);
    return [
      ...(next.name === exam.name ? [] : [{ type: 'TerminalExamRenamed' as const, data: { terminalExamId, name: next.name } }]),
      ...(next.yearSat === exam.yearSat
        ? []
        : [{ type: 'TerminalExamYearChanged' as const, data: { terminalExamId, yearSat: next.yearSat } }]),
    ];
  },
});

export const RemoveTerminalExam = subjectCommand({
  ...structureCommands.RemoveTerminalExam,
  decide({ terminalExamId }, state) {
    const exam = state.terminalExams.get(terminalExamId);
    if (!exam) return refuse('not-found', NO_EXAM);
    return exam.removed ? [] : [{ type: 'TerminalExamRemoved', data: { terminalExamId } }];
  },
});

export const RestoreTerminalExam = subjectCommand({
  ...structureCommands.RestoreTerminalExam,
  decide({ terminalExamId }, state) {
    const exam = state.terminalExams.get(terminalExamId);
    if (!exam) return refuse('not-found', NO_EXAM);
    if (!exam.removed) return [];
    if (examTaken(state, exam.name, exam.yearSat)) return refuse('refused', EXAM_TAKEN);
    return [{ type: 'TerminalExamRestored', data: { terminalExamId } }];
  },
});

/** Two exams of the same name in one year would look the same. */
const examTaken = ({ terminalExams }: Subject, name: string, yearSat: number, but?: string): boolean =>
  [...terminalExams].some(([id, exam]) => id !== but && !exam.removed && exam.yearSat === yearSat && sameName(exam.name, name));
