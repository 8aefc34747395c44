import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fold, placed } from '../../projections/engine/subscription/fold.ts';
import { projection } from '../../projections/engine/projection.ts';
import { table } from '../../projections/engine/tables/table.ts';
import { testDatabase, type TestDatabase } from '../support/postgres.ts';
import { decode, given, type MarkEvent } from './marks.ts';

const school = randomUUID();
const things = table('things', { key: { thing_id: 'uuid' }, columns: { name: 'text' } });

let database: TestDatabase;
let client: pg.Client;
let other: pg.Client;

beforeEach(async () => {
  database = await testDatabase();
  [client, other] = [new pg.Client({ connectionString: database.url }), new pg.Client({ connectionString: database.url })];
  await Promise.all([client.connect(), other.connect()]);
  await client.query('create table public.things_v1 (school_id uuid, thing_id uuid, name text, primary key (school_id, thing_id))');
});

afterEach(async () => {
  await Promise.all([client.end(), other.end()]);
  await database.drop();
});

/**
 * Each event is a chunk. The first brings thousands of rows, which go in portions, each behind the one before. While PostgreSQL is held up
 * at one of them, the second event fails. Who rolls back now, and lets the portions go on, commits those that come after.
 */
test.each([
  ['new', 10_000, 0],
  ['known', 10_000, 10_000],
])('a failing fold waits until nothing of it is still being sent (%s rows)', async (_, count, known) => {
  const ids = Array.from({ length: count }, () => randomUUID());
  await client.query(`insert into public.things_v1 select $1, unnest($2::uuid[]), 'before'`, [school, ids.slice(0, known)]);
  const { promise: failing, resolve: tellFailing } = Promise.withResolvers<void>();
  const failsAtTwo = projection<MarkEvent>()({
    name: 'things',
    version: 1,
    tables: { things },
    on: ['MarkGiven'],
    chunks: async (events) => events.map((event) => [event]),
    load: (_events, rows) => rows.things.load(ids.map((thing_id) => ({ school_id: school, thing_id }))),
    apply({ data }, rows) {
      if (data.mark === 2) {
        tellFailing();
        throw new Error('two is too much');
      }
      for (const thing_id of ids) rows.things.put({ school_id: school, thing_id, name: 'after' });
    },
  });
  const recorded = given(school, randomUUID(), [1, 2]).map((event, at) => ({
    ...event,
    stream: `entry-${school}.a`,
    revision: BigInt(at),
    position: BigInt(at + 1),
  }));
  const decoded = await decode(recorded);

  await other.query('begin; lock table public.things_v1 in share mode');
  await client.query('begin');
  const folding = fold(client, [{ model: placed(failsAtTwo, 'public'), recorded, decoded }]).catch(async (error: unknown) => {
    await client.query('rollback');
    return error;
  });
  await failing;
  await other.query('rollback');

  expect(await folding).toEqual(new Error('two is too much'));
  // Whatever waits for its turn is sent when the one before it is done: it would come between these.
  for (let turn = 0; turn < 20; turn++) await client.query('select');
  expect((await client.query(`select count(*)::int as n from public.things_v1 where name = 'after'`)).rows).toEqual([{ n: 0 }]);
});
