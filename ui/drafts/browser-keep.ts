import { isLeaving } from '../session/signed-out.ts';
import type { Batch, Draft, Kept } from './drafts.ts';
import type { Keep } from './keep.ts';
import { forgetOffline } from './offline.ts';

/**
 * Drafts in the browser's IndexedDB, separately for each account: they outlast a reload, the end of the session and a closed browser, and
 * another person who logs in on the device neither sees nor sends them. Only ids and marks are kept there (docs/personal-data.md), because
 * forgetting a person does not reach a school's computers. Logging out deletes them.
 */
export const browserKeep = <Value, Saw, Input>(accountId: string): Keep<Value, Saw, Input> => {
  const channel = new BroadcastChannel(`${NAME}-${accountId}`);
  const write = async (act: (tables: Tables) => Promise<void>): Promise<void> => {
    // After a log-out nothing is kept, even if the server still answers.
    if (isLeaving()) return;
    await transaction('readwrite', act);
    channel.postMessage('changed');
  };
  const read = async ({ drafts, batches }: Tables): Promise<Kept<Value, Saw, Input>> => {
    const [typed, sent] = await Promise.all([
      answerOf<readonly Row<Draft<Value, Saw>>[]>(drafts.getAll(of(accountId))),
      answerOf<readonly Row<Batch<Value, Input>>[]>(batches.getAll(of(accountId))),
    ]);
    return { drafts: recordOf(typed), batches: recordOf(sent) };
  };
  return {
    read: async () => {
      let kept: Kept<Value, Saw, Input> | undefined;
      await transaction('readonly', async (tables) => {
        kept = await read(tables);
      });
      return kept ?? { drafts: {}, batches: {} };
    },
    put: (changes) => write(async ({ drafts }) => replace(drafts, accountId, {}, changes)),
    change: (step) =>
      write(async (tables) => {
        const before = await read(tables);
        const after = step(before);
        replace(tables.drafts, accountId, before.drafts, after.drafts);
        replace(tables.batches, accountId, before.batches, after.batches);
      }),
    subscribe: (listener) => {
      channel.addEventListener('message', listener);
      return () => channel.removeEventListener('message', listener);
    },
  };
};

/** The number of drafts that wait on this device; 0 where the browser keeps none. */
export const waitingDrafts = async (accountId: string): Promise<number> => {
  let count = 0;
  await transaction('readonly', async ({ drafts }) => {
    count = await answerOf(drafts.count(of(accountId)));
  }).catch(() => undefined);
  return count;
};

/** Calls the listener whenever a tab has changed an account's drafts, until the returned function is called. */
export const followDrafts = (accountId: string, listener: () => void): (() => void) => {
  const channel = new BroadcastChannel(`${NAME}-${accountId}`);
  channel.addEventListener('message', listener);
  return () => channel.close();
};

/** Deletes an account's drafts from this device, and what opens their page without a network. */
export const forgetDrafts = async (accountId: string): Promise<void> => {
  await forgetOffline(accountId);
  await transaction('readwrite', async ({ drafts, batches }) => {
    drafts.delete(of(accountId));
    batches.delete(of(accountId));
  }).catch(() => undefined);
};

/** Holds a name in all tabs while `act` runs. Without locks (plain http:// addresses) a save may be sent by two tabs, under the same id. */
export const inTurn = (name: string, act: () => Promise<void>): Promise<void> =>
  navigator.locks ? navigator.locks.request(name, act) : act();

const NAME = 'marktrail-drafts';
type Tables = { readonly drafts: IDBObjectStore; readonly batches: IDBObjectStore };
type Row<Of> = { readonly accountId: string; readonly key: string; readonly is: Of };

/** Every row of an account: an empty array sorts after every text. */
const of = (accountId: string): IDBKeyRange => IDBKeyRange.bound([accountId], [accountId, []]);

const recordOf = <Of>(rows: readonly Row<Of>[]): Readonly<Record<string, Of>> => Object.fromEntries(rows.map(({ key, is }) => [key, is]));

/** Writes what differs. Undefined, or absent from `after`: deleted. */
const replace = (
  table: IDBObjectStore,
  accountId: string,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): void => {
  for (const key of Object.keys(before)) if (!Object.hasOwn(after, key)) table.delete([accountId, key]);
  for (const [key, is] of Object.entries(after)) {
    if (is === undefined) table.delete([accountId, key]);
    else if (is !== before[key]) table.put({ accountId, key, is } satisfies Row<unknown>);
  }
};

let opened: Promise<IDBDatabase> | undefined;

/** A refusal is not remembered: whoever frees space, or closes the other tab, is served without a reload. */
const database = (): Promise<IDBDatabase> => {
  if (opened) return opened;
  const opening = openedAnew();
  opened = opening;
  opening.catch(() => {
    if (opened === opening) opened = undefined;
  });
  return opening;
};

const openedAnew = (): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const asked = indexedDB.open(NAME, 1);
    let isLate = false;
    asked.onupgradeneeded = () => {
      for (const table of ['drafts', 'batches']) asked.result.createObjectStore(table, { keyPath: ['accountId', 'key'] });
    };
    asked.onsuccess = () => {
      if (isLate) return asked.result.close();
      // A later version of the app in another tab, or the user clearing the site's data: open anew when it is next needed.
      const gone = () => {
        opened = undefined;
      };
      asked.result.onversionchange = () => {
        asked.result.close();
        gone();
      };
      asked.result.onclose = gone;
      return resolve(asked.result);
    };
    asked.onerror = () => reject(asked.error ?? new Error('IndexedDB is refused'));
    // A tab with an earlier version of the app holds on to it: typing does not wait for it.
    asked.onblocked = () => {
      isLate = true;
      reject(new Error('IndexedDB is held by another tab'));
    };
  });

/** Resolves once everything is stored. */
const transaction = async (mode: IDBTransactionMode, act: (tables: Tables) => Promise<void>): Promise<void> => {
  const running = (await database()).transaction(['drafts', 'batches'], mode);
  const ended = new Promise<void>((resolve, reject) => {
    running.oncomplete = () => resolve();
    running.onerror = () => reject(running.error ?? new Error('IndexedDB failed'));
    running.onabort = () => reject(running.error ?? new Error('IndexedDB is full'));
  });
  try {
    await act({ drafts: running.objectStore('drafts'), batches: running.objectStore('batches') });
    // At once, and not when the browser has answered each request: what was typed just before the page goes is kept.
    if (mode === 'readwrite') running.commit();
  } catch (error) {
    ended.catch(() => undefined);
    if (running.error === null) running.abort();
    throw error;
  }
  await ended;
};

const answerOf = <Answer>(request: IDBRequest): Promise<Answer> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result as Answer);
    request.onerror = () => reject(request.error ?? new Error('IndexedDB failed'));
  });
