import { test } from 'vitest';
import { eventStoreDbStore } from '../../../events/store/eventstoredb.ts';
import { startEventStore } from '../../support/eventstoredb/server.ts';
import { wholeProduct } from '../whole-product.ts';

test('the whole product with its log in an EventStoreDB: a school, an upload, the markbook, a restart', async () => {
  const server = await startEventStore();
  await wholeProduct(() => eventStoreDbStore({ url: server.url }));
  await server.stop();
});
