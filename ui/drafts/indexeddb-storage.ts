import { isLeaving } from '../api/signed-out.ts';
import type { RowOfAccount } from './database.ts';
import { answerOf, browserDatabase, forgetOthers, ofAccount } from './database.ts';
import type { Batch, Draft } from './drafts.ts';
import type { DraftStorage } from './store.ts';
import { takeInEarlier } from './earlier.ts';
import { forgetAbandonedPapers, forgetOffline } from './offline.ts';

/**
 * Drafts in the browser's IndexedDB, separately for each account: they outlast a reload, the end of the session and a closed browser, and
 * another person who logs in on the device neither sees nor sends them. Only ids and marks are kept there (docs/personal-data.md), because
 * forgetting a person does not reach a school's computers. Logging out deletes them, and so does time where their author never comes back.
 */
export const indexedDbStorage = <Value, Saw, Input>(accountId: string): DraftStorage<Value, Saw, Input> => {
  const channel = channelOf(accountId);
  const tell = () => channel.postMessage('changed');
  return {
    put: async (changes) => {
      if (isLeaving()) return;
      await database.transaction('readwrite', async (table) => write(table('drafts'), accountId, changes));
      tell();
    },
    change: async (step) => {
      let isChanged = false;
      const after = await database.transaction('readwrite', async (table) => {
        const [drafts, batches] = await Promise.all([
          recordIn<Draft<Value, Saw>>(table('drafts'), accountId),
          recordIn<Batch<Value, Input>>(table('batches'), accountId),
        ]);
        const before = { drafts, batches };
        const next = step(before);
        for (const name of TABLES) {
          const changes = changesIn(before[name], next[name]);
          if (isLeaving() || Object.keys(changes).length === 0) continue;
          isChanged = true;
          write(table(name), accountId, changes);
        }
        return next;
      });
      if (isChanged) tell();
      return after;
    },
    subscribe: (listener) => {
      channel.addEventListener('message', listener);
      return () => channel.removeEventListener('message', listener);
    },
  };
};

/** The number of drafts that wait on this device; 0 where the browser keeps none. */
export const waitingDrafts = (accountId: string): Promise<number> =>
  database.transaction('readonly', (table) => answerOf<number>(table('drafts').count(ofAccount(accountId)))).catch(() => 0);

/** Calls the listener whenever a tab has changed an account's drafts, until the returned function is called. */
export const followDrafts = (accountId: string, listener: () => void): (() => void) => {
  const channel = channelOf(accountId);
  channel.addEventListener('message', listener);
  return () => channel.close();
};

/** Deletes an account's drafts from this device, and what opens their page without a network. */
export const forgetDrafts = async (accountId: string): Promise<void> => {
  await forgetOffline(accountId);
  await database
    .transaction('readwrite', async (table) => {
      for (const name of TABLES) table(name).delete(ofAccount(accountId));
    })
    .catch(() => undefined);
};

/** Deletes what other accounts have left on this device. What belongs to `accountId` stays: it is shown to them, and they decide. */
export const forgetAbandoned = async (accountId: string): Promise<void> => {
  await forgetAbandonedPapers(accountId);
  await forgetOthers(database, TABLES, accountId);
};

/** Holds a name in all tabs while `act` runs. Without locks (plain http:// addresses) a save may be sent by two tabs, under the same id. */
export const inTurn = (name: string, act: () => Promise<void>): Promise<void> =>
  navigator.locks ? navigator.locks.request(name, act) : act();

const NAME = 'marktrail-drafts';
const TABLES = ['drafts', 'batches'] as const;
/** One draft, or one batch. Permanent: rows outlast an upgrade. */
type Row<Of> = RowOfAccount & { readonly key: string; readonly is: Of };

const database = browserDatabase(NAME, 2, (made, before, transaction) => {
  if (before === 1) takeInEarlier(transaction).catch(() => transaction.abort());
  else for (const name of TABLES) made.createObjectStore(name, { keyPath: ['accountId', 'key'] });
});

/** One for each account, so that nobody hears of another's. */
const channelOf = (accountId: string): BroadcastChannel => new BroadcastChannel(`${NAME}-${accountId}`);

const recordIn = async <Of>(table: IDBObjectStore, accountId: string): Promise<Readonly<Record<string, Of>>> =>
  Object.fromEntries((await answerOf<readonly Row<Of>[]>(table.getAll(ofAccount(accountId)))).map(({ key, is }) => [key, is]));

type Changes = Readonly<Record<string, unknown>>;

/** What a step has not left as it was; undefined: it is gone. */
const changesIn = (before: Changes, after: Changes): Changes => ({
  ...Object.fromEntries(Object.keys(before).flatMap((key) => (Object.hasOwn(after, key) ? [] : [[key, undefined]]))),
  ...Object.fromEntries(Object.entries(after).filter(([key, is]) => is !== before[key])),
});

const write = (table: IDBObjectStore, accountId: string, changes: Changes): void => {
  for (const [key, is] of Object.entries(changes))
    if (is === undefined) table.delete([accountId, key]);
    else table.put({ accountId, key, is, at: Date.now() } satisfies Row<unknown>);
};
