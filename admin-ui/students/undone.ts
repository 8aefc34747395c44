import type { RosterChangeUndone } from '#api/students/students.contract';
import type { SendCommand } from '../../ui/sending/useSend.ts';
import { counted, listed } from '../format.ts';
import type { ChangeStudentsInput, Student } from './student.ts';
import { OFF_ROLL } from './student.ts';

type Change = ChangeStudentsInput['changes'][number];
type Answer = Omit<RosterChangeUndone, 'commandId'>;

/** 'Lee, Anna: name and date of birth changed', '3 students: moved (2) and removed (1)' */
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
    ...(place === undefined ? [] : [place === 'removed' ? 'removed' : place === OFF_ROLL ? 'taken off roll' : 'moved']),
  ];
};

/** Undoes changes of the roster, the last first. */
export const undoAll = async (command: SendCommand, subjectId: string, commandIds: readonly string[]): Promise<Answer> => {
  const sum = { students: 0, changedSince: 0, setGone: 0, idTaken: 0, already: true };
  for (const commandId of commandIds) {
    // oxlint-disable-next-line no-await-in-loop -- the last first
    const { students, changedSince, setGone, idTaken, already } = await command('UndoRosterChange', { subjectId, commandId });
    sum.students += students;
    sum.changedSince += changedSince;
    sum.setGone += setGone;
    sum.idTaken += idTaken;
    sum.already &&= already;
  }
  return sum;
};

/** @param act as its notice said: 'Lee, Anna: name changed' */
export const undoneNotice = (act: string, answer: Answer): string =>
  answer.already ? `This was undone already: ${act}.` : [`Undone: ${act}.`, ...staysOf(answer)].join(' ');

/** What an undo left as it is, and why, in sentences. */
export const staysOf = ({ students, changedSince, setGone, idTaken, already }: Answer): readonly string[] => [
  ...(changedSince > 0
    ? [`${counted(changedSince, 'student was', 'students were')} changed again since: that stays, and what was undone will not come back.`]
    : !already && students + setGone + idTaken === 0
      ? ['It had changed back already.']
      : []),
  ...(setGone > 0 ? [`${counted(setGone, 'student stays', 'students stay')} in place: the set to go back to is gone.`] : []),
  ...(idTaken > 0 ? [`${counted(idTaken, 'Student ID stays', 'Student IDs stay')}: somebody else has the earlier one.`] : []),
];
