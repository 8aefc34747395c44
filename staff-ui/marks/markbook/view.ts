import { isContested } from '#api/contract/flags';
import type { Markbook } from '#api/marks/marks.contract';
import type { Direction } from '../../../ui/table/SortHead.tsx';
import { isFound } from '../../../ui/table/find.ts';
import { naturalOrder } from '#api/contract/order';
import { scoreBy } from '#api/tasks/ranking/ranking.formula';
import { overriddenText } from '#api/tasks/task-fields.contract';
import { priorPoints } from '#api/prior/prior-score.contract';
import type { Band } from './bands.ts';
import type { Beside, BesideFigures } from './beside.ts';
import { besides, besideValue } from './beside.ts';
import { bandOf } from './bands.ts';

export type MarkbookStudent = Markbook['students'][number];
export type MarkbookTest = Markbook['tests'][number];

/** The total whose history is open. */
export type OpenCell = { readonly studentId: string; readonly testId: string };

/** What the ranking that is shown says of a student: columns between the set and the tests. */
export type Result = 'prior' | 'ranking' | 'score' | 'residual' | 'grade';
export const results: readonly { readonly of: Result; readonly label: string }[] = [
  { of: 'prior', label: 'Prior' },
  { of: 'ranking', label: 'Ranking' },
  { of: 'score', label: 'Score' },
  { of: 'residual', label: 'Residual' },
  { of: 'grade', label: 'Grade' },
];
export type Column = { readonly of: Result | Beside; readonly label: string; readonly note?: string };
/** With the columns beside the residual, or without. */
export const columnsOf = (hasBeside: boolean): readonly Column[] =>
  hasBeside ? results.flatMap((result): Column[] => (result.of === 'residual' ? [result, ...besides] : [result])) : results;
export const isBeside = (of: string): of is Beside => besides.some((beside) => beside.of === of);
export const isSort = (sort: string, tests: readonly { readonly testId: string }[], columns: readonly Column[]): boolean =>
  sort === 'set' || columns.some(({ of }) => of === sort) || tests.some(({ testId }) => testId === sort);
/** Sorted for the first time these stand from the top: everything else from the highest. */
export const isFromTop = (sort: string): boolean => ['name', 'set', 'ranking', 'grade'].includes(sort);

/** '81.89', '+1' */
export const resultText = (student: MarkbookStudent, of: Result): string => {
  const value = student[of];
  if (value === undefined) return '';
  if (typeof value === 'string') return value;
  if (of === 'score') return value.toFixed(2);
  return of === 'residual' && value !== 0 ? `${value < 0 ? '−' : '+'}${Math.abs(value)}` : String(value);
};

/** 'overridden by Grace Bell, computed 87.75'; a residual goes by the computed rank. undefined: it is as it was computed. */
export const overriddenOf = ({ overridden, residual }: MarkbookStudent, of: Result): string | undefined => {
  if (!overridden || of === 'prior') return undefined;
  if (of === 'residual')
    return residual === undefined || typeof overridden.ranking !== 'number' ? undefined : `of the computed rank ${overridden.ranking}`;
  const computed = of === 'score' && typeof overridden.score === 'number' ? overridden.score.toFixed(2) : overridden[of];
  return computed === undefined ? undefined : overriddenText(overridden.by, computed);
};

/** The students whose totals of now would give another score than was computed, by the norms of the ranking; of a deleted assessment none is known. */
export const changedSince = ({ ranked, tests, students }: Markbook): ReadonlySet<string> => {
  const columns = ranked?.norms.tests.map(({ testId }) => ({ testId, column: tests.findIndex((test) => test.testId === testId) })) ?? [];
  if (!ranked || columns.length === 0 || columns.some(({ column }) => column < 0)) return new Set();
  const scoreNow = ({ totals }: MarkbookStudent) =>
    scoreBy(
      ranked.norms,
      new Map<string, number>(
        columns.flatMap(({ testId, column }) => {
          const total = totals[column]?.total ?? null;
          return total === null ? [] : [[testId, total] as const];
        }),
      ),
    );
  const computed = ({ score, overridden }: MarkbookStudent) => (overridden?.score === undefined ? (score ?? null) : overridden.score);
  const isRanked = ({ ranking, score }: MarkbookStudent) => ranking !== undefined || score !== undefined;
  return new Set(students.flatMap((student) => (isRanked(student) && scoreNow(student) !== computed(student) ? [student.studentId] : [])));
};

/** What the table shows of the year group; kept in the address. */
export type View = {
  /** 'name', 'set', one of the results or a testId */
  readonly sort: string;
  readonly direction: Direction;
  readonly setId: string | undefined;
  /** Part of a name or StudentID. */
  readonly search: string;
  /** Only students in this band of this test, or contested in it. */
  readonly only: { readonly testId: string; readonly what: Band | 'contested' } | undefined;
};

export const FORGOTTEN = 'Forgotten student';

/** The matching students in the chosen order. Students without a value in the sorted column come last in both directions. */
export const studentsOf = (
  { students, tests, sets }: Markbook,
  view: View,
  beside?: ReadonlyMap<string, BesideFigures>,
): readonly MarkbookStudent[] => {
  const wanted = students.filter(
    (student) =>
      (view.setId === undefined || student.setId === view.setId) &&
      isFound(`${student.name ?? FORGOTTEN} ${student.admissionNo ?? ''}`, view.search) &&
      isOnly(student, tests, view.only),
  );
  const setNames = new Map(sets.map(({ setId, name }) => [setId, name]));
  const byName = (a: MarkbookStudent, b: MarkbookStudent) =>
    naturalOrder(a.name ?? FORGOTTEN, b.name ?? FORGOTTEN) || naturalOrder(a.admissionNo ?? '', b.admissionNo ?? '');
  const turn = view.direction === 'asc' ? 1 : -1;
  if (view.sort === 'name') return wanted.toSorted((a, b) => turn * byName(a, b));
  if (view.sort === 'set')
    return wanted.toSorted((a, b) => turn * naturalOrder(setNames.get(a.setId) ?? '', setNames.get(b.setId) ?? '') || byName(a, b));
  if (view.sort === 'grade') {
    // As people read them: A before B, 9 above 8 or below it.
    return wanted.toSorted(
      (a, b) =>
        Number(a.grade === undefined) - Number(b.grade === undefined) || turn * naturalOrder(a.grade ?? '', b.grade ?? '') || byName(a, b),
    );
  }
  const column = tests.findIndex(({ testId }) => testId === view.sort);
  const valueOf = (student: MarkbookStudent): number | null => {
    const { prior, ranking, score, residual } = student;
    if (view.sort === 'prior') return prior === undefined ? null : priorPoints(prior);
    if (view.sort === 'ranking') return ranking ?? null;
    if (view.sort === 'score') return score ?? null;
    if (view.sort === 'residual') return residual ?? null;
    if (isBeside(view.sort)) return besideValue(beside?.get(student.studentId), view.sort);
    return student.totals[column]?.total ?? null;
  };
  return wanted.toSorted((a, b) => {
    const [one, other] = [valueOf(a), valueOf(b)];
    if (one === null || other === null) return Number(one === null) - Number(other === null) || byName(a, b);
    return turn * (one - other) || byName(a, b);
  });
};

const isOnly = ({ totals }: MarkbookStudent, tests: readonly MarkbookTest[], only: View['only']): boolean => {
  if (!only) return true;
  const column = tests.findIndex(({ testId }) => testId === only.testId);
  const [test, total] = [tests[column], totals[column]];
  if (!test || !total) return true;
  return only.what === 'contested' ? isContested(total.flags) : bandOf(total.total, test) === only.what;
};
