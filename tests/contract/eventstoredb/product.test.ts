import { binaryEvent, EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { test } from 'vitest';
import { eventStoreDbStore } from '../../../events/store/eventstoredb.ts';
import { startEventStore } from '../../support/eventstoredb/server.ts';
import { by } from './server/given.ts';
import { wholeProduct } from '../whole-product.ts';

test('the whole product with its log in an EventStoreDB: a school, an upload, the markbook, a restart', async () => {
  const server = await startEventStore();
  await wholeProduct(() => eventStoreDbStore({ url: server.url }));
  await server.stop();
});

test('what others keep in the same EventStoreDB, or have deleted from it, disturbs nobody', async () => {
  const server = await startEventStore();
  const client = EventStoreDBClient.connectionString(server.url);
  const append = async (stream: string, ...events: Parameters<typeof client.appendToStream>[1][]) =>
    client.appendToStream(stream, events.flat(), by('classic'));
  const bytes = Buffer.from([0xff, 0x00, 0x22]);
  for (const stream of ['orders-1', 'orders-2', 'orders-3'])
    await append(stream, jsonEvent({ type: 'TotalsUploaded', data: { not: 'ours' } }), binaryEvent({ type: 'MarksEntered', data: bytes }));
  await append('orders-1', jsonEvent({ type: 'Ordered', data: 'text', metadata: 'text' }), jsonEvent({ type: '$>', data: '0@orders-2' }));
  await append('$stats-127.0.0.1:2113', jsonEvent({ type: '$statsCollected', data: {} }));
  await append('$$orders-1', jsonEvent({ type: '$metadata', data: { $maxCount: 1 } }));
  await client.deleteStream('orders-2');
  await client.tombstoneStream('orders-3');

  await wholeProduct(() => eventStoreDbStore({ url: server.url }));
  await client.dispose();
  await server.stop();
});
