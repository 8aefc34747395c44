import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { expect, test } from 'vitest';
import { postgresStore } from '../../events/store/postgres.ts';
import { testDatabase } from '../support/postgres.ts';
import { given, startedEngine } from './marks.ts';

test('on the log in PostgreSQL: writers, a projector that is replaced by another, and every mark once', async () => {
  const database = await testDatabase();
  const store = postgresStore({ connectionString: database.url });
  const school = randomUUID();
  const testId = randomUUID();
  const writers = Array.from({ length: 8 }, (_, i) => `entry-${school}.${i}`);
  const write = async (times: number) => {
    await Promise.all(
      writers.map(async (stream) => {
        for (let i = 0; i < times; i++) await store.append(stream, given(school, testId, [1, 1]), 'any');
      }),
    );
    return store.head();
  };

  await write(10);
  const first = await startedEngine({ url: database.url, store });
  const writing = write(20);
  await first.progress.waitFor(['sums'], await store.head(), 30_000);
  await first.stop();
  const second = await startedEngine({ url: database.url, store });
  await second.progress.waitFor(['sums', 'cells'], await writing, 30_000);
  await second.stop();

  const sql = new pg.Client({ connectionString: database.url });
  await sql.connect();
  expect((await sql.query('select total::int, given, (select count(*)::int from read.cells) as cells from read.sums')).rows).toEqual([
    { total: 480, given: 480, cells: 480 },
  ]);
  await sql.end();
  await store.close();
  await database.drop();
});
