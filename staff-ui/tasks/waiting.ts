import type { TaskCard, TaskCardSet } from '#api/tasks/task.contract';
import { awaitsCheck } from '#api/tasks/task-status.contract';

/** What a feedback task waits for from the teacher of a class. */
export type Awaited = 'totals' | 'check';

/**
 * undefined: nothing of this teacher. Totals are waited for until the ranking; whoever is absent or exempt is not missing.
 * `mayWrite`: whether the reader may enter what is missing.
 */
export const awaitedOf = (
  { teacherInput }: Pick<TaskCard, 'teacherInput'>,
  of: Pick<TaskCardSet, 'status' | 'students'> & { readonly tests: readonly Pick<TaskCardSet['tests'][number], 'entered' | 'out'>[] },
  mayWrite: boolean,
): Awaited | undefined => {
  if (!mayWrite) return undefined;
  if (awaitsCheck(of.status, teacherInput)) return 'check';
  return of.status < 2 && of.tests.some((test) => isMissing(test, of)) ? 'totals' : undefined;
};

/** Whether somebody of the class has neither a total nor a reason for none. */
export const isMissing = (
  { entered, out }: Pick<TaskCardSet['tests'][number], 'entered' | 'out'>,
  { students }: Pick<TaskCardSet, 'students'>,
): boolean => entered + out < students;
