import { useCallback, useMemo, useState } from 'react';

/** What one item should be bound to, and what it was bound to when editing began. */
export type Draft = { readonly id: string; readonly to: readonly string[]; readonly was: readonly string[] };

export const sameIds = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && a.every((id) => b.includes(id));

/** Ticks or unticks one candidate. Undefined: back to what is stored. */
export const toggled = ({ id, to, was }: Draft, candidate: string): Draft | undefined => {
  const next = to.includes(candidate) ? to.filter((one) => one !== candidate) : [...to, candidate];
  return sameIds(next, was) ? undefined : { id, to: next, was };
};

/** Applies the local ticks and unticks to what somebody else has stored meanwhile. Undefined: nothing left to change. */
export const rebased = ({ id, to, was }: Draft, now: readonly string[]): Draft | undefined => {
  const added = to.filter((one) => !was.includes(one) && !now.includes(one));
  const next = [...now.filter((one) => to.includes(one) || !was.includes(one)), ...added];
  return sameIds(next, now) ? undefined : { id, to: next, was: now };
};

/** Unsaved changes by item, kept while other items are shown. */
export const useDrafts = () => {
  const [drafts, setDrafts] = useState<ReadonlyMap<string, Draft>>(new Map());
  const replace = useCallback((id: string, draft: Draft | undefined) => {
    setDrafts((before) => {
      const after = new Map(before);
      if (draft) after.set(id, draft);
      else after.delete(id);
      return after;
    });
  }, []);
  const clear = useCallback(() => setDrafts(new Map()), []);
  return useMemo(() => ({ drafts, replace, clear }), [drafts, replace, clear]);
};
