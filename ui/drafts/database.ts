/** A database of this browser, opened when first needed. */
export type BrowserDatabase = {
  /** One transaction on all tables. Resolves once everything is stored; rejects where the browser refuses, or has no room. */
  readonly transaction: <Answer>(
    mode: IDBTransactionMode,
    act: (table: (name: string) => IDBObjectStore) => Promise<Answer>,
  ) => Promise<Answer>;
};

/** @param upgrade makes the tables of this version from those of an earlier one; 0: there was none */
export const browserDatabase = (
  name: string,
  version: number,
  upgrade: (database: IDBDatabase, before: number, transaction: IDBTransaction) => void,
): BrowserDatabase => {
  let opened: Promise<IDBDatabase> | undefined;
  const openedAnew = (): Promise<IDBDatabase> =>
    new Promise((resolve, reject) => {
      const request = indexedDB.open(name, version);
      let isLate = false;
      request.onupgradeneeded = ({ oldVersion }) => {
        if (request.transaction) upgrade(request.result, oldVersion, request.transaction);
      };
      request.onsuccess = () => {
        if (isLate) return request.result.close();
        // A later version of the app in another tab, or the user clearing the site's data: opened again when next needed.
        const gone = () => {
          opened = undefined;
        };
        request.result.onversionchange = () => {
          request.result.close();
          gone();
        };
        request.result.onclose = gone;
        return resolve(request.result);
      };
      request.onerror = () => reject(request.error ?? new Error('IndexedDB is refused'));
      // A tab with an earlier version of the app keeps its database open: typing does not wait until it is closed.
      request.onblocked = () => {
        isLate = true;
        reject(new Error('IndexedDB is held by another tab'));
      };
    });
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
  return {
    transaction: async (mode, act) => {
      const is = await database();
      const running = is.transaction([...is.objectStoreNames], mode);
      const ended = new Promise<void>((resolve, reject) => {
        running.oncomplete = () => resolve();
        running.onerror = () => reject(running.error ?? new Error('IndexedDB failed'));
        running.onabort = () => reject(running.error ?? new Error('IndexedDB is full'));
      });
      let answer;
      try {
        answer = await act((table) => running.objectStore(table));
        // At once, not when the browser has answered each request: so what was typed just before the page closes is kept.
        if (mode === 'readwrite') running.commit();
      } catch (error) {
        ended.catch(() => undefined);
        if (running.error === null) running.abort();
        throw error;
      }
      await ended;
      return answer;
    },
  };
};

/** Every row of an account in a table whose keys begin with it: an empty array sorts after every text. */
export const ofAccount = (accountId: string): IDBKeyRange => IDBKeyRange.bound([accountId], [accountId, []]);

/** `at`: when it was kept, in ms. */
export type RowOfAccount = { readonly accountId: string; readonly at: number };

/** ms: half a year */
const ABANDONED = 180 * 24 * 3_600_000;

/** Deletes what other accounts than this one have left in these tables, once they have changed none of it for ABANDONED. */
export const forgetOthers = ({ transaction }: BrowserDatabase, tables: readonly string[], accountId: string): Promise<void> =>
  transaction('readwrite', async (table) => {
    const changed = new Map<string, number>();
    for (const name of tables)
      // oxlint-disable-next-line no-await-in-loop -- few tables of one transaction
      for (const row of await answerOf<readonly RowOfAccount[]>(table(name).getAll()))
        changed.set(row.accountId, Math.max(changed.get(row.accountId) ?? 0, row.at));
    for (const [other, at] of changed)
      if (other !== accountId && at < Date.now() - ABANDONED) for (const name of tables) table(name).delete(ofAccount(other));
  }).catch(() => undefined);

export const answerOf = <Answer>(request: IDBRequest): Promise<Answer> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result as Answer);
    request.onerror = () => reject(request.error ?? new Error('IndexedDB failed'));
  });
