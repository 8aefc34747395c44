import type { Draft, DraftState } from './drafts.ts';

/** Where the drafts of one person are kept. Several tabs may share it; each call is one transaction. Rejects if it cannot keep them. */
export type DraftStorage<Value, Saw, Input> = {
  /** Sets drafts; undefined removes one. Nothing is read before it: a keystroke is on its way at once, though its page be left. */
  put(changes: Readonly<Record<string, Draft<Value, Saw> | undefined>>): Promise<void>;
  /** Replaces what is kept by what `step` makes of it, and answers that. A step that answers what it was given only reads. */
  change(step: (state: DraftState<Value, Saw, Input>) => DraftState<Value, Saw, Input>): Promise<DraftState<Value, Saw, Input>>;
  /** Calls the listener when another tab has changed something. Returns a function that ends it. */
  subscribe(listener: () => void): () => void;
};
