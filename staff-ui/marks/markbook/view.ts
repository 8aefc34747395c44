import type { Markbook } from '#api/marks/marks.contract';
import type { View } from '#api/marks/markbook-view.formula';
import { studentsOf as sorted } from '#api/marks/markbook-view.formula';
import type { StudentColumn } from '#api/marks/student-columns.contract';
import { studentColumns } from '#api/marks/student-columns.contract';
import { scoreBy } from '#api/tasks/ranking/ranking.formula';
import { overriddenText } from '#api/tasks/task-fields.contract';
import type { Beside, BesideFigures } from './beside.ts';
import { besides, besideText, besideValue } from './beside.ts';

export type { View };
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

export { FORGOTTEN_STUDENT as FORGOTTEN } from '#api/contract/names';

/** As `studentsOf` of the markbook; also sorted by what stands beside the residual. */
export const studentsOf = (markbook: Markbook, view: View, beside?: ReadonlyMap<string, BesideFigures>): readonly MarkbookStudent[] => {
  const { sort } = view;
  return sorted(markbook, view, isBeside(sort) ? ({ studentId }) => besideValue(beside?.get(studentId), sort) : undefined);
};
