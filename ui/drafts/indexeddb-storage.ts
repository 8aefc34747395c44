import { uuid } from '../api/uuid.ts';
import { isLeaving } from '../api/signed-out.ts';
import type { Batch, Draft, DraftState } from './drafts.ts';
import { same } from './drafts.ts';
import type { DraftStorage } from './draft-storage.ts';
import type { Journalled, Removed, Unwritten } from './journal.ts';
import { followJournals, forgetJournals, isRemoved, leftOf, readJournals, withoutDrafts, writeJournal } from './journal.ts';
import { ABANDONED, forgetAbandonedPapers, forgetOffline } from './offline.ts';
import type { DraftRow } from './rows.ts';
import { draftsIn, isBlock, rewritten, rowsOf } from './rows.ts';

/**
 * Drafts in the browser's IndexedDB, separately for each account: they outlast a reload, the end of the session and a closed browser, and
 * another person who logs in on the device neither sees nor sends them. Only ids and marks are kept there (docs/personal-data.md), because
 * forgetting a person does not reach a school's computers. Logging out deletes them, and so does time where their author never comes back.
 */
export const indexedDbStorage = <Value, Saw, Input>(accountId: string): DraftStorage<Value, Saw, Input> => {
  const channel = new BroadcastChannel(`${NAME}-${accountId}`);
  const write = async (act: (tables: Tables) => Promise<void>): Promise<void> => {
    // After a log-out nothing is kept, even if the server still answers.
    if (isLeaving()) return;
    await transaction('readwrite', act);
    channel.postMessage('changed');
  };
  /** Typed or removed, and not written yet. */
  const unwritten = new Set<Unwritten>();
  const journal = uuid();
  const leave = (): void => {
    if (unwritten.size > 0 && !isLeaving()) writeJournal(journal, leftOf(unwritten));
  };
  /** The page was only put aside, and goes on writing. */
  const back = ({ persisted }: PageTransitionEvent): void => {
    if (persisted) writeJournal(journal, []);
  };
  /** The order of the newest row that is known here. */
  let newest = 0;
  /** Whether there may be blocks, from which a draft must be taken out. Never false again: what was read may be older than what was written. */
  let hasBlocks = false;
  const later = (): number => {
    newest = Math.max(newest + 1, Date.now());
    return newest;
  };
  const rowsIn = async (drafts: IDBObjectStore): Promise<readonly Row<Value, Saw>[]> => {
    const rows = await answerOf<readonly Row<Value, Saw>[]>(drafts.getAll(of(accountId)));
    newest = rows.reduce((most, { order = 0 }) => Math.max(most, order), newest);
    hasBlocks ||= rows.some(isBlock);
    return rows;
  };
  const sentIn = async (batches: IDBObjectStore) =>
    recordOf(await answerOf<readonly BatchRow<Batch<Value, Input>>[]>(batches.getAll(of(accountId))));
  const dated = (rows: readonly DraftRow<Draft<Value, Saw>>[]): readonly Row<Value, Saw>[] =>
    rows.map((row) => ({ accountId, ...row, at: Date.now() }));
  const put = (drafts: IDBObjectStore, rows: readonly Row<Value, Saw>[]): void => {
    hasBlocks ||= rows.some(isBlock);
    for (const row of rows) drafts.put(row);
  };
  const rewrite = (drafts: IDBObjectStore, rows: readonly Row<Value, Saw>[], after: Readonly<Record<string, Draft<Value, Saw>>>): void => {
    const { gone, put: written } = rewritten(rows, after, {
      order: later(),
      id: uuid(),
      isSame: (one, other) => same(one.value, other.value),
    });
    for (const key of gone) drafts.delete([accountId, key]);
    put(drafts, dated(written));
  };
  return {
    read: async () => {
      await takeInJournals();
      let state: DraftState<Value, Saw, Input> | undefined;
      await transaction('readonly', async ({ drafts, batches }) => {
        const [rows, sent] = await Promise.all([rowsIn(drafts), sentIn(batches)]);
        state = { drafts: draftsIn(rows), batches: sent };
      });
      return state ?? { drafts: {}, batches: {} };
    },
    put: async (changes) => {
      const typed: Record<string, Draft<Value, Saw>> = {};
      const gone: string[] = [];
      for (const [key, is] of Object.entries(changes))
        if (is) typed[key] = is;
        else gone.push(key);
      const order = later();
      const rows = dated(rowsOf(typed, order, uuid()));
      const writing: Unwritten = { rows, gone: gone.map((key) => ({ accountId, key, order, isGone: true })) };
      unwritten.add(writing);
      try {
        await write(async ({ drafts }) => {
          put(drafts, rows);
          for (const key of gone) drafts.delete([accountId, key]);
          if (gone.length === 0 || !hasBlocks) return;
          const all = await rowsIn(drafts);
          const left = new Set(gone);
          rewrite(drafts, all, Object.fromEntries(Object.entries(draftsIn(all)).filter(([key]) => !left.has(key))));
        });
      } finally {
        unwritten.delete(writing);
      }
    },
    change: (step) =>
      write(async ({ drafts, batches }) => {
        const [rows, sent] = await Promise.all([rowsIn(drafts), sentIn(batches)]);
        const after = step({ drafts: draftsIn(rows), batches: sent });
        rewrite(drafts, rows, after.drafts);
        replace(batches, accountId, sent, after.batches);
      }),
    subscribe: (listener) => {
      channel.addEventListener('message', listener);
      window.addEventListener('pagehide', leave);
      window.addEventListener('pageshow', back);
      const unfollow = followJournals(listener);
      return () => {
        channel.removeEventListener('message', listener);
        window.removeEventListener('pagehide', leave);
        window.removeEventListener('pageshow', back);
        unfollow();
      };
    },
  };
};

/** Writes what closed pages have left, of every account, where nothing newer is written; where that fails, it is left. One tab at a time. */
const takeInJournals = async (): Promise<void> => {
  if (readJournals().size === 0) return;
  await inTurn('marktrail-journals', async () => {
    const journals = readJournals();
    const entries = [...journals.values()].flat().toSorted((one, other) => (one.order ?? 0) - (other.order ?? 0));
    await transaction('readwrite', async ({ drafts }) => {
      // oxlint-disable-next-line no-await-in-loop -- there are few
      for (const entry of entries) await (isRemoved(entry) ? takeOut(drafts, entry) : takeIn(drafts, entry));
    });
    for (const id of journals.keys()) writeJournal(id, []);
    for (const accountId of new Set(entries.map((entry) => entry.accountId))) {
      const channel = new BroadcastChannel(`${NAME}-${accountId}`);
      channel.postMessage('changed');
      channel.close();
    }
  }).catch(() => undefined);
};

const takeIn = async (drafts: IDBObjectStore, row: Journalled): Promise<void> => {
  const before = await answerOf<Journalled | undefined>(drafts.get([row.accountId, row.key]));
  if ((before?.order ?? 0) < (row.order ?? 0)) drafts.put(row);
};

const takeOut = async (drafts: IDBObjectStore, { accountId, key, order }: Removed): Promise<void> => {
  for (const row of await answerOf<readonly Journalled[]>(drafts.getAll(of(accountId)))) {
    if ((row.order ?? 0) >= order) continue;
    const [left] = withoutDrafts(row, new Set([key]));
    if (left === undefined) drafts.delete([accountId, row.key]);
    else if (isBlock(row)) drafts.put(left);
  }
};

/** The number of drafts that wait on this device; 0 where the browser keeps none. */
export const waitingDrafts = async (accountId: string): Promise<number> => {
  let count = 0;
  await takeInJournals();
  await transaction('readonly', async ({ drafts }) => {
    count = Object.keys(draftsIn(await answerOf<readonly Row<unknown, unknown>[]>(drafts.getAll(of(accountId))))).length;
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
  forgetJournals(accountId);
  await forgetOffline(accountId);
  await transaction('readwrite', async ({ drafts, batches }) => {
    drafts.delete(of(accountId));
    batches.delete(of(accountId));
  }).catch(() => undefined);
};

/**
 * Deletes what other accounts have left on this device, once they have not changed it for ABANDONED. What belongs to `accountId`, who is
 * logged in, stays: it is shown to them, and they decide.
 */
export const forgetAbandoned = async (accountId: string): Promise<void> => {
  await forgetAbandonedPapers(accountId);
  await takeInJournals();
  await transaction('readwrite', async ({ drafts, batches }) => {
    const now = Date.now();
    const changed = new Map<string, number>();
    for (const table of [drafts, batches])
      // oxlint-disable-next-line no-await-in-loop -- two tables of one transaction
      for (const row of await answerOf<readonly AgedRow[]>(table.getAll())) {
        const at = row.at ?? row.since ?? now;
        if (row.at === undefined && row.since === undefined) table.put({ ...row, since: now } satisfies AgedRow);
        changed.set(row.accountId, Math.max(changed.get(row.accountId) ?? 0, at));
      }
    for (const [other, at] of changed) {
      if (other === accountId || at > now - ABANDONED) continue;
      drafts.delete(of(other));
      batches.delete(of(other));
    }
  }).catch(() => undefined);
};

/** Holds a name in all tabs while `act` runs. Without locks (plain http:// addresses) a save may be sent by two tabs, under the same id. */
export const inTurn = (name: string, act: () => Promise<void>): Promise<void> =>
  navigator.locks ? navigator.locks.request(name, act) : act();

const NAME = 'marktrail-drafts';
type Tables = { readonly drafts: IDBObjectStore; readonly batches: IDBObjectStore };
type Row<Value, Saw> = DraftRow<Draft<Value, Saw>> & { readonly accountId: string; readonly at?: number };
/** `at`: when it was kept, in ms. Rows of earlier versions have none. */
type BatchRow<Of> = { readonly accountId: string; readonly key: string; readonly is: Of; readonly at?: number };
/** `since`: for a row without `at`, when it was first met. Such a row must not seem newer than rows with `at`. */
type AgedRow = { readonly accountId: string; readonly key: string; readonly at?: number; readonly since?: number };

/** Every row of an account: an empty array sorts after every text. */
const of = (accountId: string): IDBKeyRange => IDBKeyRange.bound([accountId], [accountId, []]);

const recordOf = <Of>(rows: readonly BatchRow<Of>[]): Readonly<Record<string, Of>> =>
  Object.fromEntries(rows.map(({ key, is }) => [key, is]));

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
    else if (is !== before[key]) table.put({ accountId, key, is, at: Date.now() } satisfies BatchRow<unknown>);
  }
};

let opened: Promise<IDBDatabase> | undefined;

/** A refusal is not remembered: freeing space or closing the other tab helps without a reload. */
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
      // A later version of the app in another tab, or the user clearing the site's data: opened again when next needed.
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
    // At once, not when the browser has answered each request: so what was typed just before the page closes is kept.
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
