import type { ActUndone } from '#api/school/school.contract';
import { undoAct } from '../../ui/sending/undo-act.ts';
import type { SendCommand } from '../../ui/sending/useSend.ts';
import { counted, listed } from '../format.ts';
import type { ChangeStudentsInput, Student } from './student.ts';
import { OFF_ROLL } from '../../ui/students/place-of.ts';

type Change = ChangeStudentsInput['changes'][number];

/** 'Lee, Anna: name and date of birth changed', '3 students: moved (2) and deleted (1)' */
export const actOf = (changes: readonly Change[], before: (studentId: string) => Student | undefined): string => {
  const [first] = changes;
  if (first && changes.length === 1) {
    return `${first.details?.name ?? before(first.studentId)?.name ?? 'A student'}: ${listed(whatOf(first, before(first.studentId)))}`;
  }
  const all = Map.groupBy(
    changes.flatMap((change) => whatOf(change, before(change.studentId))),
    (what) => what,
  );
  const counts = [...all].map(([what, { length }]) => (all.size === 1 ? what : `${what} (${length})`));
  return `${counted(changes.length, 'student')}: ${listed(counts)}`;
};

const whatOf = ({ details, was, place }: Change, before: Student | undefined): string[] => {
  const old = was ?? before;
  const fields = [
    ...(details && details.admissionNo !== old?.admissionNo ? ['Student ID'] : []),
    ...(details && details.name !== old?.name ? ['name'] : []),
    ...(details && details.dateOfBirth !== old?.dateOfBirth ? ['date of birth'] : []),
  ];
  return [
    ...(fields.length > 0 ? [`${listed(fields)} changed`] : []),
    ...(place === undefined ? [] : [place === 'removed' ? 'deleted' : place === OFF_ROLL ? 'taken off roll' : 'moved']),
  ];
};

/** Undoes commands, the last first. Undefined: of one of them something would stay, and its author keeps all as it is. */
export const undoAll = async (command: SendCommand, subjectId: string, actIds: readonly string[]): Promise<ActUndone | undefined> => {
  const undone: ActUndone[] = [];
  for (const actId of actIds) {
    // oxlint-disable-next-line no-await-in-loop -- the last first
    const one = await undoAct(command, subjectId, actId);
    if (!one) return undefined;
    undone.push(one);
  }
  return {
    already: undone.every(({ already }) => already),
    students: undone.reduce((sum, { students }) => sum + students, 0),
    stays: undone.flatMap(({ stays }) => stays),
  };
};

/** @param act as its notice said: 'Lee, Anna: name changed' */
export const undoneNotice = (act: string, answer: ActUndone | undefined): string | undefined => {
  if (answer?.already) return `This was undone already: ${act}.`;
  return answer && [`Undone: ${act}.`, ...answer.stays].join(' ');
};
