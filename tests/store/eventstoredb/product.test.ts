import { randomUUID } from 'node:crypto';
import { binaryEvent, EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { expect, test } from 'vitest';
import { eventStoreDbStore } from '../../../events/store/eventstoredb.ts';
import { startEventStore } from '../../support/eventstoredb/server.ts';
import { openProduct } from '../../support/product.ts';
import { openSchool } from '../../support/school.ts';
import { all } from '../seen.ts';
import { wholeProduct } from '../whole-product.ts';

test('the whole product with its log in an EventStoreDB: a school, an upload, the markbook, a restart', async () => {
  const server = await startEventStore();
  await wholeProduct(() => eventStoreDbStore({ url: server.url }));
  await server.stop();
});

test('a server that takes less in one append gets smaller parts; from one that takes next to nothing it is a refusal', async () => {
  const server = await startEventStore();
  const school = await openSchool({ store: async () => eventStoreDbStore({ url: server.url }) });
  const admin = await school.as('admin');
  const students = (letter: string) => ({
    subjectId: school.ids.maths,
    fileName: 'large.csv',
    rows: Array.from({ length: 600 }, (_, n) => ({
      admissionNo: `${letter}${n}`,
      name: `${n}`.padEnd(50, 'ệ'),
      set: '11C',
      dateOfBirth: null,
    })),
  });
  server.faults.maxAppendSize = 60_000;
  expect((await admin.command('ImportStudents', students('A'))).body.result).toMatchObject({ added: 600 });
  expect((await all(school.backend.store.read(`roster-${school.schoolId}`))).filter(({ type }) => type === 'Part').length).toBeGreaterThan(
    2,
  );

  server.faults.maxAppendSize = 5_000;
  const before = server.size;
  const refused = await admin.command('ImportStudents', students('B'));
  expect(refused).toMatchObject({ status: 413, body: { title: 'This is more than can be stored at once. Nothing was changed.' } });
  expect(refused.body.detail).toContain('appends of more than 5000 bytes');
  expect(server.size).toBe(before);
  await school.close();
  await server.stop();
});

test('one key for two requests, which two processes get at the same moment, is one of them', async () => {
  const server = await startEventStore();
  const open = { store: async () => eventStoreDbStore({ url: server.url }) };
  const school = await openSchool(open);
  const elsewhere = await openProduct(school.databaseUrl, open);
  const [here, there] = [await school.as('admin'), await school.signIn('admin', elsewhere)];
  // Both have decided before either is written.
  server.faults.next('append', { kind: 'slow', ms: 500 }, 2);
  const key = randomUUID();
  const names = ['North School', 'South School'];
  const answers = await Promise.all([here, there].map((client, n) => client.command('RenameSchool', { name: names[n] }, { key })));
  expect(answers.map(({ status, body }) => body.code ?? status).toSorted()).toEqual([200, 'key-reused']);
  expect(await here.ask('me')).toMatchObject({ school: { name: names[answers.findIndex(({ status }) => status === 200)] } });
  await elsewhere.close();
  await school.close();
  await server.stop();
});

test('what others keep in the same EventStoreDB, or have deleted from it, disturbs nobody', async () => {
  const server = await startEventStore();
  const client = EventStoreDBClient.connectionString(server.url);
  const append = async (stream: string, ...events: Parameters<typeof client.appendToStream>[1][]) =>
    client.appendToStream(stream, events.flat(), { credentials: { username: 'admin', password: 'changeit' } });
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
