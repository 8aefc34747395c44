import { useEffect, useState, useSyncExternalStore } from 'react';
import { memoryStorage } from './draft-storage.ts';
import type { Seen } from './store.ts';
import { DraftStore } from './store.ts';

/** What a store holds, followed. */
export const useSeen = <Value, Saw, Input>(store: DraftStore<Value, Saw, Input>): Seen<Value, Saw, Input> =>
  useSyncExternalStore(store.subscribe, store.seen);

export const discardAll = <Value, Saw, Input>(store: DraftStore<Value, Saw, Input>): void =>
  store.discard(Object.keys(store.seen().drafts));

/**
 * Drafts that last as long as the component, for forms with names or birthdays, which no browser may keep. `sawOf`: what a stored value
 * looks like to whoever types over it; it is asked only where the store sends (`save`).
 */
export const useMemoryDrafts = <Value, Saw, Input = never>(
  sawOf: (value: Value, before: Saw) => Saw = (_, before) => before,
): DraftStore<Value, Saw, Input> => {
  const [store] = useState(() => new DraftStore<Value, Saw, Input>(memoryStorage<Value, Saw, Input>()(), { sawOf }));
  useEffect(() => store.open(), [store]);
  return store;
};
