import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Draft } from './drafts.ts';
import type { Seen } from './seen.ts';
import { DraftStore } from './store.ts';

/** What a store holds, followed. */
export const useSeen = <Value, Saw, Input>(store: DraftStore<Value, Saw, Input>): Seen<Value, Saw, Input> =>
  useSyncExternalStore(store.subscribe, store.seen);

export const discardAll = <Value, Saw, Input>(store: DraftStore<Value, Saw, Input>): void => discardWhere(store, () => true);

export const discardWhere = <Value, Saw, Input>(
  store: DraftStore<Value, Saw, Input>,
  isMeant: (draft: Draft<Value, Saw>) => boolean,
): void => store.discard(Object.entries(store.seen().drafts).flatMap(([key, draft]) => (isMeant(draft) ? [key] : [])));

/** Bases what is still a draft on what its author has just stored: it was typed after it. */
export const rebaseOn = <Value, Saw, Input>(
  store: DraftStore<Value, Saw, Input>,
  stored: Iterable<readonly [key: string, saw: Saw]>,
): void => {
  const { drafts } = store.seen();
  const left = [...stored].flatMap(([key, saw]) => (drafts[key] ? [[key, { ...drafts[key], saw }] as const] : []));
  store.put(Object.fromEntries(left));
};

/**
 * Drafts that last as long as the component, for forms with names or birthdays, which no browser may keep. `sawOf`: what a stored value
 * looks like to whoever types over it; it is asked only where the store sends (`save`).
 */
export const useMemoryDrafts = <Value, Saw, Input = never>(
  sawOf: (value: Value, before: Saw) => Saw = (_, before) => before,
): DraftStore<Value, Saw, Input> => {
  const [store] = useState(() => new DraftStore<Value, Saw, Input>(undefined, { sawOf }));
  useEffect(() => store.open(), [store]);
  return store;
};
