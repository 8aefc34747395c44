import { ProblemError } from '../common/problems.ts';
import { statusOf } from '../tasks/task-status.contract.ts';
import type { Caller } from './caller.ts';
import type { RankingRow } from './ranking-rows.ts';
import { countsOf, rankingRows, saidOf } from './ranking-rows.ts';
import { checkStep } from './ranking-writes.ts';
import type { Step } from './step.ts';
import { nothingToDo, step } from './step.ts';

const SILENT = { teacherRank: null, flag: false, comment: null } as const;

/** A class of a task, and how far it is. */
type OfTask = { readonly setId: string; readonly status: number };

/** A class whose ranking, or grades, its teacher has checked: with what was sent of it. `rowId`: what the request is answered with. */
export const checking = async (
  caller: Caller,
  taskId: string,
  classes: readonly OfTask[],
  { of, rowId }: { readonly of: 'ranking' | 'grades'; readonly rowId: string },
): Promise<readonly Step[]> => {
  const done = of === 'grades' ? 5 : 3;
  const rows = await caller.sql((query) => rankingRows(query, taskId));
  if (classes.every(({ status }) => status === done)) return [nothingToDo([[0, rowId]])];
  return classes.flatMap(({ setId, status }, row) => {
    if (status === done) return [];
    const students = rows.filter((one) => one.setId === setId && one.computed !== null);
    return checkStep(
      { taskId, setId, of, row },
      students.map((student) => ({ studentId: student.studentId, said: of === 'grades' ? (student.sent ?? SILENT) : saidOf(student) })),
      [[0, rowId]],
    );
  });
};

/** 0 and 1 follow from the totals: they are accepted while nothing is ranked, and change nothing. @throws ProblemError `refused` */
export const belowTwo = (classes: readonly OfTask[], rowId: string): readonly Step[] => {
  if (classes.some(({ status }) => status >= 2))
    throw new ProblemError('refused', 'The students are ranked already. Remove the ranking first.');
  return [nothingToDo([[0, rowId]])];
};

/**
 * The steps by which a whole task comes to a status, as its leader takes them. What a step refuses, the command says.
 *
 * @throws ProblemError as the task's query does, `refused`
 */
export const movingTask = async (caller: Caller, taskId: string, to: number): Promise<readonly Step[]> => {
  const { sets } = await caller.query('task', { taskId });
  const status = statusOf(to);
  if (status < 2) return belowTwo(sets, taskId);
  const areThere = sets.length > 0 && sets.every((set) => set.status === status);
  const isReopened = status === 3 && sets.length > 0 && sets.every((set) => set.status >= 4);
  if (isReopened) return [step(0, 'ReopenGrades', { taskId }, taskId)];
  if (areThere && !(status === 2 && (await isRankedAnew(caller, taskId)))) return [nothingToDo([[0, taskId]])];
  switch (status) {
    case 2:
      return [step(0, 'AdoptRanking', { taskId }, taskId)];
    case 4:
      return [step(0, 'AssignRecordedGrades', { taskId }, taskId)];
    case 6:
      return [step(0, 'CompleteTask', { taskId, without: [] }, taskId)];
    default:
      return checking(caller, taskId, sets, { of: status === 5 ? 'grades' : 'ranking', rowId: taskId });
  }
};

/** Whether ranks or scores were sent that are not those that were ranked. */
const isRankedAnew = async (caller: Caller, taskId: string): Promise<boolean> => {
  const rows = await caller.sql((query) => rankingRows(query, taskId));
  return rows.some((row) => row.sent !== null && isOther(row, row.sent));
};
const isOther = (row: RankingRow, { ranking, score }: NonNullable<RankingRow['sent']>): boolean => {
  const counts = countsOf(row);
  return (ranking !== null && ranking !== counts?.ranking) || (score !== null && score !== counts?.score);
};
