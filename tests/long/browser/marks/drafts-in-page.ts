import { ApiRefusal } from '../../../../ui/api/failure.ts';
import { indexedDbStorage, inTurn, waitingDrafts } from '../../../../ui/drafts/indexeddb-storage.ts';
import type { Batch } from '../../../../ui/drafts/drafts.ts';
import { DraftStore } from '../../../../ui/drafts/store.ts';

/** The store of drafts over this browser's own IndexedDB, as a page has it; the test types into it, and answers what it sends. */

export type Answer = 'stored' | 'silence' | 'refused';
declare global {
  interface Window {
    readonly answered: (id: string, values: Readonly<Record<string, string>>) => Promise<Answer>;
    readonly typing: typeof typing;
  }
}

const send = async ({ id, values }: Batch<string, null>) => {
  const answer = await window.answered(id, values);
  if (answer === 'silence') throw new Error('No answer arrived.');
  if (answer === 'refused') throw new ApiRefusal({ type: 'about:blank', title: 'Not now.', status: 409, code: 'refused' });
  return {};
};

const store = new DraftStore<string, string, null>(indexedDbStorage('ada'), { sawOf: (value) => value, inTurn });
store.open();

const typing = {
  /** Resolves once what is kept has been read; then what was left on its way goes. */
  opened: async (): Promise<void> => {
    if (!store.seen().isOpen)
      await new Promise<void>((resolve) => {
        const leave = store.subscribe(() => {
          if (!store.seen().isOpen) return;
          leave();
          resolve();
        });
      });
    store.resume(send);
  },
  type: (values: Readonly<Record<string, string>>): void =>
    store.type(Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { value, saw: '' }]))),
  takeBack: (keys: readonly string[]): void => store.discard(keys),
  save: (keys: readonly string[]): Promise<boolean> => store.save(keys, () => null, send),
  drafts: (): Readonly<Record<string, string>> =>
    Object.fromEntries(Object.entries(store.seen().drafts).map(([key, { value }]) => [key, value])),
  onTheirWay: (): number => Object.keys(store.seen().batches).length,
  isKept: (): boolean => store.seen().isKept,
  waiting: waitingDrafts,
};
Object.assign(window, { typing });
