import type { DraftStorage } from '../../ui/drafts/store.ts';
import type { DraftState } from '../../ui/drafts/drafts.ts';
import { NO_DRAFTS, withDrafts } from '../../ui/drafts/drafts.ts';

/** What a browser keeps of one person's drafts, in memory. */
export const memoryStorage = <Value, Saw, Input>() => {
  let now: DraftState<Value, Saw, Input> = NO_DRAFTS;
  const tabs = new Set<() => void>();
  /** One tab's view of it. */
  return (): DraftStorage<Value, Saw, Input> => {
    let mine: (() => void) | undefined;
    const change = async (step: (state: typeof now) => typeof now) => {
      const before = now;
      now = step(before);
      if (now !== before) for (const tell of tabs) if (tell !== mine) tell();
      return now;
    };
    return {
      put: async (changes) => void (await change((state) => withDrafts(state, changes))),
      change,
      subscribe: (listener) => {
        mine = listener;
        tabs.add(listener);
        return () => tabs.delete(listener);
      },
    };
  };
};
