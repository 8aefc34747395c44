import type { Markbook } from '#api/marks/marks.contract';
import { useCallback } from 'react';
import type { usePlace } from '../../shell/place.ts';
import type { Band } from './bands.ts';
import { bands } from './bands.ts';
import type { Column, View } from './view.ts';
import { isFromTop, isSort } from './view.ts';

type Place = Pick<ReturnType<typeof usePlace>, 'set' | 'search' | 'change'>;

/** The view in the address (?set=&sort=&dir=&find=&only=&page=), and how to change it. A change of the rows returns to page 1. */
export const useView = (markbook: Markbook | undefined, { set, search, change }: Place, columns: readonly Column[]) => {
  const sort = search.get('sort') ?? 'name';
  const only = search.get('only');
  const [what, testId] = [only?.slice(0, only.indexOf('.')) ?? '', only?.slice(only.indexOf('.') + 1) ?? ''];
  const view: View = {
    sort: isSort(sort, markbook?.tests ?? [], columns) ? sort : 'name',
    direction: search.get('dir') === 'desc' ? 'desc' : 'asc',
    setId: set?.setId,
    search: search.get('find') ?? '',
    only: isWhat(what) && markbook?.tests.some((test) => test.testId === testId) ? { testId, what } : undefined,
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
  const page = Math.max(0, Number.parseInt(search.get('page') ?? '1', 10) - 1 || 0);
  const goTo = useCallback((next: number) => change({ page: next === 0 ? undefined : String(next + 1) }), [change]);
  return { view, page, sortBy, filter, goTo };
};

const isWhat = (what: string): what is Band | 'contested' => what === 'contested' || bands.some((band) => band === what);
