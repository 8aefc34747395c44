/** Which students of a markbook are shown, in which order, and how their totals are spread: for the page, and for the server of a large year. */
import { isContested } from '../contract/flags.ts';
import { FORGOTTEN_STUDENT, isFound } from '../contract/names.ts';
import { naturalOrder } from '../contract/order.ts';
import { priorPoints } from '../prior/prior-score.contract.ts';
import type { Markbook } from './marks.contract.ts';
import { studentColumns } from './student-columns.contract.ts';

export type Band = 'green' | 'amber' | 'red';
export const bands: readonly Band[] = ['green', 'amber', 'red'];

type Norm = Pick<Markbook['tests'][number], 'mean' | 'sd'>;

/**
 * Colour bands: above the mean plus one deviation green, above the mean minus one deviation amber, above zero red. A
 * zero or an empty cell has none. Mean and deviation are those of the whole year group, even when the table is filtered.
 */
export const bandOf = (total: number | null, { mean, sd }: Norm): Band | undefined => {
  if (total === null || mean === null || sd === null) return undefined;
  if (total > mean + sd) return 'green';
  if (total > mean - sd) return 'amber';
  return total > 0 ? 'red' : undefined;
};

/** What the table shows of the year group; kept in the address. */
export type View = {
  /** 'name', 'set', one of the results or a testId */
  readonly sort: string;
  readonly direction: 'asc' | 'desc';
  readonly setId: string | undefined;
  /** Part of a name or StudentID. */
  readonly search: string;
  /** Only students in this band of this test, or contested in it. */
  readonly only: { readonly testId: string; readonly what: Band | 'contested' } | undefined;
};

/** 'green.<test>', as the address says it. Undefined: of no test here. */
export const onlyIn = (text: string | null | undefined, tests: readonly { readonly testId: string }[]): View['only'] => {
  const [word, testId = ''] = text?.split('.') ?? [];
  const what = [...bands, 'contested' as const].find((one) => one === word);
  return what && tests.some((test) => test.testId === testId) ? { testId, what } : undefined;
};

type Book = {
  readonly students: Markbook['students'];
  readonly tests: readonly (Norm & { readonly testId: string })[];
  readonly sets: readonly { readonly setId: string; readonly name: string }[];
};
type Student = Book['students'][number];

/**
 * The matching students in the chosen order. Students without a value in the sorted column come last in both directions.
 *
 * @param beside the value of a column that the markbook does not have
 */
export const studentsOf = (
  { students, tests, sets }: Book,
  view: View,
  beside: (student: Student) => number | null = () => null,
): readonly Student[] => {
  const turn = view.direction === 'asc' ? 1 : -1;
  // Nearly in this order as they come, so that it takes few comparisons.
  const wanted = students
    .filter(
      (student) =>
        (view.setId === undefined || student.setId === view.setId) &&
        (view.search === '' || isFound(`${student.name ?? FORGOTTEN_STUDENT} ${student.admissionNo ?? ''}`, view.search)) &&
        isOnly(student, tests, view.only),
    )
    .toSorted(byName);
  if (view.sort === 'name') return turn > 0 ? wanted : wanted.toSorted((a, b) => -byName(a, b));
  const column = studentColumns.find(({ of }) => of === view.sort);
  const test = tests.findIndex(({ testId }) => testId === view.sort);
  const places = view.sort === 'set' ? placesOf(sets) : undefined;
  const valueOf = (student: Student): number | string | null => {
    if (places) return places.get(student.setId) ?? -1;
    if (test >= 0) return student.totals[test]?.total ?? null;
    if (!column) return beside(student);
    const value = student[column.of] ?? null;
    return column.is === 'points' && value !== null ? priorPoints(String(value)) : value;
  };
  // Equal ones stay by name.
  return wanted
    .map((student) => [student, valueOf(student)] as const)
    .toSorted(([, one], [, other]) => {
      if (one === null || other === null) return Number(one === null) - Number(other === null);
      // Texts as people read them: A before B, 9 above 8 or below it.
      return turn * (typeof one === 'number' && typeof other === 'number' ? one - other : naturalOrder(String(one), String(other)));
    })
    .map(([student]) => student);
};

const byName = (a: Student, b: Student): number =>
  naturalOrder(a.name ?? FORGOTTEN_STUDENT, b.name ?? FORGOTTEN_STUDENT) || naturalOrder(a.admissionNo ?? '', b.admissionNo ?? '');

const placesOf = (sets: Book['sets']): ReadonlyMap<string, number> =>
  new Map(sets.toSorted((a, b) => naturalOrder(a.name, b.name)).map(({ setId }, place) => [setId, place]));

const isOnly = ({ totals }: Student, tests: Book['tests'], only: View['only']): boolean => {
  if (!only) return true;
  const column = tests.findIndex(({ testId }) => testId === only.testId);
  const [test, total] = [tests[column], totals[column]];
  if (!test || !total) return true;
  return only.what === 'contested' ? isContested(total.flags) : bandOf(total.total, test) === only.what;
};

/** Of each test: how many of the students have which total, from the lowest, and of how many it is contested. */
export type Spread = { readonly totals: readonly { readonly total: number; readonly students: number }[]; readonly contested: number };

export const spreadOf = (students: readonly Student[], tests: Book['tests']): Spread[] =>
  tests.map((_, column) => ({
    totals: countsOf(students.flatMap(({ totals }) => totals[column]?.total ?? [])),
    contested: students.filter(({ totals }) => isContested(totals[column]?.flags)).length,
  }));

/** How many there are of each total, from the lowest. */
export const countsOf = (totals: readonly number[]): Spread['totals'] => {
  const counts = new Map<number, number>();
  for (const total of totals) counts.set(total, (counts.get(total) ?? 0) + 1);
  return [...counts].toSorted(([one], [other]) => one - other).map(([total, students]) => ({ total, students }));
};
