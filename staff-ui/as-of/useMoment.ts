import { useCallback } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { pageAt } from '../../ui/pages.ts';
import { leaving } from '../../ui/session/unsaved.ts';

/**
 * The moment in the address (?asOf=, an ISO instant; undefined: now), and how to change it. A page that shows no moments shows what is now,
 * also in an address that was made up: it would not say so, and offers changes.
 */
export const useMoment = (): { readonly asOf: string | undefined; readonly goTo: (asOf: string | undefined) => void } => {
  const [search, setSearch] = useSearchParams();
  const [path] = useLocation();
  const asked = pageAt(path).moments === true ? search.get('asOf') : null;
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
  return { asOf: asked !== null && !Number.isNaN(Date.parse(asked)) ? asked : undefined, goTo };
};
