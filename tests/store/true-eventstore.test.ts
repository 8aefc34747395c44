import { randomUUID } from 'node:crypto';
import { afterAll, test } from 'vitest';
import { eventStoreDbStore } from '../../events/store/eventstoredb.ts';
import type { EventStore } from '../../events/store/port.ts';
import { Wire } from '../faults/wire.ts';
import { trueEventStore } from '../support/true-eventstore.ts';
import { eventStoreContract } from './event-store.ts';
import { windowOn } from './logs/window.ts';
import type { OpenLog } from './open-log.ts';
import { wholeProduct } from './whole-product.ts';

/** The contract and the product once more, on a true EventStoreDB: what stands in for one elsewhere is only as true as whoever wrote it. */
const server = await trueEventStore();

const notRun = (why: string): void => {
  for (const what of ['the contract of the event store', 'the whole product'])
    test.skip(`NOT RUN: ${what} on a true EventStoreDB, because ${why}`, () => undefined);
};

if ('why' in server) notRun(server.why);
else {
  afterAll(server.stop);
  const name = server.standsIn ? 'the stand-in in a process of its own' : 'a true EventStoreDB';
  if (server.standsIn) notRun('EVENTSTORE_TEST_URL names the stand-in for one');
  eventStoreContract(`eventstoredb, ${name}`, () => logOn(server.url));
  test(`the whole product on ${name}: a school, an upload, the markbook, a restart`, async () => {
    const [tag, base] = await window(server.url);
    await wholeProduct(() => windowOn(eventStoreDbStore({ url: server.url }), tag, base));
  });
}

/** An empty log by its looks, through a wire that can be cut. */
async function logOn(url: string): Promise<OpenLog> {
  const [tag, base] = await window(url);
  const wire = await Wire.to(url);
  const stores: EventStore[] = [];
  const join = (options: { timeoutMs?: number } = {}) => {
    const store = windowOn(eventStoreDbStore({ url: wire.url, ...options }), tag, base);
    stores.push(store);
    return store;
  };
  return {
    store: join(),
    join,
    idsAreUnique: false,

    async cut() {
      wire.cut();
      await new Promise((heard) => setImmediate(heard));
      wire.speak();
    },

    async silence() {
      wire.silence();
      return async () => wire.speak();
    },

    async close() {
      await Promise.all(stores.map((store) => store.close()));
      wire.close();
    },
  };
}

async function window(url: string): Promise<[tag: string, base: bigint]> {
  const store = eventStoreDbStore({ url });
  const base = await store.head();
  await store.close();
  return [`test-${randomUUID()}/`, base];
}
