import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { afterEach, beforeEach } from 'vitest';
import { eventStoreDbStore } from '../../events/store/eventstoredb.ts';
import type { EventStore } from '../../events/store/port.ts';
import { postgresStore } from '../../events/store/postgres.ts';
import { steadyPool } from '../../events/store/postgres/pool.ts';
import { copyLog } from '../../events/transfer/copy.ts';
import { storeLog } from '../../events/transfer/store.ts';
import { historyProjection } from '../../projections/history/history.ts';
import { logOrigin, requireSameLog } from '../../run/log/log-origin.ts';
import { migrate } from '../../run/database/database.ts';
import { failure } from '../store/seen.ts';
import { startedEngine } from '../projections/marks.ts';
import { startEventStore, type EventStoreServer } from '../support/eventstoredb/server.ts';
import { testDatabase, type TestDatabase } from '../support/postgres.ts';

/** A setting that leads to another log than the one that the read models were filled from. */
export let server: EventStoreServer;
export let database: TestDatabase;
export let inEventStore: EventStore;
export let inPostgres: EventStore;
export let pool: pg.Pool;

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

export const onEventStore = () => requireSameLog({ eventStoreUrl: server.url }, database.url);
export const onPostgres = () => requireSameLog({ eventStoreUrl: undefined }, database.url);
export const ofPostgres = () => logOrigin({ sql: pool, place: 'PostgreSQL' });
export const rows = async <Row extends pg.QueryResultRow>(text: string) => (await pool.query<Row>(text)).rows;
export const sql = (text: string) => pool.query(text);
export const event = (n: number) => ({ id: randomUUID(), type: 'Happened', data: JSON.stringify({ n }), metadata: '{}' });
export const project = async (store: EventStore) => {
  const recognise = () => logOrigin({ sql: pool, place: 'there' }).recognise(store);
  await (await startedEngine({ url: database.url, store, projections: [historyProjection], recognise })).stop();
};
export const refusal = async (start: Promise<void>) => String(await failure(start)).replace('StartError: ', '');
export const idKeptIn = async (dataDir: string) => (await readFile(join(dataDir, 'log-id'), 'utf8')).trim();
export const copied = async (from: EventStore, to: EventStore) => copyLog(storeLog(from, 'one log'), storeLog(to, 'the other'));
