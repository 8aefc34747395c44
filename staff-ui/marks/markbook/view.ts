import { isContested } from '#api/contract/flags';
import type { Markbook } from '#api/marks/marks.contract';
import type { StudentColumn } from '#api/marks/student-columns.contract';
import { studentColumns } from '#api/marks/student-columns.contract';
import type { Direction } from '../../../ui/table/SortHead.tsx';
import { isFound } from '../../../ui/table/find.ts';
import { naturalOrder } from '#api/contract/order';
import { scoreBy } from '#api/tasks/ranking/ranking.formula';
import { overriddenText } from '#api/tasks/task-fields.contract';
import { priorPoints } from '#api/prior/prior-score.contract';
import type { Band } from './bands.ts';
import type { Beside, BesideFigures } from './beside.ts';
import { besides, besideText, besideValue } from './beside.ts';
import { bandOf } from './bands.ts';

export type MarkbookStudent = Markbook['students'][number];
export type MarkbookTest = Markbook['tests'][number];

/** The total whose history is open. */
export type OpenCell = { readonly studentId: string; readonly testId: string };

/** What the ranking that is shown says of a student: columns between the set and the tests. */
type Result = (typeof studentColumns)[number]['of'];
export type Column = { readonly of: Result | Beside; readonly label: string; readonly is?: StudentColumn['is']; readonly note?: string };
/** With the columns beside the residual, or without. */
export const columnsOf = (hasBeside: boolean): readonly Column[] =>
  studentColumns.flatMap((column): Column[] => (hasBeside && column.of === 'residual' ? [column, ...besides] : [column]));
export const isBeside = (of: string): of is Beside => besides.some((beside) => beside.of === of);
const columnNamed = (of: string) => studentColumns.find((column) => column.of === of);
/** Of the prior: the exam. */
export const noteOf = ({ of, note }: Column, { priorExam }: Markbook): { readonly note?: string } => {
  const text = of === 'prior' ? priorExam?.name : note;
  return text === undefined ? {} : { note: text };
};

/** Texts stand on the left, figures on the right. */
export const isText = ({ is }: Column): boolean => is === 'points' || is === 'grade';
export const isSort = (sort: string, tests: readonly { readonly testId: string }[], columns: readonly Column[]): boolean =>
  sort === 'set' || columns.some(({ of }) => of === sort) || tests.some(({ testId }) => testId === sort);
/** Sorted for the first time these stand from the top: everything else from the highest. */
export const isFromTop = (sort: string): boolean => {
  const is = columnNamed(sort)?.is;
  return sort === 'name' || sort === 'set' || is === 'rank' || is === 'grade';
};

/** '81.89', '+1', '+0.6 (−0.4 to +1.6)' */
export const figureText = (student: MarkbookStudent, figures: BesideFigures | undefined, of: Column['of']): string => {
  if (isBeside(of)) return besideText(figures, of);
  const [value, is] = [student[of], columnNamed(of)?.is];
  if (typeof value !== 'number') return value ?? '';
  if (is === 'score') return value.toFixed(2);
  return is === 'difference' && value !== 0 ? `${value < 0 ? '−' : '+'}${Math.abs(value)}` : String(value);
};

/** 'overridden by Grace Bell, computed 87.75'; a residual goes by the computed rank. undefined: it is as it was computed. */
export const overriddenOf = ({ overridden, residual }: MarkbookStudent, of: Column['of']): string | undefined => {
  if (!overridden || of === 'prior' || isBeside(of)) return undefined;
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
  const column = columnNamed(view.sort);
  const test = tests.findIndex(({ testId }) => testId === view.sort);
  const valueOf = (student: MarkbookStudent): number | string | null => {
    if (view.sort === 'set') return setNames.get(student.setId) ?? '';
    if (isBeside(view.sort)) return besideValue(beside?.get(student.studentId), view.sort);
    if (!column) return student.totals[test]?.total ?? null;
    const value = student[column.of] ?? null;
    return column.is === 'points' && value !== null ? priorPoints(String(value)) : value;
  };
  return wanted.toSorted((a, b) => {
    const [one, other] = [valueOf(a), valueOf(b)];
    if (one === null || other === null) return Number(one === null) - Number(other === null) || byName(a, b);
    // Texts as people read them: A before B, 9 above 8 or below it.
    const order = typeof one === 'number' && typeof other === 'number' ? one - other : naturalOrder(String(one), String(other));
    return turn * order || byName(a, b);
  });
};

const isOnly = ({ totals }: MarkbookStudent, tests: readonly MarkbookTest[], only: View['only']): boolean => {
  if (!only) return true;
  const column = tests.findIndex(({ testId }) => testId === only.testId);
  const [test, total] = [tests[column], totals[column]];
  if (!test || !total) return true;
  return only.what === 'contested' ? isContested(total.flags) : bandOf(total.total, test) === only.what;
};
