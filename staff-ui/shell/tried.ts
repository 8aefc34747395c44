import type { GradeShare } from '#api/tasks/grades/grades.contract';

/** What was tried on a moment of the markbook, for the ranking of a task: by which assessments, and with which shares of grades. */
export type Tried = { readonly testIds: readonly string[]; readonly shares: readonly GradeShare[] };

/** As parts of the address of the tasks. */
export const triedQuery = (taskId: string, { testIds, shares }: Tried): string =>
  new URLSearchParams([
    ['rank', taskId],
    ...testIds.map((testId) => ['test', testId]),
    ...shares.map(({ label, percent }) => ['grade', `${percent} ${label}`]),
  ]).toString();

/** undefined: the address names no task. */
export const triedIn = (search: URLSearchParams): (Tried & { readonly taskId: string }) | undefined => {
  const taskId = search.get('rank');
  if (taskId === null) return undefined;
  const shares = search.getAll('grade').flatMap((text) => {
    const [, percent, label] = /^(\d{1,3}) (.+)$/u.exec(text) ?? [];
    return percent !== undefined && label !== undefined ? [{ label, percent: Number(percent) }] : [];
  });
  return { taskId, testIds: search.getAll('test'), shares };
};

export const withoutTried = (before: URLSearchParams): URLSearchParams => {
  const after = new URLSearchParams(before);
  for (const name of ['rank', 'test', 'grade']) after.delete(name);
  return after;
};
