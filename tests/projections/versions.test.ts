import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { beforeEach, expect, test } from 'vitest';
import { prepare } from '../../projections/engine/building/schema.ts';
import { Engine } from '../../projections/engine/engine.ts';
import { Progress } from '../../projections/engine/announcing/progress.ts';
import { projection } from '../../projections/engine/projection.ts';
import { Reader } from '../../projections/engine/reader.ts';
import { table } from '../../projections/engine/tables/table.ts';
import { databaseOfEachTest } from '../support/database-of-each-test.ts';
import { cells, cellsTable, decode, given, RETRY, startedEngine, sums, type MarkEvent } from './marks.ts';
import { TestLog } from './test-log.ts';

const school = randomUUID();
const testId = randomUUID();

const own = databaseOfEachTest();
let log: TestLog;

beforeEach(() => {
  log = new TestLog();
});

const engineOf = (...projections: ConstructorParameters<typeof Engine>[0]['projections']) =>
  new Engine({
    databaseUrl: own.url,
    store: log,
    decode,
    projections,
    progress: new Progress({ databaseUrl: own.url }),
    retry: RETRY,
  });

const tables = async () =>
  (await own.sql.query<{ tablename: string }>(`select tablename from pg_tables where schemaname = 'read' order by 1`)).rows.map(
    ({ tablename }) => tablename,
  );

test('a new version is filled before it is shown: no reader ever sees fewer rows, and the old tables go', async () => {
  await log.append(
    'a',
    given(
      school,
      testId,
      Array.from({ length: 3000 }, (_, i) => i % 10),
    ),
  );
  const first = await startedEngine({ url: own.url, store: log, projections: [cells(1), sums] });
  await first.stop();

  const reader = new Reader({ databaseUrl: own.url });
  const counts: number[] = [];
  let reading = true;
  const watching = (async () => {
    while (reading) {
      const [row] = await reader.readAs(school, (ask) =>
        ask<{ n: number }>({ name: 'count', text: 'select count(*) as n from read.cells' }),
      );
      counts.push(row?.n ?? -1);
    }
  })();

  const other = table('cells', { key: { student_id: 'uuid', test_id: 'uuid' }, columns: { doubled: 'int4' } });
  const next = projection<MarkEvent>()({
    name: 'cells',
    version: 2,
    tables: { cells: other },
    on: ['MarkGiven'],
    async load(events, rows) {
      await rows.cells.load(
        events.map(({ metadata, data }) => ({ school_id: metadata.schoolId, student_id: data.studentId, test_id: data.testId })),
      );
    },
    apply({ metadata, data }, rows) {
      rows.cells.put({ school_id: metadata.schoolId, student_id: data.studentId, test_id: data.testId, doubled: 2 * data.mark });
    },
  });
  const engine = engineOf(next, sums);
  await engine.catchUp();
  await engine.stop();
  reading = false;
  await watching;
  await reader.close();

  expect(new Set(counts)).toEqual(new Set([3000]));
  expect((await own.sql.query('select max(doubled) as highest from read.cells')).rows).toEqual([{ highest: 18 }]);
  expect(await tables()).toEqual(['cells_v2', 'checkpoint', 'lease', 'sums_v1', 'version']);
});

test('an older program does not touch what a newer one made', async () => {
  await (await startedEngine({ url: own.url, store: log, projections: [cells(2)] })).stop();
  const engine = engineOf(cells(1));
  await expect(engine.catchUp()).rejects.toThrow('made by a newer Marktrail');
  await engine.stop();
});

test('changed tables ask for a new version', async () => {
  await (await startedEngine({ url: own.url, store: log, projections: [cells(1)] })).stop();
  const engine = engineOf(cells(1, { cells: { ...cellsTable, indexes: [] } }));
  await expect(engine.catchUp()).rejects.toThrow('give it version 2');
  await engine.stop();
});

test('a projector of the old version stops quietly when the new one has taken its place', async () => {
  const old = await startedEngine({ url: own.url, store: log, projections: [cells(1), sums] });
  const next = await startedEngine({ url: own.url, store: log, projections: [cells(2), sums] });
  const { position } = await log.append('a', given(school, testId, [1]));
  await next.progress.waitFor(['cells', 'sums'], position, 30_000);
  await expect
    .poll(() => old.engine.status().projections[0])
    .toMatchObject({ name: 'cells', state: 'retired', error: expect.stringContaining('replaced') });
  await expect.poll(() => old.engine.status().projections[1]).toMatchObject({ name: 'sums', state: 'running' });
  await old.stop();
  await next.stop();
});

test('a version that cannot be filled leaves the old one where it is', async () => {
  await log.append('a', given(school, testId, [1, 2]));
  await (await startedEngine({ url: own.url, store: log, projections: [cells(1)] })).stop();
  const broken = {
    ...cells(2),
    apply: () => {
      throw new Error('a mistake of the new version');
    },
  };
  const engine = engineOf(broken);
  await engine.catchUp();
  expect(engine.status().projections[0]).toMatchObject({
    version: 2,
    state: 'stopped',
    error: expect.stringContaining('a mistake of the new version'),
  });
  await engine.stop();
  expect((await own.sql.query('select count(*)::int as n from read.cells')).rows).toEqual([{ n: 2 }]);
});

test('two programs that start at once make the tables once', async () => {
  const engines = [engineOf(cells(), sums), engineOf(cells(), sums), engineOf(cells(), sums)];
  await Promise.all(engines.map((engine) => engine.catchUp()));
  await Promise.all(engines.map((engine) => engine.stop()));
  expect(await tables()).toEqual(['cells_v1', 'checkpoint', 'lease', 'sums_v1', 'version']);
});

test('a program that starts waits for none of the locks of projectors at work, which could wait for it in turn', async () => {
  await (await startedEngine({ url: own.url, store: log, projections: [cells(), sums] })).stop();
  // As when late indexes are made, or views are switched: first the builds are read, then changed.
  await own.sql.query('begin; lock table read.version, read.checkpoint, read.lease in row exclusive mode');
  const starting = new pg.Client({ connectionString: own.url, options: '-c lock_timeout=1s' });
  await starting.connect();
  await prepare(starting, 'read', [cells(), sums]).finally(() => starting.end());
  await own.sql.query('rollback');
});

test('an upgrade that is killed in the middle is finished by the next start; the old version is kept up to date until the switch', async () => {
  await log.append('a', given(school, testId, [1, 2, 3]));
  const old = await startedEngine({ url: own.url, store: log, projections: [cells(1), sums] });
  const begun = Promise.withResolvers<void>();
  const dying = new Engine({
    databaseUrl: own.url,
    store: log,
    decode: () => {
      begun.resolve();
      return new Promise<never>(() => undefined);
    },
    projections: [cells(2)],
    progress: new Progress({ databaseUrl: own.url }),
    retry: RETRY,
  });
  void dying.catchUp();
  await begun.promise;
  // Killed: it gives no sign of life any more, and lets go of nothing.
  void dying.stop();
  await own.sql.query(`update read.lease set holder = gen_random_uuid(), until = now() - interval '1 hour' where version = 2`);

  const { position } = await log.append('a', given(school, testId, [4]));
  await old.progress.waitFor(['cells', 'sums'], position, 30_000);
  expect((await own.sql.query('select count(*)::int as n from read.cells')).rows).toEqual([{ n: 4 }]);

  const next = await startedEngine({ url: own.url, store: log, projections: [cells(2), sums] });
  expect((await own.sql.query('select count(*)::int as n from read.cells')).rows).toEqual([{ n: 4 }]);
  await expect.poll(tables).toEqual(['cells_v2', 'checkpoint', 'lease', 'sums_v1', 'version']);
  await expect.poll(() => old.engine.status().projections[0]).toMatchObject({ name: 'cells', state: 'retired' });
  await next.stop();
  await old.stop();
});
