import { isContested } from '#api/contract/flags';
import type { Markbook } from '#api/marks/marks.contract';
import type { SchoolSet } from '../shell/place.ts';

/** Those of the classes that sit a test: it is chosen for them, or somebody there has a total. */
export const setsSitting = <Sitting extends Pick<SchoolSet, 'setId' | 'testIds'>>(
  { tests, students }: Pick<Markbook, 'students'> & { readonly tests: readonly Pick<Markbook['tests'][number], 'testId'>[] },
  column: number,
  sets: readonly Sitting[],
): readonly Sitting[] => {
  const entered = new Set(students.flatMap(({ setId, totals }) => (typeof totals[column]?.total === 'number' ? [setId] : [])));
  return sets.filter(({ setId, testIds }) => testIds.includes(tests[column]?.testId ?? '') || entered.has(setId));
};

/** A test's figures for some classes: number of totals, their mean (null: no totals), number of contested cells and the student of the first. */
export const assessmentFigures = ({ students }: Pick<Markbook, 'students'>, column: number, setIds: ReadonlySet<string>) => {
  const ofSets = students.filter(({ setId }) => setIds.has(setId));
  const contested = ofSets.filter((student) => isContested(student.totals[column]?.flags));
  const totals = ofSets.flatMap((student) => student.totals[column]?.total ?? []);
  return {
    students: ofSets.length,
    entered: totals.length,
    mean: totals.length === 0 ? null : totals.reduce((sum, total) => sum + total, 0) / totals.length,
    contested: contested.length,
    firstContested: contested[0]?.studentId,
    totals,
  };
};
