import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { steadyPool } from '../../events/store/postgres/pool.ts';
import { fromPayload, merged, payloadsOf } from '../../projections/engine/announcing/announcement.ts';
import { Announcer } from '../../projections/engine/announcing/announcer.ts';
import { Progress, ReadModelBehind, type Committed } from '../../projections/engine/announcing/progress.ts';
import { Wire } from '../faults/wire.ts';
import { testDatabase, type TestDatabase } from '../support/postgres.ts';
import { cure, given, startedEngine } from './marks.ts';
import { TestLog } from './test-log.ts';

const school = randomUUID();
const testId = randomUUID();

let database: TestDatabase;
let log: TestLog;
let here: Awaited<ReturnType<typeof startedEngine>>;
/** as in a process that only answers queries */
let elsewhere: Progress;

beforeEach(async () => {
  cure(false);
  log = new TestLog();
  database = await testDatabase();
  here = await startedEngine({ url: database.url, store: log });
  elsewhere = new Progress({ databaseUrl: database.url });
  await elsewhere.start();
});

afterEach(async () => {
  await elsewhere.stop();
  await here.stop();
  await database.drop();
});

const append = async (...marks: number[]) => (await log.append('a', given(school, testId, marks))).position;

test('who waits for a position gets on as soon as it is reached, here and in another process', async () => {
  const before = here.progress.positions();
  const position = await append(1);
  await Promise.all([here.progress, elsewhere].map((progress) => progress.waitFor(['cells', 'sums'], position, 30_000)));
  expect(here.progress.positions()).toEqual(
    new Map([
      ['cells', position],
      ['sums', position],
    ]),
  );
  expect([...before.values()].every((one) => one < position)).toBe(true);
  await elsewhere.waitFor(['cells'], position, 0);
});

test('who waits in vain is told which read model is behind', async () => {
  const position = await append(13);
  await here.progress.waitFor(['cells'], position, 30_000);
  const waiting = here.progress.waitFor(['cells', 'sums'], position, 50);
  await expect(waiting).rejects.toThrow(ReadModelBehind);
  await expect(waiting).rejects.toMatchObject({ behind: ['sums'] });
});

test('a notification that was lost is looked up', async () => {
  const sql = new pg.Client({ connectionString: database.url });
  await sql.connect();
  await sql.query('update read.checkpoint set position = 777');
  await elsewhere.waitFor(['cells', 'sums'], 777n, 30_000);
  await sql.end();
});

test('listeners hear what changed, in whichever process it was projected', async () => {
  const heard: Committed[][] = [[], []];
  const ends = [here.progress, elsewhere].map((progress, i) => progress.onCommitted((committed) => heard[i]?.push(committed)));
  const position = await append(1, 2);
  await Promise.all([here.progress, elsewhere].map((progress) => progress.waitFor(['cells'], position, 30_000)));
  // The position may be found by polling before the notification comes.
  await expect.poll(() => heard.every(({ length }) => length > 0)).toBe(true);
  for (const end of ends) end();
  const expected = [
    {
      positions: new Map([
        ['cells', position],
        ['sums', position],
      ]),
      changes: [{ schoolId: school, channels: [`test:${testId}`] }],
    },
  ];
  expect(heard[1]).toEqual(expected);
  const fromHere = (heard[0] ?? []).map(({ changes }) => ({ reached: new Map(), changes }));
  expect(merged(fromHere).changes).toEqual(expected[0]?.changes);
});

test('a commit that takes several notifications is heard in another process as one: its positions are true once all of it is known', async () => {
  const heard: Committed[] = [];
  elsewhere.onCommitted((committed) => heard.push(committed));
  const schools = Array.from({ length: 200 }, () => randomUUID());
  const { position } = await log.append(
    'a',
    schools.flatMap((schoolId) => given(schoolId, testId, [1])),
  );
  await here.progress.waitFor(['cells', 'sums'], position, 30_000);
  await expect.poll(() => heard.length).toBeGreaterThan(0);
  const last = heard.find(({ positions }) => positions.get('cells') === position);
  expect(last?.changes.map(({ schoolId }) => schoolId).toSorted()).toEqual(schools.toSorted());
});

test('what could not be announced just now is announced later, without another commit', async () => {
  const heard: Committed[] = [];
  elsewhere.onCommitted((committed) => heard.push(committed));
  const wire = await Wire.to(database.url);
  const pool = steadyPool({ connectionString: wire.url, max: 1 });
  const announcer = new Announcer(pool, new Progress({ databaseUrl: database.url }));
  const changes = [{ schoolId: school, channels: ['marks'] }];
  wire.cut();
  announcer.announce({ reached: new Map(), changes });
  // It has its turn on the one connection after the announcement.
  await expect(pool.query('select')).rejects.toThrow();
  wire.speak();
  await expect.poll(() => heard.map((committed) => committed.changes)).toEqual([changes]);
  await announcer.end();
  await pool.end();
  wire.close();
});

test('a listener that lost its connection finds it again, and is told to look at everything', async () => {
  const told = new Promise<Committed>((resolve) => {
    elsewhere.onCommitted(resolve);
  });
  const sql = new pg.Client({ connectionString: database.url });
  await sql.connect();
  await sql.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'marktrail progress' and datname = current_database()`,
  );
  await sql.end();
  expect((await told).changes).toEqual([{ schoolId: '*', channels: ['*'] }]);
  const position = await append(1);
  await elsewhere.waitFor(['cells'], position, 30_000);
});

test('what is told fits into a notification, however much it is', () => {
  const changes = Array.from({ length: 300 }, (_, i) => ({
    schoolId: randomUUID(),
    channels: Array.from({ length: i === 0 ? 1000 : 3 }, () => `test:${randomUUID()}`),
  }));
  const reached = new Map([['cells', { build: [3, 1, 0], position: 5n } as const]]);
  const payloads = payloadsOf({ reached, changes }, 'me');
  expect(Math.max(...payloads.map((payload) => Buffer.byteLength(payload)))).toBeLessThan(8000);
  const all = merged(payloads.map((payload) => fromPayload(payload) ?? expect.fail('not understood')));
  expect(all.reached).toEqual(reached);
  expect(payloads.map((payload) => fromPayload(payload)?.more)).toEqual(payloads.map((_, i) => i < payloads.length - 1));
  expect(all.changes.slice(1)).toEqual(changes.slice(1));
  expect(all.changes[0]).toEqual({ schoolId: changes[0]?.schoolId, channels: ['*'] });
});

test('a notification that says nothing disturbs nobody', async () => {
  const sql = new pg.Client({ connectionString: database.url });
  await sql.connect();
  for (const payload of ['', 'rubbish', 'null', '[]', '{}', '{"origin":"x","reached":{"cells":"far"},"changes":[]}']) {
    await sql.query('select pg_notify($1, $2)', ['marktrail_read', payload]);
  }
  await sql.end();
  await elsewhere.waitFor(['cells', 'sums'], await append(1), 30_000);
});
