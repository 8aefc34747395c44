import type { Markbook } from '#api/marks/marks.contract';
import { useCallback } from 'react';
import { PAGE_ROWS } from '../../../ui/table/Pager.tsx';
import type { usePlace } from '../../shell/place.ts';
import { onlyIn } from '#api/marks/markbook-view.formula';
import type { Column, View } from './view.ts';
import { isFromTop, isSort } from './view.ts';

type Place = Pick<ReturnType<typeof usePlace>, 'set' | 'search' | 'change'>;

/** Of a large year group: the rows that the address (as below) asks for. */
export const rowsIn = (search: URLSearchParams) => {
  const said = (name: string, most: number) => search.get(name)?.slice(0, most) || undefined;
  const asked = {
    sort: said('sort', 40),
    dir: search.get('dir') === 'desc' ? ('desc' as const) : undefined,
    find: said('find', 200),
    only: said('only', 60),
    student: idIn(search.get('cell')?.split('.')[0]),
  };
  const from = String(Math.min(999_999, pageIn(search) * PAGE_ROWS));
  return { rows: String(PAGE_ROWS), from, ...asked };
};

/** An id, if it is one. */
export const idIn = (text: string | null | undefined): string | undefined =>
  text && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu.test(text) ? text : undefined;

const pageIn = (search: URLSearchParams): number => Math.max(0, Number.parseInt(search.get('page') ?? '1', 10) - 1 || 0);

/** The view in the address (?set=&sort=&dir=&find=&only=&page=), and how to change it. A change of the rows returns to page 1. */
export const useView = (markbook: Markbook | undefined, { set, search, change }: Place, columns: readonly Column[]) => {
  const sort = search.get('sort') ?? 'name';
  const view: View = {
    sort: isSort(sort, markbook?.tests ?? [], columns) ? sort : 'name',
    direction: search.get('dir') === 'desc' ? 'desc' : 'asc',
    setId: set?.setId,
    search: search.get('find') ?? '',
    only: onlyIn(search.get('only'), markbook?.tests ?? []),
  };
  const { sort: sorted, direction } = view;
  /** Totals sort highest first, names from A, rankings from 1; sorting again reverses. */
  const sortBy = useCallback(
    (column: string) => {
      const first = isFromTop(column) ? 'asc' : 'desc';
      const next = sorted === column ? (direction === 'asc' ? 'desc' : 'asc') : first;
      change({ sort: column === 'name' ? undefined : column, dir: next === 'asc' ? undefined : next, page: undefined });
    },
    [sorted, direction, change],
  );
  const filter = useCallback(
    (parts: { readonly set?: string | undefined; readonly find?: string; readonly only?: string | undefined }) =>
      change({ ...parts, page: undefined }),
    [change],
  );
  const page = markbook?.rows ? markbook.rows.from / PAGE_ROWS : pageIn(search);
  const goTo = useCallback((next: number) => change({ page: next === 0 ? undefined : String(next + 1) }), [change]);
  return { view, page, sortBy, filter, goTo };
};
