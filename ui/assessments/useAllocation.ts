import { useState } from 'react';
import { useSend } from '../sending/useSend.ts';
import { useMemoryDrafts, useSeen } from '../drafts/useDraftStore.ts';
import { useUnsaved } from '../session/unsaved.ts';
import type { Change } from './change.ts';
import { rebased, toggled } from './change.ts';

type Ids = readonly string[];
type Options = {
  /** Saves all changes or none. */
  readonly save: (changes: readonly Change[]) => Promise<unknown>;
  /** Fetches what is stored now, per item. */
  readonly reload: () => Promise<(id: string) => Ids>;
};

/** What was just saved, and whether it took something back. */
type Saved = { readonly changes: readonly Change[]; readonly isUndo: boolean };

/** The unsaved ticks of one step, by item, kept while other items are shown; and the last save, which can be undone. */
export const useAllocation = ({ save, reload }: Options) => {
  const store = useMemoryDrafts<Ids, Ids, readonly Change[]>((ids) => ids);
  const { drafts, troubles } = useSeen(store);
  const [saved, setSaved] = useState<Saved>();
  const changes = Object.entries(drafts).map(([id, { value: to, saw: was }]): Change => ({ id, to, was }));
  useUnsaved(changes.length > 0);
  const put = (id: string, change: Change | undefined) =>
    change ? store.put({ [id]: { value: change.to, saw: change.was } }) : store.discard([id]);

  const storing = useSend({
    act: async (ids: Ids) => {
      let stored: readonly Change[] = [];
      await store.save(
        ids,
        (all) => Object.entries(all).map(([id, { value: to, saw: was }]) => ({ id, to, was })),
        async ({ input }) => {
          await save(input);
          stored = [...stored, ...input];
          return {};
        },
      );
      return stored;
    },
    onDone: (stored) => setSaved(stored.length > 0 ? { changes: stored, isUndo: false } : undefined),
  });
  const undoing = useSend({
    act: async (before: readonly Change[]) => {
      const back = before.map(({ id, to, was }): Change => ({ id, to: was, was: to }));
      await save(back);
      return back;
    },
    onDone: (back) => setSaved({ changes: back, isUndo: true }),
  });
  /** Applies the local changes to what somebody else has stored. */
  const reloading = useSend({
    act: (_: void) => reload(),
    onDone: (boundTo) => {
      for (const change of changes) put(change.id, rebased(change, boundTo(change.id)));
    },
  });

  return {
    changes,
    /** undefined: as it is stored */
    boundTo: (id: string): Ids | undefined => drafts[id]?.value,
    toggle: (id: string, bound: Ids, candidate: string) => {
      setSaved(undefined);
      const draft = drafts[id];
      put(id, toggled({ id, to: draft?.value ?? bound, was: draft?.saw ?? bound }, candidate));
    },
    store: () => void storing.send(changes.map(({ id }) => id)),
    undo: () => saved && void undoing.send(saved.changes),
    reload: () => void reloading.send(),
    pending: storing.pending || undoing.pending || reloading.pending,
    /** Why nothing was saved. */
    trouble: Object.values(troubles).find(({ ofAll }) => ofAll),
    saved,
    hideSaved: () => setSaved(undefined),
  };
};

export type AllocationDrafts = ReturnType<typeof useAllocation>;
