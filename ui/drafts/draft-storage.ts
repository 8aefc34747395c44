import type { Draft, Kept } from './drafts.ts';
import { NOTHING, withDrafts } from './drafts.ts';

/** Where the drafts of one person are kept. Several tabs may share it; each call is one transaction. Rejects if it cannot keep them. */
export type Keep<Value, Saw, Input> = {
  read(): Promise<Kept<Value, Saw, Input>>;
  /** Sets drafts; undefined removes one. */
  put(changes: Readonly<Record<string, Draft<Value, Saw> | undefined>>): Promise<void>;
  /** Replaces what is kept by what `step` makes of it. */
  change(step: (kept: Kept<Value, Saw, Input>) => Kept<Value, Saw, Input>): Promise<void>;
  /** Calls the listener when another tab has changed something. Returns a function that ends it. */
  subscribe(listener: () => void): () => void;
};

/** In memory: for forms with names or birthdays, which must not stay on a school's computer, and where a browser keeps nothing. */
export const memory = <Value, Saw, Input>(kept: Kept<Value, Saw, Input> = NOTHING) => {
  let now = kept;
  const listeners = new Set<() => void>();
  /** One tab's view of it. */
  return (): Keep<Value, Saw, Input> => {
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
