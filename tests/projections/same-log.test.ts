import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { RecordedEvent } from '../../events/store/port.ts';
import { postgresStore } from '../../events/store/postgres.ts';
import { Engine } from '../../projections/engine/engine.ts';
import { unknownLog, type Recognise } from '../../projections/engine/subscription/same-log.ts';
import { Progress, ReadModelBehind } from '../../projections/engine/announcing/progress.ts';
import { Wire } from '../faults/wire.ts';
import { databaseOfEachTest } from '../support/database-of-each-test.ts';
import { cells, decode, given, RETRY, startedEngine, sums } from './marks.ts';
import { TestLog } from './test-log.ts';

/**
 * A checkpoint knows its event: read models are never taken for those of another log. Nor are they given up for one by themselves: somebody
 * must vouch for it.
 */
const school = randomUUID();
const testId = randomUUID();

const own = databaseOfEachTest();
const { stops } = own;

const shown = async () => (await own.sql.query<{ total: string; given: number }>('select total, given from read.sums')).rows;
const tables = async () =>
  (
    await own.sql.query(
      `select tablename from pg_tables where schemaname = 'read' and tablename like any (array['cells%', 'sums%']) order by 1`,
    )
  ).rows.map(({ tablename }) => tablename);
const logOf = async (...marks: number[]) => {
  const log = new TestLog();
  if (marks.length > 0) await log.append(`entry-${school}.a`, given(school, testId, marks));
  return log;
};
const filledFrom = async (log: TestLog) => {
  const first = await startedEngine({ url: own.url, store: log });
  await first.stop();
};
/** As after `log accept`. */
const accepted: Recognise = async () => 'same';
const startedOn = async (store: TestLog, recognise = accepted) => {
  const told: string[] = [];
  const { engine, progress, stop } = await startedEngine({ url: own.url, store, recognise, tell: (line) => void told.push(line) });
  stops.push(stop);
  return { engine, progress, told };
};

describe('at the start', () => {
  test('a checkpoint beyond the end of the log (a restored backup) is said in one line, and the read models are rebuilt', async () => {
    await filledFrom(await logOf(1, 2, 3, 4));
    const earlier = await logOf(1, 2);
    const { told, progress, engine } = await startedOn(earlier);
    expect(told.toSorted()).toEqual(
      ['cells', 'sums'].map(
        (name) =>
          `The read model ${name} is rebuilt: it had reached position 4, but the log ends at 2: an earlier state of the log was restored.`,
      ),
    );
    expect(await shown()).toEqual([{ total: '3', given: 2 }]);
    const { position } = await earlier.append('entry', given(school, testId, [5]));
    await progress.waitFor(['cells', 'sums'], position, 30_000);
    expect(await shown()).toEqual([{ total: '8', given: 3 }]);
    await expect.poll(tables).toEqual(['cells_v1_g1', 'sums_v1_g1']);
    await expect
      .poll(() => engine.status().projections.map(({ state, serving }) => [state, serving]))
      .toEqual([
        ['running', true],
        ['running', true],
      ]);
  });

  test('a log that was replaced by another of the same length is noticed by the id of its event', async () => {
    await filledFrom(await logOf(1, 2));
    const { told } = await startedOn(await logOf(5, 6));
    expect(told[0]).toContain('the event at position 2 is not the one that it had applied: the log was copied or replaced');
    expect(await shown()).toEqual([{ total: '11', given: 2 }]);
  });

  test('of a log that was moved as a whole, the sentence says so', async () => {
    const log = await logOf(1, 2);
    await filledFrom(log);
    const elsewhere = new TestLog();
    await elsewhere.append('other', given(randomUUID(), testId, [3]));
    for (const { stream, id, type, data, metadata } of log.events) await elsewhere.append(stream, [{ id, type, data, metadata }]);
    const { told } = await startedOn(elsewhere, async () => 'moved');
    expect(told[0]).toBe('The read model cells is rebuilt: the log was moved as a whole, and its events have other positions now.');
  });

  test('an emptied log that was accepted leaves empty read models', async () => {
    await filledFrom(await logOf(1, 2));
    await startedOn(await logOf());
    expect(await shown()).toEqual([]);
  });

  test('the same log is not read again', async () => {
    const log = await logOf(1, 2);
    await filledFrom(log);
    const { told } = await startedOn(log);
    expect(told).toEqual([]);
    expect(await tables()).toEqual(['cells_v1', 'sums_v1']);
  });

  test('who dies in the middle of the rebuild is followed by who goes on with it; nothing stays behind', async () => {
    await filledFrom(await logOf(1, 2));
    const other = await logOf(5, 6);
    // As a rebuild that was killed leaves it: begun, partly filled, and held by nobody who lives.
    const cut = new AbortController();
    const wire = await Wire.to(own.url);
    const dying = new Engine({
      databaseUrl: wire.url,
      store: other,
      decode: async (events) => {
        cut.abort();
        return new Promise<never>(() => void events);
      },
      projections: [cells(), sums],
      progress: new Progress({ databaseUrl: wire.url }),
      retry: RETRY,
      recognise: accepted,
    });
    void dying.catchUp();
    await new Promise((resolve) => cut.signal.addEventListener('abort', resolve));
    // For good: whoever only lost its connections would come back, and keep what it has.
    wire.cut();
    await startedOn(other);
    expect(await shown()).toEqual([{ total: '11', given: 2 }]);
    await expect.poll(tables).toEqual(['cells_v1_g1', 'sums_v1_g1']);
    wire.close();
  });
});

describe('under a running process', () => {
  test('another log is not followed by itself: what is shown stays, and goes on when the right log is back', async () => {
    const log = await logOf(1, 2, 3, 4);
    const right = await logOf();
    for (const { stream, id, type, data, metadata } of log.events) await right.append(stream, [{ id, type, data, metadata }]);
    const { engine, progress, told } = await startedOn(log, unknownLog);
    log.replaceBy(await logOf(7));
    log.drop();
    await expect.poll(() => engine.status().log.error).toContain('does not hold the last event');
    expect(told).toEqual([]);
    expect(await shown()).toEqual([{ total: '10', given: 4 }]);
    expect(progress.positions().get('sums')).toBe(4n);
    log.replaceBy(right);
    const { position } = await log.append('entry', given(school, testId, [8]));
    await progress.waitFor(['cells', 'sums'], position, 30_000);
    expect(await shown()).toEqual([{ total: '18', given: 5 }]);
    expect(told).toEqual([]);
  });

  test('a log that is replaced is noticed when the subscription breaks; who waits for a position is not given what the old log said', async () => {
    const log = await logOf(1, 2, 3, 4);
    const { progress, told } = await startedOn(log);
    const other = await logOf(7);
    log.replaceBy(other);
    log.drop();
    await expect.poll(() => told.length).toBe(2);
    const position = (await log.append('entry', given(school, testId, [8]))).position;
    await progress.waitFor(['cells', 'sums'], position, 30_000);
    expect(await shown()).toEqual([{ total: '15', given: 2 }]);
    expect(progress.positions().get('sums')).toBe(position);
  });

  test('while it is rebuilt, what the old log said is not passed off as the state of this one', async () => {
    const log = await logOf(1, 2, 3, 4);
    let hold = false;
    const holding = async (events: readonly RecordedEvent[]) => {
      while (hold) await new Promise(setImmediate);
      return decode(events);
    };
    const options = { projections: [sums], recognise: accepted, decode: holding };
    const { progress, stop } = await startedEngine({ url: own.url, store: log, ...options });
    stops.push(stop);
    hold = true;
    log.replaceBy(await logOf(7));
    log.drop();
    await expect.poll(() => progress.positions().get('sums')).toBe(0n);
    await expect(progress.waitFor(['sums'], 1n, 50)).rejects.toThrow(ReadModelBehind);
    expect(await shown()).toEqual([{ total: '10', given: 4 }]);
    hold = false;
    await progress.waitFor(['sums'], 1n, 30_000);
    expect(await shown()).toEqual([{ total: '7', given: 1 }]);
  });

  test('a PostgreSQL log that is set back is noticed, and followed only once somebody vouches for it', async () => {
    const store = postgresStore({ connectionString: own.url, pollMs: 50 });
    await store.append(`entry-${school}.a`, given(school, testId, [1, 2, 3]), 'none');
    let mayFollow = false;
    const recognise: Recognise = async () => (mayFollow ? 'same' : unknownLog());
    const { engine, progress, stop } = await startedEngine({ url: own.url, store, recognise });
    stops.push(stop, () => store.close());
    await own.sql.query('delete from log.events where position > 1');
    await expect.poll(() => engine.status().log).toMatchObject({ state: 'interrupted' });
    expect(await shown()).toEqual([{ total: '6', given: 3 }]);
    mayFollow = true;
    await expect.poll(shown).toEqual([{ total: '1', given: 1 }]);
    const { position } = await store.append(`entry-${school}.a`, given(school, testId, [5]), 'any');
    await progress.waitFor(['sums'], position, 30_000);
    expect(await shown()).toEqual([{ total: '6', given: 2 }]);
  });
});
