import { ProblemError } from '../common/problems.ts';
import { statusOf } from '../tasks/task-status.contract.ts';
import type { Caller } from './caller.ts';
import type { Step } from './step.ts';
import { nothingToDo, step } from './step.ts';

/** A class of a task, and how far it is. */
type OfTask = { readonly setId: string; readonly status: number };

/** The checks by which classes come to 3 or 5: with what was sent of their rankings. `rowId`: what the request is answered with. */
export const checking = (taskId: string, classes: readonly OfTask[], to: 3 | 5, rowId: string): readonly Step[] =>
  classes.flatMap(({ setId, status }, row) =>
    status === to
      ? []
      : { command: to === 5 ? 'CheckGrades' : 'CheckRanking', body: { taskId, setId }, row, ids: () => [[0, rowId] as const] },
  );

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
  if (status === 2) return [step(0, 'AdoptRanking', { taskId }, taskId)];
  if (sets.length > 0 && sets.every((set) => set.status === status)) return [nothingToDo([[0, taskId]])];
  if (status === 3 && sets.length > 0 && sets.every((set) => set.status >= 4)) return [step(0, 'ReopenGrades', { taskId }, taskId)];
  if (status === 4) return [step(0, 'AssignRecordedGrades', { taskId }, taskId)];
  if (status === 6) return [step(0, 'CompleteTask', { taskId, without: [] }, taskId)];
  return checking(taskId, sets, status === 5 ? 5 : 3, taskId);
};
