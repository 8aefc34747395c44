import type { Store } from 'react-admin';
import { localStorageStore, memoryStore } from 'react-admin';
import { readConsent } from '../../ui/site/consent.ts';

/**
 * What react-admin remembers. The state of lists is forgotten with the page, because a search may contain a person's name and school
 * computers are shared. Named filters stay in the browser, separately for each account, where cookies that are not essential were accepted.
 */
export const createStore = (accountId: string): Store => {
  const [passing, kept] = [memoryStore(), localStorageStore('1', accountId)];
  const isNamed = (key: string): boolean => key.endsWith('.savedQueries');
  // Asked each time: it may be accepted or declined while the page is open.
  const mayKeep = (key: string): boolean => isNamed(key) && readConsent() === 'accepted';
  return {
    setup: () => {
      passing.setup();
      kept.setup();
    },
    teardown: () => {
      passing.teardown();
      kept.teardown();
    },
    getItem: (key, byDefault) => {
      const value = passing.getItem(key, byDefault);
      return mayKeep(key) ? kept.getItem(key, value) : value;
    },
    setItem: (key, value) => {
      passing.setItem(key, value);
      if (mayKeep(key)) kept.setItem(key, value);
    },
    removeItem: (key) => {
      passing.removeItem(key);
      if (isNamed(key)) kept.removeItem(key);
    },
    removeItems: (prefix) => passing.removeItems(prefix),
    reset: () => passing.reset(),
    subscribe: (key, callback) => {
      const ends = [passing, ...(isNamed(key) ? [kept] : [])].map((store) => store.subscribe(key, callback));
      return () => ends.forEach((end) => end());
    },
  };
};
