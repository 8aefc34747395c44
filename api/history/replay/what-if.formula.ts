/** Ranks and grades that would have been: from the totals of a moment, without some tests, with other shares. Nothing of it is stored. */
import type { GradeShare } from '../../tasks/grades/grades.contract.ts';
import { gradeOf } from '../../tasks/grades/grades.contract.ts';
import { rank } from '../../tasks/ranking/ranking.formula.ts';
import type { Replay, ReplayRanking } from './replay.contract.ts';
import type { ReplayResult, ReplayState } from './replay.formula.ts';
import { valueAt } from './replay.formula.ts';

/** `tests`: those that count, as places; `shares`: empty for no grades. */
export type WhatIf = { readonly tests: readonly number[]; readonly shares: readonly GradeShare[] };
export type WhatIfRow = { readonly student: number; readonly before: ReplayResult; readonly after: ReplayResult };

/** Of those who have a result at the moment, the best first; by the maxima of the moment, as a new ranking would be. */
export const whatIf = (
  replay: Replay,
  state: ReplayState,
  { tests, priors }: Pick<ReplayRanking, 'tests' | 'priors'>,
  { tests: chosen, shares }: WhatIf,
): readonly WhatIfRow[] => {
  const places = new Map(priors.map(([student]) => [replay.students[student]?.studentId ?? '', student]));
  const cohort = priors.flatMap(([student, prior]) =>
    state.results.has(student) ? [{ studentId: replay.students[student]?.studentId ?? '', prior }] : [],
  );
  const placeOf = (studentId: string): number => places.get(studentId) ?? -1;
  const counted = tests
    .filter(([test]) => chosen.includes(test))
    .map(([test, max]) => ({
      testId: replay.tests[test] ?? '',
      max: state.tests.get(test)?.max ?? max,
      totals: new Map(
        cohort.flatMap(({ studentId }) => {
          const { total } = valueAt(replay, state, placeOf(studentId), test);
          return total === null ? [] : [[studentId, total] as const];
        }),
      ),
    }));
  const { rows } = rank(cohort, counted);
  const ranked = rows.filter(({ ranking }) => ranking !== null).length;
  return rows
    .map(({ studentId, ranking, score }) => {
      const student = placeOf(studentId);
      const grade = ranking === null ? null : (gradeOf(shares, ranked, ranking) ?? null);
      return { student, before: state.results.get(student) ?? NOTHING, after: { ranking, score, grade } };
    })
    .toSorted((one, other) => (one.after.ranking ?? Infinity) - (other.after.ranking ?? Infinity) || one.student - other.student);
};
const NOTHING: ReplayResult = { ranking: null, score: null, grade: null };
