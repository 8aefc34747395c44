import type { Store } from 'react-admin';
import { localStorageStore, memoryStore } from 'react-admin';

/**
 * What react-admin remembers. The state of lists is forgotten with the page, because a search may contain a person's name and school
 * computers are shared. Named filters stay in the browser, separately for each account.
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
