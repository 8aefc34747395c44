import { setImmediate as nextTurn } from 'node:timers/promises';
import { eventStoreDbStore } from '../../../events/store/eventstoredb.ts';
import type { EventStore } from '../../../events/store/port.ts';
import { startEventStore } from '../../support/eventstoredb/server.ts';
import type { EventStoreServer } from '../../support/eventstoredb/server.ts';
import type { OpenLog } from '../open-log.ts';

/** A log, and the protocol test server that holds it. */
export type EventStoreDbLog = OpenLog & { readonly server: EventStoreServer };

export const eventStoreDbLog = async (): Promise<EventStoreDbLog> => {
  const server = await startEventStore();
  const stores: EventStore[] = [];
  const join = (options: { timeoutMs?: number } = {}) => {
    const store = eventStoreDbStore({ url: server.url, ...options });
    stores.push(store);
    return store;
  };

  return {
    server,
    store: join(),
    join,
    idsAreUnique: false,

    async cut() {
      server.cut();
      await nextTurn(); // the other side has to hear of it
    },

    async silence() {
      server.faults.silence();
      return async () => server.faults.clear();
    },

    async close() {
      await Promise.all(stores.map((store) => store.close()));
      await server.stop();
    },
  };
};
