import type { Markbook } from '#api/marks/marks.contract';
import type { Direction } from '../../ui/table/SortHead.tsx';
import { naturalOrder } from '#api/contract/order';
import type { Band } from './bands.ts';
import { bandOf } from './bands.ts';

export type MarkbookStudent = Markbook['students'][number];
export type MarkbookTest = Markbook['tests'][number];

/** The total whose history is open. */
export type OpenCell = { readonly studentId: string; readonly testId: string };

export const PAGE_SIZE = 15;

/** What the table shows of the year group; kept in the address. */
export type View = {
  /** 'name', 'set' or a testId */
  readonly sort: string;
  readonly direction: Direction;
  readonly setId: string | undefined;
  /** Part of a name or StudentID. */
  readonly search: string;
  /** Only students in this band of this test, or contested in it. */
  readonly only: { readonly testId: string; readonly what: Band | 'contested' } | undefined;
};

export const FORGOTTEN = 'Forgotten student';

/** The matching students in the chosen order. Students without a total in the sorted test come last in both directions. */
export const studentsOf = ({ students, tests, sets }: Markbook, view: View): readonly MarkbookStudent[] => {
  const wanted = students.filter(
    (student) =>
      (view.setId === undefined || student.setId === view.setId) && isFound(student, view.search) && isOnly(student, tests, view.only),
  );
  const setNames = new Map(sets.map(({ setId, name }) => [setId, name]));
  const byName = (a: MarkbookStudent, b: MarkbookStudent) =>
    naturalOrder(a.name ?? FORGOTTEN, b.name ?? FORGOTTEN) || naturalOrder(a.admissionNo ?? '', b.admissionNo ?? '');
  const turn = view.direction === 'asc' ? 1 : -1;
  if (view.sort === 'name') return wanted.toSorted((a, b) => turn * byName(a, b));
  if (view.sort === 'set')
    return wanted.toSorted((a, b) => turn * naturalOrder(setNames.get(a.setId) ?? '', setNames.get(b.setId) ?? '') || byName(a, b));
  const column = tests.findIndex(({ testId }) => testId === view.sort);
  return wanted.toSorted((a, b) => {
    const [one, other] = [a.totals[column]?.total ?? null, b.totals[column]?.total ?? null];
    if (one === null || other === null) return Number(one === null) - Number(other === null) || byName(a, b);
    return turn * (one - other) || byName(a, b);
  });
};

const isFound = ({ name, admissionNo }: MarkbookStudent, search: string): boolean => {
  const words = plain(search).split(/\s+/u).filter(Boolean);
  const text = plain(`${name ?? FORGOTTEN} ${admissionNo ?? ''}`);
  return words.every((word) => text.includes(word));
};

/** Ignores accents and case: 'fernandez' finds Fernández. */
const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

const isOnly = ({ totals }: MarkbookStudent, tests: readonly MarkbookTest[], only: View['only']): boolean => {
  if (!only) return true;
  const column = tests.findIndex(({ testId }) => testId === only.testId);
  const [test, total] = [tests[column], totals[column]];
  if (!test || !total) return true;
  return only.what === 'contested' ? total.contested : bandOf(total.total, test) === only.what;
};
