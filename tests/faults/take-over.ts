import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterEach, beforeEach, expect } from 'vitest';
import { postgresStore } from '../../events/store/postgres.ts';
import type { EventStore } from '../../events/store/port.ts';
import { startMarktrail, temporaryDataDir, type StartedMarktrail } from '../support/marktrail.ts';
import { testDatabase, type TestDatabase } from '../support/postgres.ts';
import { until } from '../support/until.ts';

/** Two processes that project, of which one works and one stands by. The ledger counts each event of a school once: twice would show. */
export let database: TestDatabase;
let dataDir: ReturnType<typeof temporaryDataDir>;
export let sql: pg.Client;
let store: EventStore;
let school: string;
let projectors: StartedMarktrail[];

beforeEach(async () => {
  database = await testDatabase();
  dataDir = temporaryDataDir();
  sql = new pg.Client({ connectionString: database.url });
  await sql.connect();
  store = postgresStore({ connectionString: database.url });
  school = randomUUID();
  projectors = [];
});

afterEach(async () => {
  for (const { process } of projectors) {
    process.kill('SIGCONT');
    process.kill('SIGKILL');
  }
  await Promise.all(projectors.map(({ ended }) => ended));
  await store.close();
  await sql.end();
  await database.drop();
  dataDir.remove();
});

export const start = (url = database.url, role = 'projector'): StartedMarktrail => {
  const projector = startMarktrail({ DATABASE_URL: url, DATA_DIR: dataDir.path, MASTER_KEY: 'a'.repeat(64), ROLE: role, DEMO: 'no' }, [
    '--without-apps',
  ]);
  projectors.push(projector);
  return projector;
};

let written = 0;
export const write = async (events = 1): Promise<void> => {
  for (let i = 0; i < events; i++) {
    const metadata = { schoolId: school, at: new Date().toISOString(), actor: { accountId: randomUUID(), role: 'admin' } };
    await store.append(
      `entry-${school}.${i % 4}`,
      [{ id: randomUUID(), type: 'Noise', data: '{}', metadata: JSON.stringify(metadata) }],
      'any',
    );
    written += 1;
  }
};
beforeEach(() => {
  written = 0;
});

const counted = async (): Promise<number> =>
  Number(
    (await sql.query('select size from read.ledger_trees where school_id = $1', [school]).catch(() => ({ rows: [] }))).rows[0]?.size ?? 0,
  );
/** Until every event that is written by now is counted once. How soon, `npm run bench -- --only take-over` says. */
export const untilCounted = async (): Promise<void> => {
  await until(async () => (await counted()) >= written);
  expect(await counted()).toBe(written);
};

type Health = { reading: { state: string }; problems: string[]; projections: { state: string; lag?: number }[] };
export const healthOf = async ({ ready }: StartedMarktrail): Promise<Health> =>
  (await (await fetch(`${await ready}/api/health`)).json()) as Health;
export const isIn = (projector: StartedMarktrail, state: string) => until(async () => (await healthOf(projector)).reading.state === state);

/** One that works and one that stands by. */
export const pair = async (url = database.url): Promise<{ first: StartedMarktrail; second: StartedMarktrail }> => {
  const first = start(url);
  await isIn(first, 'live');
  const second = start();
  await isIn(second, 'standing by');
  await write(20);
  await untilCounted();
  return { first, second };
};
