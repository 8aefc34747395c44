import { useCallback } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { pageAt } from '../../ui/pages.ts';
import { leaving } from '../../ui/session/unsaved.ts';

/**
 * The moment in the address (?asOf=, an ISO instant; undefined: now), and how to change it. A page without moments always shows the present,
 * whatever its address says: it has no banner, and offers changes.
 */
export const useMoment = (): { readonly asOf: string | undefined; readonly goTo: (asOf: string | undefined) => void } => {
  const [search, setSearch] = useSearchParams();
  const [path] = useLocation();
  const instant = pageAt(path).moments === true ? search.get('asOf') : null;
  const goTo = useCallback(
    (asOf: string | undefined) =>
      leaving('app', () =>
        setSearch((before) => {
          const after = new URLSearchParams(before);
          if (asOf === undefined) after.delete('asOf');
          else after.set('asOf', asOf);
          return after;
        }),
      ),
    [setSearch],
  );
  return { asOf: instant !== null && !Number.isNaN(Date.parse(instant)) ? instant : undefined, goTo };
};
