import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { postgresStore } from '../../events/store/postgres.ts';
import type { EventStore } from '../../events/store/port.ts';
import { startMarktrail, temporaryDataDir, type StartedMarktrail } from '../support/marktrail.ts';
import { testDatabase, type TestDatabase } from '../support/postgres.ts';
import { Wire } from './wire.ts';

/** Two processes that project, of which one works and one stands by. The ledger counts each event of a school once: twice would show. */
let database: TestDatabase;
let dataDir: ReturnType<typeof temporaryDataDir>;
let sql: pg.Client;
let store: EventStore;
let school: string;
let projectors: StartedMarktrail[];
let wire: Wire | undefined;

beforeEach(async () => {
  database = await testDatabase();
  dataDir = temporaryDataDir();
  sql = new pg.Client({ connectionString: database.url });
  await sql.connect();
  store = postgresStore({ connectionString: database.url });
  school = randomUUID();
  projectors = [];
  wire = undefined;
});

afterEach(async () => {
  for (const { process } of projectors) {
    process.kill('SIGCONT');
    process.kill('SIGKILL');
  }
  await Promise.all(projectors.map(({ ended }) => ended));
  wire?.close();
  await store.close();
  await sql.end();
  await database.drop();
  dataDir.remove();
});

const start = (url = database.url, role = 'projector'): StartedMarktrail => {
  const projector = startMarktrail({ DATABASE_URL: url, DATA_DIR: dataDir.path, MASTER_KEY: 'a'.repeat(64), ROLE: role, DEMO: 'no' }, [
    '--without-apps',
  ]);
  projectors.push(projector);
  return projector;
};

let written = 0;
const write = async (events = 1): Promise<void> => {
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
const untilCounted = async (): Promise<void> => {
  await vi.waitUntil(async () => (await counted()) >= written, { timeout: 200_000, interval: 10 });
  expect(await counted()).toBe(written);
};

type Health = { reading: { state: string }; problems: string[]; projections: { state: string; lag?: number }[] };
const healthOf = async ({ ready }: StartedMarktrail): Promise<Health> =>
  (await (await fetch(`${await ready}/api/health`)).json()) as Health;
const isIn = (projector: StartedMarktrail, state: string) =>
  vi.waitUntil(async () => (await healthOf(projector)).reading.state === state, { timeout: 200_000, interval: 50 });

/** One that works and one that stands by. */
const pair = async (url = database.url): Promise<{ first: StartedMarktrail; second: StartedMarktrail }> => {
  const first = start(url);
  await isIn(first, 'live');
  const second = start();
  await isIn(second, 'standing by');
  await write(20);
  await untilCounted();
  return { first, second };
};

test('a projector that is killed is followed by the one that stood by; every event is applied once', async () => {
  const { first, second } = await pair();
  const writing = write(200);
  first.process.kill('SIGKILL');
  await first.ended;
  await writing;
  await untilCounted();
  await isIn(second, 'live');
  await write();
  await untilCounted();
});

test('so is one that hangs, even in the middle of a transaction; when it wakes up it applies nothing twice and stands by', async () => {
  const { first, second } = await pair();
  // It hangs where it holds the fence: at the lock of a checkpoint that somebody else has.
  await sql.query(`begin; select from read.checkpoint where projection = 'ledger' for update`);
  await write(5);
  await vi.waitUntil(
    async () => (await sql.query(`select from pg_locks where not granted and locktype in ('transactionid', 'tuple')`)).rowCount,
    { timeout: 200_000, interval: 10 },
  );
  first.process.kill('SIGSTOP');
  await sql.query('rollback');
  await write(5);
  await untilCounted();

  first.process.kill('SIGCONT');
  await isIn(first, 'standing by');
  await isIn(second, 'live');
  await write(20);
  await untilCounted();
});

test('so is one whose connection to the database falls silent', async () => {
  wire = await Wire.to(database.url);
  const { second } = await pair(wire.url);
  wire.silence();
  await write(20);
  await untilCounted();
  await isIn(second, 'live');
  wire.speak();
  await write(20);
  await untilCounted();
});

test('one that is stopped in good order gives up its leases itself: nobody waits until they expire', async () => {
  const { first, second } = await pair();
  const leases = async () => (await sql.query<{ holder: string }>('select holder from read.lease')).rows;
  expect(new Set((await leases()).map(({ holder }) => holder)).size).toBe(1);
  // Nobody takes them meanwhile.
  second.process.kill('SIGSTOP');
  first.process.kill('SIGTERM');
  await first.ended;
  expect(await leases()).toEqual([]);
  second.process.kill('SIGCONT');
  await write(5);
  await untilCounted();
});

test('a process that only answers waits for a projector, and then follows it; nobody projecting is said in its health', async () => {
  const api = start(database.url, 'api');
  await vi.waitUntil(() => api.output().includes('Waiting for a projector'), { timeout: 200_000, interval: 20 });
  const projector = start();
  const address = await api.ready;
  expect((await fetch(`${address}/api/health`)).status).toBe(200);
  expect((await fetch(`${await projector.ready}/api/queries/me`)).status).toBe(404);
  expect(await (await fetch(`${await projector.ready}/api/metrics`)).text()).toMatch(
    /^marktrail_read_model_lag_events\{model="ledger",version="1\.0",shown="true"\} 0$/m,
  );

  projector.process.kill('SIGKILL');
  await projector.ended;
  await write(3);
  await vi.waitUntil(async () => (await healthOf(api)).problems.some((problem) => problem.includes('start a projector')), {
    timeout: 200_000,
    interval: 50,
  });
  expect((await healthOf(api)).projections.every(({ state, lag }) => state === 'waiting' && lag === 3)).toBe(true);
});
