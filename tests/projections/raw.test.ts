import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { rawProjection } from '../../projections/engine/projection.ts';
import { table } from '../../projections/engine/tables/table.ts';
import { databaseOfEachTest } from '../support/database-of-each-test.ts';
import { cells, given, startedEngine, taken, unrelated } from './marks.ts';
import { TestLog } from './test-log.ts';

const school = randomUUID();
const texts = table('texts', { key: { event_id: 'uuid' }, columns: { type: 'text', data: 'text', allowed: 'bool' } });

/** Keeps what the log holds, and looks beside: a type that a table elsewhere forbids is an error. */
const copyist = rawProjection({
  name: 'copyist',
  version: 1,
  tables: { texts },
  async fold(events, rows, ask) {
    const forbidden = new Set((await ask<{ type: string }>('select type from public.forbidden', [])).map(({ type }) => type));
    await rows.texts.load(events.map(({ id }) => ({ school_id: school, event_id: id })));
    for (const { id, type, data } of events) {
      if (forbidden.has(type)) throw new Error(`${type} is forbidden`);
      rows.texts.put({ school_id: school, event_id: id, type, data, allowed: true });
    }
  },
});

const own = databaseOfEachTest();

beforeEach(() => own.sql.query('create table public.forbidden (type text)'));

const kept = async () => (await own.sql.query<{ type: string }>('select type from read.texts order by type')).rows.map(({ type }) => type);

test('a raw read model gets the text of every event, without a key and without knowing its type', async () => {
  const log = new TestLog();
  const odd = { id: randomUUID(), type: 'Odd', data: '{"b" : 1,  "a":2}', metadata: '[]' };
  await log.append(`entry-${school}.a`, [odd, ...given(school, randomUUID(), [1]), unrelated(school)]);
  const engine = await startedEngine({ url: own.url, store: log, projections: [copyist, cells()] });
  own.stops.push(engine.stop);

  expect(await kept()).toEqual(['MarkGiven', 'Odd', 'SchoolRenamed']);
  expect((await own.sql.query('select data from read.texts where event_id = $1', [odd.id])).rows).toEqual([{ data: odd.data }]);
  const { position } = await log.append('b', [{ ...odd, id: randomUUID() }]);
  await engine.progress.waitFor(['copyist', 'cells'], position, 30_000);
  expect(await kept()).toHaveLength(4);
});

test('an event that it cannot take stops it there, and nobody else', async () => {
  const log = new TestLog();
  await own.sql.query(`insert into public.forbidden values ('MarkTaken')`);
  await log.append('a', [
    ...given(school, randomUUID(), [1, 2]),
    taken(school, randomUUID(), randomUUID()),
    ...given(school, randomUUID(), [3]),
  ]);
  const engine = await startedEngine({ url: own.url, store: log, projections: [copyist, cells()] });
  own.stops.push(engine.stop);

  expect(await kept()).toEqual(['MarkGiven', 'MarkGiven']);
  expect(engine.engine.status().projections).toMatchObject([
    { state: 'stopped', error: expect.stringContaining('MarkTaken is forbidden') },
    { state: 'running' },
  ]);
  await own.sql.query('truncate public.forbidden');
  await engine.progress.waitFor(['copyist'], log.events.at(-1)!.position, 30_000);
  expect(await kept()).toHaveLength(4);
});
