/** The checks of rankings and grades by the teachers of the classes, and reminders of them. Pure. */
import type { FeedbackTask, SetStatus } from '../../events/tasks/feedback-task.ts';
import { setsOf } from '../../events/tasks/feedback-task.ts';
import type { Refused } from '../common/command.ts';
import { refuse, refuseInput } from '../common/command.ts';
import type { Decision } from './feedback-task.rules.ts';
import { endedOrGone, lowest, notRanked } from './feedback-task.rules.ts';
import { taskMessages } from './task-fields.contract.ts';

type Flagged = { readonly studentId: string; readonly flag: boolean; readonly comment?: string | undefined };
export type RankCheck = Flagged & { readonly teacherRank: number | null };

/**
 * What the author of a check saw: the ranking or the grades (`seen`), and the earlier check of the class (`was`). `stands`: the check that is
 * stored now. What is left out is not compared.
 */
export type WasChecked<Row> = {
  readonly seen?: string | undefined;
  readonly was?: readonly Row[] | undefined;
  readonly stands?: readonly Row[];
};

/** At 2 to 3; at 3 it may be saved again. */
export const checkRanking = (
  task: FeedbackTask,
  setId: string,
  rows: readonly RankCheck[],
  { seen, ...before }: WasChecked<RankCheck> = {},
): Decision => {
  const refused = checkable(task, setId, [2, 3], rows);
  if (refused) return refused;
  if (seen !== undefined && seen !== task.ranking?.rankingId) return refuse('conflict', taskMessages.checkedAnother);
  const overtaken = overtakenCheck(rows, before);
  if (overtaken) return overtaken;
  return [
    {
      type: 'RankingChecked',
      data: { setId, rows: rows.map(({ teacherRank, ...row }) => ({ teacherRank, ...flagsOf(row) })) },
    },
  ];
};

/** At 4 to 5; at 5 it may be saved again. */
export const checkGrades = (
  task: FeedbackTask,
  setId: string,
  rows: readonly Flagged[],
  { seen, ...before }: WasChecked<Flagged> = {},
): Decision => {
  const refused = checkable(task, setId, [4, 5], rows);
  if (refused) return refused;
  if (seen !== undefined && seen !== task.gradesId) return refuse('conflict', taskMessages.otherGrades);
  return overtakenCheck(rows, before) ?? [{ type: 'GradesChecked', data: { setId, rows: rows.map(flagsOf) } }];
};

/** A check replaces the one before: without this, it would silently drop what another teacher of the class has said since. */
const overtakenCheck = <Row extends Said>(
  rows: readonly Row[],
  { was, stands = [] }: Omit<WasChecked<Row>, 'seen'>,
): Refused | undefined => {
  if (!was) return undefined;
  const [ours, before, now] = [saidByStudent(rows), saidByStudent(was), saidByStudent(stands)];
  const overtaken = [...new Set([...before.keys(), ...now.keys()])].filter(
    (studentId) => now.get(studentId) !== before.get(studentId) && now.get(studentId) !== ours.get(studentId),
  );
  return overtaken.length === 0
    ? undefined
    : refuse(
        'conflict',
        taskMessages.checkedMeanwhile,
        overtaken.map((studentId) => ({
          path: `students.${studentId}`,
          message: 'Somebody else has checked it, and says something else.',
        })),
      );
};
type Said = Flagged & { readonly teacherRank?: number | null };

/** By student, a text that is equal where the same is said. Students about whom nothing is said are left out. */
const saidByStudent = (rows: readonly Said[]): ReadonlyMap<string, string> =>
  new Map(
    rows
      .filter(({ flag, teacherRank }) => flag || typeof teacherRank === 'number')
      .map(({ studentId, flag, comment = '', teacherRank = null }) => [studentId, JSON.stringify([flag, comment, teacherRank])]),
  );

/** A class, and the accounts of its teachers to which a mail can go. */
export type TaughtSet = { readonly name: string; readonly accountIds: readonly string[] };

/**
 * At 2, teachers are reminded whose class's ranking is not checked; at 4, those whose grades are not. `setIds`: of these classes only. It is
 * refused if a class that was named has nobody to write to, or if no class has.
 */
export const remindTeachers = (
  task: FeedbackTask,
  setIds: readonly string[] | undefined,
  sets: ReadonlyMap<string, TaughtSet>,
): Decision => {
  const refused = endedOrGone(task) ?? notRanked(task);
  if (refused) return refused;
  if (!task.teacherInput) return refuse('refused', taskMessages.noTeacherInput);
  const foreign = setIds?.findIndex((setId) => !task.statuses.has(setId)) ?? -1;
  if (foreign >= 0) return refuse('not-found', taskMessages.noSet, [{ path: `setIds.${foreign}`, message: taskMessages.noSet }]);
  const at = lowest(task) >= 4 ? 4 : 2;
  const waiting = (setIds ?? setsOf(task)).filter((setId, index, all) => task.statuses.get(setId) === at && all.indexOf(setId) === index);
  if (waiting.length === 0) return refuse('refused', taskMessages.nothingToRemind);
  const [reached, alone] = [
    waiting.filter((setId) => sets.get(setId)?.accountIds.length),
    waiting.filter((setId) => !sets.get(setId)?.accountIds.length),
  ];
  if (reached.length === 0 || (setIds && alone.length > 0))
    return refuse('refused', taskMessages.noAccount(alone.map((setId) => sets.get(setId)?.name ?? 'a class')));
  const accountIds = [...new Set(reached.flatMap((setId) => sets.get(setId)?.accountIds ?? []))];
  return [{ type: 'TeachersReminded', data: { check: at === 4 ? 'grades' : 'ranking', setIds: reached, accountIds } }];
};

const checkable = (task: FeedbackTask, setId: string, at: readonly SetStatus[], rows: readonly Flagged[]): Refused | undefined => {
  const ended = endedOrGone(task);
  if (ended) return ended;
  if (!task.maps.some((map) => map.setId === setId)) return refuse('not-found', taskMessages.noSet);
  if (!task.teacherInput) return refuse('refused', taskMessages.noTeacherInput);
  const status = task.statuses.get(setId) ?? 0;
  if (status < (at[0] ?? 0)) return refuse('refused', taskMessages.notYet);
  if (!at.some((one) => one === status)) return refuse('refused', taskMessages.pastCheck);
  const foreign = rows.findIndex(({ studentId }) => task.students.get(studentId)?.setId !== setId);
  if (foreign >= 0) return refuse('not-found', taskMessages.noStudent, [{ path: `rows.${foreign}`, message: taskMessages.noStudent }]);
  const twice = rows.findIndex(({ studentId }, index) => rows.findIndex((other) => other.studentId === studentId) < index);
  if (twice >= 0) return refuseInput(`rows.${twice}`, taskMessages.studentTwice);
  const unflagged = rows.findIndex(({ flag, comment = '' }) => !flag && comment !== '');
  return unflagged >= 0 ? refuseInput(`rows.${unflagged}.comment`, taskMessages.commentNeedsFlag) : undefined;
};

const flagsOf = ({ studentId, flag, comment = '' }: Flagged) => ({
  studentId,
  flag,
  ...(comment === '' ? {} : { comment: { text: comment } }),
});
