import type { Store } from 'react-admin';
import { localStorageStore, memoryStore } from 'react-admin';

/**
 * What react-admin remembers. Where a list was left is forgotten with the page, because words that were searched for may be somebody's name
 * and computers of schools are shared; filters that were saved under a name stay in the browser, each account's for itself.
 */
export const createStore = (accountId: string): Store => {
  const [passing, kept] = [memoryStore(), localStorageStore('1', accountId)];
  const of = (key: string): Store => (key.endsWith('.savedQueries') ? kept : passing);
  return {
    setup: () => {
      passing.setup();
      kept.setup();
    },
    teardown: () => {
      passing.teardown();
      kept.teardown();
    },
    getItem: (key, byDefault) => of(key).getItem(key, byDefault),
    setItem: (key, value) => of(key).setItem(key, value),
    removeItem: (key) => of(key).removeItem(key),
    removeItems: (prefix) => passing.removeItems(prefix),
    reset: () => passing.reset(),
    subscribe: (key, callback) => of(key).subscribe(key, callback),
  };
};
