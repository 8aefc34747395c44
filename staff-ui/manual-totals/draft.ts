import { useCallback, useState } from 'react';

/** Text by studentId. */
type Draft = ReadonlyMap<string, string>;

/** What was typed and not submitted, by class and test: it is there again when the dialog is opened again, and the page asks before it goes. */
const drafts = new Map<string, Draft>();

const askBeforeLeaving = (event: BeforeUnloadEvent) => event.preventDefault();

const keep = (of: string, draft: Draft) => {
  if (draft.size === 0) drafts.delete(of);
  else drafts.set(of, draft);
  /** Only while there is something to lose: a page with such a listener cannot be kept by the browser for Back. */
  if (drafts.size === 0) window.removeEventListener('beforeunload', askBeforeLeaving);
  else window.addEventListener('beforeunload', askBeforeLeaving);
};

export const useDraft = (of: string) => {
  const [typed, show] = useState<Draft>(() => drafts.get(of) ?? new Map());
  const setTyped = useCallback(
    (change: Draft | ((before: Draft) => Draft)) => {
      const before = drafts.get(of) ?? new Map<string, string>();
      const after = typeof change === 'function' ? change(before) : change;
      keep(of, after);
      show(after);
    },
    [of],
  );
  return { typed, setTyped };
};
