import { useCallback } from 'react';
import { useSearchParams } from 'react-router';
import type { Moment } from '../ui/as-of/moments.ts';
import { momentIn, withMoment } from '../ui/as-of/moments.ts';
import { pageAt } from '../ui/pages.ts';
import { leaving } from '../ui/session/unsaved.ts';

/** The moment of the page (`?asOf=`). A page without moments always shows the present, whatever its address says. */
export const useMoment = (): Moment => {
  const [search, setSearch] = useSearchParams();
  const goTo = useCallback(
    (asOf: string | undefined) => leaving('app', () => setSearch((before) => withMoment(before, asOf))),
    [setSearch],
  );
  return { ...momentIn(search.get('asOf'), pageAt(location.pathname).moments === true), goTo };
};

/** The address of another page at the same moment; a page that cannot show it says so. */
export const atSameMoment = (path: string): string => {
  const asOf = new URLSearchParams(location.search).get('asOf');
  return asOf === null ? path : `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams({ asOf }).toString()}`;
};
