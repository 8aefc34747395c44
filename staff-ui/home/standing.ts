import type { Markbook } from '#api/marks/marks.contract';

/** A test's figures for some classes: number of totals, their mean (null: no totals), number of contested cells. */
export const standing = ({ students }: Pick<Markbook, 'students'>, column: number, setIds: ReadonlySet<string>) => {
  const own = students.filter(({ setId }) => setIds.has(setId));
  const totals = own.flatMap((student) => student.totals[column]?.total ?? []);
  return {
    students: own.length,
    entered: totals.length,
    mean: totals.length === 0 ? null : totals.reduce((sum, total) => sum + total, 0) / totals.length,
    contested: own.filter((student) => student.totals[column]?.contested).length,
    totals,
  };
};
