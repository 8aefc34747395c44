import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventStoreDbStore } from '../../events/store/eventstoredb.ts';
import { withCircuitBreaker } from '../../events/store/circuit-breaker.ts';
import { IDENTITY_STREAM, identityOf, newIdentity } from '../../events/store/identity.ts';
import { memoryStore } from '../../events/store/memory.ts';
import type { EventStore } from '../../events/store/port.ts';
import { postgresStore } from '../../events/store/postgres.ts';
import { steadyPool } from '../../events/store/postgres/pool.ts';
import { copyLog } from '../../events/transfer/copy.ts';
import { storeLog } from '../../events/transfer/store.ts';
import { historyProjection } from '../../projections/history/history.ts';
import { acceptOrigin, logOrigin, requireSameLog } from '../../run/log/log-origin.ts';
import { migrate } from '../../run/database/migrations.ts';
import { failure } from '../store/seen.ts';
import { startedEngine } from '../projections/marks.ts';
import { startEventStore, type EventStoreServer } from '../support/eventstoredb/server.ts';
import { testDatabase, type TestDatabase } from '../support/postgres.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { filled } from '../transfer/logs.ts';

/** A setting that leads to another log than the one that the read models were filled from. */
let server: EventStoreServer;
let database: TestDatabase;
let inEventStore: EventStore;
let inPostgres: EventStore;
let pool: pg.Pool;

beforeEach(async () => {
  server = await startEventStore();
  database = await testDatabase();
  await migrate(database.url);
  pool = steadyPool({ connectionString: database.url, max: 4 });
  inEventStore = eventStoreDbStore({ url: server.url });
  inPostgres = postgresStore({ connectionString: database.url });
});
afterEach(async () => {
  await inEventStore.close();
  await inPostgres.close();
  await pool.end();
  await database.drop();
  await server.stop();
});

const onEventStore = () => requireSameLog({ eventStoreUrl: server.url }, database.url);
const onPostgres = () => requireSameLog({ eventStoreUrl: undefined }, database.url);
const ofPostgres = () => logOrigin({ sql: pool, place: 'PostgreSQL' });
const rows = async <Row extends pg.QueryResultRow>(text: string) => (await pool.query<Row>(text)).rows;
const sql = (text: string) => pool.query(text);
const event = (n: number) => ({ id: randomUUID(), type: 'Happened', data: JSON.stringify({ n }), metadata: '{}' });
const project = async (store: EventStore) => {
  const recognise = () => logOrigin({ sql: pool, place: 'there' }).recognise(store);
  await (await startedEngine({ url: database.url, store, projections: [historyProjection], recognise })).stop();
};
const refusal = async (start: Promise<void>) => String(await failure(start)).replace('StartError: ', '');
const idKeptIn = async (dataDir: string) => (await readFile(join(dataDir, 'log-id'), 'utf8')).trim();
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

test('an earlier state of the log is not followed either, in its own place or in another, until it is accepted', async () => {
  const log = await filled(20);
  await copied(log, inPostgres);
  await onPostgres();
  await project(inPostgres);
  await sql('delete from log.events where position > 5');
  expect(await refusal(onPostgres())).toContain('were filled from PostgreSQL, and their newest event is not in the log in PostgreSQL');
  await copied(await filled(5), inEventStore);
  expect(await refusal(onEventStore())).toContain('their newest event is not in the log in the EventStoreDB');

  const act = { by: 'Ada', reason: 'a fresh beginning' };
  expect(await acceptOrigin({ eventStoreUrl: undefined }, database.url, act)).toBe(true);
  expect(await acceptOrigin({ eventStoreUrl: undefined }, database.url, act)).toBe(false);
  await onPostgres();
  await project(inPostgres);
  await onPostgres();
  await onPostgres();
});

describe('the identity of a log', () => {
  test('is no event of an empty log; an old log gets one, and two processes at once agree on it', async () => {
    await onPostgres();
    expect(await inPostgres.head()).toBe(0n);
    await copied(await filled(3), inPostgres);
    await Promise.all([onPostgres(), onPostgres(), onPostgres()]);
    const found = [];
    for await (const { type } of inPostgres.read('log-00000000-0000-0000-0000-000000000000')) found.push(type);
    expect(found).toEqual(['LogStarted']);
    const kept = await rows<{ id: string }>('select distinct log_id as id from operations.log_origin where log_id is not null');
    expect(kept).toEqual([{ id: await identityOf(inPostgres) }]);
  });

  test('precedes the first event of a school, drawn at random, also where two processes begin at once', async () => {
    const processes = [1, 2].map(() => withCircuitBreaker(postgresStore({ connectionString: database.url }), ofPostgres()));
    await Promise.all(processes.map((store, n) => store.append(`thing-${randomUUID()}`, [event(n)], 'none')));
    const types = [];
    for await (const { type } of inPostgres.readAll('start')) types.push(type);
    expect(types).toEqual(['LogStarted', 'Happened', 'Happened']);
    await Promise.all(processes.map((store) => store.close()));
  });

  test('tells another log before any read model has seen an event, also by DATA_DIR alone when the database is new', async () => {
    const dataDir = scratchDirectory();
    await copied(await filled(3), inEventStore);
    await requireSameLog({ eventStoreUrl: server.url, dataDir }, database.url);
    await copied(await filled(3), inPostgres);
    await inPostgres.append(IDENTITY_STREAM, [newIdentity(new Date())], 'none');
    const other = await identityOf(inPostgres);
    expect(await refusal(requireSameLog({ eventStoreUrl: undefined, dataDir }, database.url))).toContain(
      `in PostgreSQL is the log ${other}`,
    );

    const fresh = await testDatabase();
    await migrate(fresh.url);
    const refused = await refusal(requireSameLog({ eventStoreUrl: undefined, dataDir }, fresh.url));
    expect(refused).toContain(`DATA_DIR belongs to the log ${await identityOf(inEventStore)}, and the log in PostgreSQL is empty`);
    await requireSameLog({ eventStoreUrl: server.url, dataDir }, fresh.url);
    await acceptOrigin({ eventStoreUrl: undefined, dataDir }, fresh.url, { by: 'Ada', reason: 'a fresh beginning' });
    await requireSameLog({ eventStoreUrl: undefined, dataDir }, fresh.url);
    await fresh.drop();
    rmSync(dataDir, { recursive: true });
  });

  test('that a backup of before it had one lacks is no proof of another log: the operator is told both, and decides', async () => {
    const dataDir = scratchDirectory();
    await copied(await filled(3), inPostgres);
    await requireSameLog({ eventStoreUrl: undefined, dataDir }, database.url);
    const backup = await testDatabase();
    const restored = postgresStore({ connectionString: backup.url });
    await copied(await filled(3), restored);
    const start = () => requireSameLog({ eventStoreUrl: undefined, dataDir }, backup.url);
    expect(await refusal(start())).toContain('has no identity: it is another one, or of a time before logs had one');
    await acceptOrigin({ eventStoreUrl: undefined, dataDir }, backup.url, { by: 'Ada', reason: 'a backup of last year' });
    await start();
    await start();
    expect(await identityOf(restored)).toBe(await idKeptIn(dataDir));
    await restored.close();
    await backup.drop();
    rmSync(dataDir, { recursive: true });
  });

  test('as it was written first, it is read for ever', async () => {
    const log = memoryStore();
    await log.append('log-00000000-0000-0000-0000-000000000000', [GOLDEN], 'none');
    expect(await identityOf(log)).toBe('1f0e6c1c-9a51-4c86-8a5e-0d5a9b0f7e21');
  });
});

const GOLDEN = {
  id: '7c5b6f0e-3a3e-4a0f-9a65-5b1d7e1f2a33',
  type: 'LogStarted',
  data: '{"logId":"1f0e6c1c-9a51-4c86-8a5e-0d5a9b0f7e21"}',
  metadata: '{"schemaVersion":1,"at":"2026-11-22T13:00:00.000Z"}',
};
