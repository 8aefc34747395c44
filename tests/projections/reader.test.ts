import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withClient } from '../../run/with-client.ts';
import { Reader, type Ask } from '../../projections/engine/reader.ts';
import { testDatabase, type TestDatabase } from '../support/postgres.ts';
import { given, startedEngine } from './marks.ts';
import { TestLog } from './test-log.ts';

const ours = randomUUID();
const theirs = randomUUID();

let database: TestDatabase;
let reader: Reader;

beforeAll(async () => {
  database = await testDatabase();
  const log = new TestLog();
  await log.append('a', [...given(ours, randomUUID(), [1, 2]), ...given(theirs, randomUUID(), [3])]);
  await (await startedEngine({ url: database.url, store: log })).stop();
  reader = new Reader({ databaseUrl: database.url, connections: 2 });
});

afterAll(async () => {
  await reader.close();
  await database.drop();
});

const marks = async (ask: Ask): Promise<number[]> =>
  (await ask<{ mark: number }>({ name: 'marks', text: 'select mark from read.cells order by mark' })).map(({ mark }) => mark);

describe('the schools are kept apart by PostgreSQL', () => {
  test('with a school, its own rows and no others, through the view and the table', async () => {
    expect(await reader.readAs(ours, marks)).toEqual([1, 2]);
    expect(await reader.readAs(theirs, marks)).toEqual([3]);
    expect(await reader.readAs(ours, (ask) => ask({ text: 'select mark from read.cells_v1 where school_id = $1' }, [theirs]))).toEqual([]);
  });

  test('without a school no rows, through the views too', async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query('set role marktrail_reader');
    for (const relation of ['read.cells', 'read.cells_v1', 'read.sums', 'read.sums_v1']) {
      expect((await client.query(`select * from ${relation}`)).rows, relation).toEqual([]);
      await client.query('begin');
      await client.query(`select set_config('marktrail.school', '', true)`);
      expect((await client.query(`select * from ${relation}`)).rows, relation).toEqual([]);
      await client.query('rollback');
    }
    await client.end();
  });

  test('a connection keeps nothing of the school it served before', async () => {
    await Promise.all(
      Array.from({ length: 40 }, async (_, i) => expect(await reader.readAs(i % 2 ? ours : theirs, marks)).toEqual(i % 2 ? [1, 2] : [3])),
    );
  });

  test('the reader has no right to bypass them, nor to write', async () => {
    const [role] = await reader.readAs(ours, (ask) =>
      ask({ text: 'select current_user as name, rolsuper, rolbypassrls, rolcanlogin from pg_roles where rolname = current_user' }),
    );
    expect(role).toEqual({ name: 'marktrail_reader', rolsuper: false, rolbypassrls: false, rolcanlogin: false });
    await expect(reader.readAs(ours, (ask) => ask({ text: 'delete from read.cells' }))).rejects.toThrow(/permission denied|read-only/);
    await expect(reader.readAs(ours, (ask) => ask({ text: 'select * from read.checkpoint' }))).rejects.toThrow('permission denied');
  });

  test('only a uuid is a school', async () => {
    await expect(reader.readAs(`${ours}'; reset role; --`, marks)).rejects.toThrow('no id of a school');
  });
});

test('a failed question leaves the connection as good as new', async () => {
  for (let i = 0; i < 5; i++) await expect(reader.readAs(ours, (ask) => ask({ text: 'select 1/0' }))).rejects.toThrow('division by zero');
  expect(await reader.readAs(ours, marks)).toEqual([1, 2]);
});

test('a prepared question whose view has columns of other types fails once', async () => {
  const one = new Reader({ databaseUrl: database.url, connections: 1 });
  const ask = (): Promise<object[]> => one.readAs(ours, (all) => all({ text: 'select * from read.probe where $1' }, [true]));
  const view = (sql: string): Promise<void> =>
    withClient(database.url, async (client) => {
      await client.query(
        `drop view if exists read.probe; create view read.probe as ${sql}; grant select on read.probe to marktrail_reader`,
      );
    });
  await view('select 1 as probe');
  expect(await ask()).toEqual([{ probe: 1 }]);
  await view(`select 'one' as probe`);
  await expect(ask()).rejects.toThrow('cached plan must not change result type');
  expect(await ask()).toEqual([{ probe: 'one' }]);
  await one.close();
});

test('values are as JSON wants them', async () => {
  const [row] = await reader.readAs(ours, (ask) =>
    ask({
      text: `select 12::int8 as big, 1.5::numeric as exact, date '2026-09-01' as day, timestamptz '2026-09-01 10:00:00.5+02' as at, null::date as none, changes
      from read.cells where mark = 1`,
    }),
  );
  expect(row).toEqual({ big: 12, exact: 1.5, day: '2026-09-01', at: '2026-09-01T08:00:00.500Z', none: null, changes: [1] });
});
