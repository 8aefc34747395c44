import type { Draft, DraftState } from './drafts.ts';
import { NO_DRAFTS, withDrafts } from './drafts.ts';

/** Where the drafts of one person are kept. Several tabs may share it; each call is one transaction. Rejects if it cannot keep them. */
export type DraftStorage<Value, Saw, Input> = {
  read(): Promise<DraftState<Value, Saw, Input>>;
  /** Sets drafts; undefined removes one. */
  put(changes: Readonly<Record<string, Draft<Value, Saw> | undefined>>): Promise<void>;
  /** Replaces what is kept by what `step` makes of it. */
  change(step: (state: DraftState<Value, Saw, Input>) => DraftState<Value, Saw, Input>): Promise<void>;
  /** Calls the listener when another tab has changed something. Returns a function that ends it. */
  subscribe(listener: () => void): () => void;
};

/** In memory: for forms with names or birthdays, which must not stay on a school's computer, and where a browser keeps nothing. */
export const memoryStorage = <Value, Saw, Input>(state: DraftState<Value, Saw, Input> = NO_DRAFTS) => {
  let now = state;
  const listeners = new Set<() => void>();
  /** One tab's view of it. */
  return (): DraftStorage<Value, Saw, Input> => {
    const mine = new Set<() => void>();
    const tell = () => {
      for (const listener of listeners) if (!mine.has(listener)) listener();
    };
    return {
      read: async () => now,
      put: async (changes) => {
        now = withDrafts(now, changes);
        tell();
      },
      change: async (step) => {
        now = step(now);
        tell();
      },
      subscribe: (listener) => {
        listeners.add(listener);
        mine.add(listener);
        return () => listeners.delete(listener);
      },
    };
  };
};
