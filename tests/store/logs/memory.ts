import { memoryStore } from '../../support/memory-store.ts';
import type { OpenLog } from '../open-log.ts';

/** The store in memory: all who join share it, and its faults are its own. */
export const memoryLog = async (): Promise<OpenLog> => {
  const store = memoryStore();
  return {
    store,
    join: () => store,
    idsAreUnique: true,
    cut: async () => store.faults.cut(),
    silence: async () => {
      const speak = store.faults.silence();
      return async () => speak();
    },
    close: () => store.close(),
  };
};
