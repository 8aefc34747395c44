import { useEffect, useState, useSyncExternalStore } from 'react';
import { useRetrying } from '../api/ApiProvider.tsx';
import type { Draft } from './drafts.ts';
import type { Send } from './outbox.ts';
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

/** Opens drafts that the browser keeps, sends what an earlier page left on its way, and follows what they hold. */
export const useKeptDrafts = <Value, Saw, Input>(
  drafts: DraftStore<Value, Saw, Input>,
  send: Send<Value, Input>,
): Seen<Value, Saw, Input> => {
  const seen = useSeen(drafts);
  const retrying = useRetrying();
  useEffect(() => drafts.open(), [drafts]);
  useEffect(() => {
    if (seen.isOpen) drafts.resume(send);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when what is kept has been read
  }, [seen.isOpen]);
  useEffect(() => drafts.offline(retrying !== undefined), [drafts, retrying]);
  return seen;
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
