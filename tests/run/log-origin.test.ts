import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventStoreDbStore } from '../../events/store/eventstoredb.ts';
import type { EventStore } from '../../events/store/port.ts';
import { postgresStore } from '../../events/store/postgres.ts';
import { copyLog } from '../../events/transfer/copy.ts';
import { storeLog } from '../../events/transfer/store.ts';
import { historyProjection } from '../../projections/history/history.ts';
import { acceptOrigin, requireSameLog } from '../../run/log-origin.ts';
import { migrate } from '../../run/migrations.ts';
import { failure } from '../contract/seen.ts';
import { startedEngine } from '../projections/marks.ts';
import { startEventStore, type EventStoreServer } from '../support/eventstoredb/server.ts';
import { testDatabase, type TestDatabase } from '../support/postgres.ts';
import { filled } from '../transfer/logs.ts';

/** A setting that leads to another log than the one that the read models were filled from. */
let server: EventStoreServer;
let database: TestDatabase;
let inEventStore: EventStore;
let inPostgres: EventStore;

beforeEach(async () => {
  server = await startEventStore();
  database = await testDatabase();
  await migrate(database.url);
  inEventStore = eventStoreDbStore({ url: server.url });
  inPostgres = postgresStore({ connectionString: database.url });
});
afterEach(async () => {
  await inEventStore.close();
  await inPostgres.close();
  await database.drop();
  await server.stop();
});

const onEventStore = () => requireSameLog({ eventStoreUrl: server.url }, database.url);
const onPostgres = () => requireSameLog({ eventStoreUrl: undefined }, database.url);
const project = async (store: EventStore) => (await startedEngine({ url: database.url, store, projections: [historyProjection] })).stop();
const refusal = async (start: Promise<void>) => String(await failure(start)).replace('StartError: ', '');
const copied = async (from: EventStore, to: EventStore) => copyLog(storeLog(from, 'one log'), storeLog(to, 'the other'));

test('EVENTSTORE_URL that was dropped stops the start in one line: an empty log is not shown, nor an older one', async () => {
  await onEventStore();
  await copied(await filled(20), inEventStore);
  await project(inEventStore);
  await onEventStore();

  const refused =
    /^The read models here were filled from the EventStoreDB 127\.0\.0\.1:\d+, and .* check EVENTSTORE_URL\. Nothing was changed\..*$/;
  expect(await refusal(onPostgres())).toMatch(refused);
  expect(await refusal(onPostgres())).toContain('the log in PostgreSQL is empty');
  await copied(await filled(5), inPostgres);
  expect(await refusal(onPostgres())).toMatch(refused);
  await onEventStore();
});

test('so does an EventStoreDB that is another one, or empty', async () => {
  await copied(await filled(20), inPostgres);
  await project(inPostgres);
  await onPostgres();
  expect(await refusal(onEventStore())).toContain('were filled from PostgreSQL, and the log in the EventStoreDB');
  await copied(await filled(30), inEventStore);
  expect(await refusal(onEventStore())).toContain('their newest event is not in the log in the EventStoreDB');
});

test('a log that was copied as a whole is the same log, whichever way', async () => {
  await copied(await filled(20), inPostgres);
  await project(inPostgres);
  await onPostgres();
  await copied(inPostgres, inEventStore);
  await onEventStore();
  await project(inEventStore);
  await onEventStore();
  await onPostgres();
});

test('an earlier state of the log in its place is a restore, which the engine speaks of; another place can be accepted', async () => {
  await copied(await filled(20), inEventStore);
  await project(inEventStore);
  await onEventStore();
  await copied(await filled(5), inPostgres);
  const act = { by: 'Ada', reason: 'a fresh beginning' };
  expect(await acceptOrigin({ eventStoreUrl: server.url }, database.url, act)).toBe(false);
  expect(await acceptOrigin({ eventStoreUrl: undefined }, database.url, act)).toBe(true);
  await onPostgres();
  await project(inPostgres);
  await onPostgres();
  await onPostgres();
});
