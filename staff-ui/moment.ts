import { useCallback } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import type { Moment } from '../ui/as-of/moments.ts';
import { momentIn, withMoment } from '../ui/as-of/moments.ts';
import { pageAt } from '../ui/pages.ts';
import { readsOnly } from '../ui/roles.ts';
import { useSession } from '../ui/session/Session.tsx';
import { leaving } from '../ui/session/unsaved.ts';

/**
 * The moment in the address (?asOf=, an ISO instant; undefined: now), and how to change it. A page without moments always shows the present,
 * whatever its address says: it has no banner, and offers changes.
 */
export const useMoment = (): Moment => {
  const [search, setSearch] = useSearchParams();
  const [path] = useLocation();
  const goTo = useCallback(
    (asOf: string | undefined) => leaving('app', () => setSearch((before) => withMoment(before, asOf))),
    [setSearch],
  );
  return { ...momentIn(search.get('asOf'), pageAt(path).moments === true), goTo };
};

/** Whether nothing may be changed: by an auditor, or as of an earlier moment. */
export const useIsRead = (): boolean => {
  const { me } = useSession();
  return useMoment().asOf !== undefined || readsOnly(me.role);
};
