import type { Draft } from './drafts.ts';
import type { DraftStore } from './store.ts';

/** Drafts beneath which somebody else has stored something else: they wait until their author has decided. */
export type Overtaken = {
  readonly keys: ReadonlySet<string>;
  /** They knowingly take the place of what is stored now. */
  readonly keepMine: () => void;
  readonly takeTheirs: () => void;
};

/** @param stored what is stored now, by key */
export const overtakenIn = <Value, Saw, Input>(
  store: DraftStore<Value, Saw, Input>,
  stored: readonly (readonly [key: string, now: Saw])[],
  isOvertaken: (draft: Draft<Value, Saw>, now: Saw) => boolean,
): Overtaken => {
  const { drafts } = store.seen();
  const mine = stored.flatMap(([key, now]) => {
    const draft = drafts[key];
    return draft && isOvertaken(draft, now) ? [[key, { ...draft, saw: now }] as const] : [];
  });
  const keys = mine.map(([key]) => key);
  return {
    keys: new Set(keys),
    keepMine: () => store.put(Object.fromEntries(mine)),
    takeTheirs: () => store.discard(keys),
  };
};
