import { useCallback } from 'react';
import { useSearchParams } from 'wouter';
import { mayLeave } from '../../ui/session/unsaved.ts';

/** The moment in the address (?asOf=, an ISO instant; undefined: now), and how to change it. */
export const useMoment = (): { readonly asOf: string | undefined; readonly goTo: (asOf: string | undefined) => void } => {
  const [search, setSearch] = useSearchParams();
  const asked = search.get('asOf');
  const goTo = useCallback(
    (asOf: string | undefined) => {
      if (!mayLeave()) return;
      setSearch((before) => {
        const after = new URLSearchParams(before);
        if (asOf === undefined) after.delete('asOf');
        else after.set('asOf', asOf);
        return after;
      });
    },
    [setSearch],
  );
  return { asOf: asked !== null && !Number.isNaN(Date.parse(asked)) ? asked : undefined, goTo };
};
