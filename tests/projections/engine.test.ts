import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { beforeEach, describe, expect, test } from 'vitest';
import { CircuitBreaker } from '../../events/store/circuit-breaker.ts';
import { StoreUnavailable } from '../../events/store/port.ts';
import { Engine } from '../../projections/engine/engine.ts';
import { Progress, type Committed } from '../../projections/engine/announcing/progress.ts';
import type { Projection } from '../../projections/engine/projection.ts';
import { applicationName } from '../../projections/engine/database.ts';
import { prepare } from '../../projections/engine/building/schema.ts';
import { advance, CheckpointMoved, moveTo, positioned } from '../../projections/engine/subscription/advance.ts';
import { pause } from '../../events/async/backoff.ts';
import { batchOf } from '../../projections/engine/subscription/batch.ts';
import { databaseOfEachTest } from '../support/database-of-each-test.ts';
import { cells, cure, decode, given, RETRY, startedEngine, sums, taken, unrelated } from './marks.ts';
import { TestLog } from './test-log.ts';

const school = randomUUID();
const testId = randomUUID();

const FOR_EVER_MS = 24 * 3_600_000;

const own = databaseOfEachTest();
const { stops } = own;
let log: TestLog;

beforeEach(() => {
  cure(false);
  log = new TestLog();
});

const running = async (options: Partial<Parameters<typeof startedEngine>[0]> = {}) => {
  const started = await startedEngine({ url: own.url, store: log, ...options });
  stops.push(started.stop);
  return started;
};
const append = async (marks: readonly number[]) => (await log.append(`entry-${school}.a`, given(school, testId, marks))).position;
const total = async () => (await own.sql.query<{ total: string; given: number }>('select total, given from read.sums')).rows[0];
const cellCount = async () => (await own.sql.query<{ n: number }>('select count(*)::int as n from read.cells')).rows[0]?.n;
/** As a projector does that is killed before it can announce it. */
const commitInSilence = async (projections: readonly Projection[]): Promise<void> => {
  const client = new pg.Client({ connectionString: own.url });
  await client.connect();
  const { rows } = await client.query<{ position: string }>('select min(position) as position from read.checkpoint');
  const after = BigInt(rows[0]?.position ?? 0);
  const events = log.events.filter(({ position }) => position > after);
  const models = projections.map((projection) => positioned(projection, 'read', after));
  await advance(client, 'read', models, batchOf(events, after) ?? expect.fail('nothing to apply'), decode);
  await client.end();
};
const stateOf = (engine: Engine, name: string) => engine.status().projections.find((projection) => projection.name === name);

describe('a read model', () => {
  test('follows the log: what was there before, and what comes', async () => {
    await append([1, 2, 3]);
    const { progress, engine } = await running();
    expect(await total()).toEqual({ total: '6', given: 3 });

    await progress.waitFor(['sums', 'cells'], await append([4]), 30_000);
    expect(await total()).toEqual({ total: '10', given: 4 });
    expect(await cellCount()).toBe(4);
    await expect
      .poll(() => engine.status())
      .toMatchObject({
        log: { state: 'live' },
        projections: [
          { name: 'cells', state: 'running', lag: 0 },
          { name: 'sums', state: 'running' },
        ],
      });
  });

  test('keeps rows as they were put, through load and store', async () => {
    const student = randomUUID();
    await log.append('a', given(school, testId, [5], student));
    const { progress } = await running();
    const { position } = await log.append('a', given(school, testId, [6], student));
    await progress.waitFor(['cells'], position, 30_000);
    const { rows } = await own.sql.query('select mark, changes::text, last_at, authors from read.cells');
    expect(rows).toEqual([{ mark: 6, changes: '[5,6]', last_at: new Date('2026-09-01T08:00:00.000Z'), authors: ['ms "Q", {x}'] }]);

    const gone = await log.append('a', [taken(school, testId, student)]);
    await progress.waitFor(['cells'], gone.position, 30_000);
    expect(await cellCount()).toBe(0);
  });

  test('passes events that are none of its business', async () => {
    const { progress } = await running();
    const { position } = await log.append('school', [unrelated(school)]);
    await progress.waitFor(['sums', 'cells'], position, 30_000);
  });

  test('takes nothing twice when the whole log is handed over again', async () => {
    const { progress } = await running();
    await progress.waitFor(['sums'], await append([1, 2, 3]), 30_000);
    log.repeat();
    await progress.waitFor(['sums'], await append([4]), 30_000);
    expect(await total()).toEqual({ total: '10', given: 4 });
  });

  test('is not written where nothing changed', async () => {
    const student = randomUUID();
    await log.append('a', [taken(school, testId, student), ...given(school, testId, [5], student)]);
    const { progress } = await running();
    const version = async () => (await own.sql.query('select xmin from read.cells_v1')).rows;
    const before = await version();
    const { position } = await log.append('a', [taken(school, testId, student), ...given(school, testId, [5], student)]);
    await progress.waitFor(['cells'], position, 30_000);
    expect(await version()).toEqual(before);
  });

  test('reads a log of many batches', async () => {
    for (let part = 0; part < 2; part++) await append(Array.from({ length: 5000 }, () => 1));
    const seen: number[] = [];
    const progress = new Progress({ databaseUrl: own.url });
    const engine = new Engine({ databaseUrl: own.url, store: log, decode, projections: [cells(), sums], progress });
    stops.push(() => engine.stop());
    await engine.catchUp({ onProgress: ({ fraction }) => seen.push(fraction) });
    expect(seen).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1, 1]);
    expect(await total()).toEqual({ total: '10000', given: 10000 });
  });
});

describe('rows and checkpoint are one', () => {
  test('when the checkpoint cannot be written, neither are the rows', async () => {
    const { progress } = await running();
    await own.sql.query(`create function read.refuse() returns trigger language plpgsql as $$ begin raise exception 'not now'; end $$;
      create trigger refuse before update on read.checkpoint for each row when (new.projection = 'sums') execute function read.refuse()`);
    const position = await append([1, 2]);
    await progress.waitFor(['cells'], position, 30_000);
    expect(await total()).toBeUndefined();

    await own.sql.query('drop trigger refuse on read.checkpoint');
    await progress.waitFor(['sums'], position, 30_000);
    expect(await total()).toEqual({ total: '3', given: 2 });
  });

  test('when the projector dies between the two, the events are applied once', async () => {
    const { progress } = await running();
    // Whoever writes the checkpoint waits for this lock: the rows are written by then, the checkpoint is not.
    await own.sql
      .query(`create function read.wait() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock(7); return new; end $$;
      create trigger wait before update on read.checkpoint for each row execute function read.wait()`);
    await own.sql.query('select pg_advisory_lock(7)');
    const position = await append([1, 2]);
    const waiting = `from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`;
    await expect.poll(async () => (await own.sql.query(`select pid ${waiting}`)).rowCount).toBe(1);
    expect(await total()).toBeUndefined();
    await own.sql.query(`select pg_terminate_backend(pid) ${waiting}`);
    await own.sql.query('select pg_advisory_unlock(7)');

    await progress.waitFor(['sums', 'cells'], position, 30_000);
    expect(await total()).toEqual({ total: '3', given: 2 });
  });

  test('a build that is further back than this process left it is read again from there: nothing is left out', async () => {
    const left = await append([1]);
    await append([2]);
    await prepare(own.sql, 'read', [sums]);
    const model = positioned(sums, 'read', left);
    const batch = batchOf(log.events, 0n) ?? expect.fail('nothing to apply');
    await expect(advance(own.sql, 'read', [model], batch, decode)).rejects.toThrow(CheckpointMoved);
    await own.sql.query('rollback');
    moveTo(model, 0n);
    await advance(own.sql, 'read', [model], batch, decode);
    expect(await total()).toEqual({ total: '3', given: 2 });
  });
});

describe('two projectors on one database', () => {
  test('apply every event once between them', async () => {
    const one = await running();
    const two = await running();
    let position = 0n;
    for (let i = 0; i < 100; i++) {
      position = await append([1, 1]);
      if (i % 10 === 0) await new Promise(setImmediate);
    }
    await one.progress.waitFor(['sums', 'cells'], position, 30_000);
    await two.progress.waitFor(['sums', 'cells'], position, 30_000);
    expect(await total()).toEqual({ total: '200', given: 200 });
    expect(await cellCount()).toBe(200);
  });

  test('the second goes on where the first was ended', async () => {
    const first = await running();
    const second = await running();
    await first.progress.waitFor(['sums'], await append([1]), 30_000);
    await first.stop();
    stops.shift();
    await second.progress.waitFor(['sums'], await append([2]), 30_000);
    expect(await total()).toEqual({ total: '3', given: 2 });
  });

  test('one that comes does not wait for one that was alone, had an hour for its next sign of life, and hangs', async () => {
    const alone = await running();
    await alone.stop();
    stops.shift();
    const holder = randomUUID();
    const hanging = new pg.Client({ connectionString: own.url, application_name: applicationName(holder) });
    hanging.on('error', () => undefined);
    await hanging.connect();
    const inAnHour = `select projection, version, generation, $1::uuid, now() + interval '1 hour' from read.version`;
    await own.sql.query(`insert into read.lease ${inAnHour}`, [holder]);

    const { progress } = await running();
    await progress.waitFor(['sums'], await append([1]), 30_000);
    expect(await total()).toEqual({ total: '1', given: 1 });
  });
});

describe('what was committed and not announced, as its projector was killed in between', () => {
  test('is announced by whoever goes on, though there is nothing left to apply', async () => {
    const first = await running();
    await first.stop();
    stops.shift();
    const elsewhere = new Progress({ databaseUrl: own.url });
    stops.push(() => elsewhere.stop());
    await elsewhere.start();
    const heard = new Promise<Committed>((resolve) => {
      elsewhere.onCommitted(resolve);
    });

    const position = await append([1]);
    await commitInSilence([cells(), sums]);
    await running();

    const { positions, changes } = await heard;
    expect(changes).toEqual([{ schoolId: '*', channels: ['*'] }]);
    expect(positions.get('cells')).toBe(position);
    expect(await total()).toEqual({ total: '1', given: 1 });
  });

  test('is announced by the projector that it has overtaken, when that one goes on', async () => {
    const { progress } = await running();
    const heard: Committed[] = [];
    progress.onCommitted((committed) => heard.push(committed));
    log.away = new StoreUnavailable('gone');
    log.drop();
    await append([1]);
    await commitInSilence([cells(), sums]);
    log.away = undefined;
    const position = await append([2]);
    await progress.waitFor(['cells', 'sums'], position, 30_000);
    await expect.poll(() => heard.flatMap(({ changes }) => changes)).toContainEqual({ schoolId: '*', channels: ['*'] });
    expect(await total()).toEqual({ total: '3', given: 2 });
  });
});

describe('an event that cannot be applied', () => {
  test('stops its own projection there, and says so; the others go on; it catches up when it can', async () => {
    const { engine, progress } = await running();
    const poison = await append([1, 2, 13, 4]);
    await progress.waitFor(['cells'], poison, 30_000);
    const later = await append([5]);
    await progress.waitFor(['cells'], later, 30_000);

    await expect
      .poll(() => stateOf(engine, 'sums'))
      .toMatchObject({
        state: 'stopped',
        lag: 3,
        error: `it cannot apply the event MarkGiven ${log.events[2]?.id}: thirteen is too much`,
      });
    expect(await total()).toEqual({ total: '3', given: 2 });
    expect(stateOf(engine, 'cells')).toMatchObject({ state: 'running' });

    cure();
    await progress.waitFor(['sums'], later, 30_000);
    expect(await total()).toEqual({ total: '25', given: 5 });
    await expect
      .poll(() => stateOf(engine, 'sums'))
      .toEqual({ name: 'sums', version: 1, generation: 0, serving: true, position: String(later), state: 'running', lag: 0 });

    await progress.waitFor(['sums'], await append([6]), 30_000);
    expect(await total()).toEqual({ total: '31', given: 6 });
  });

  test('does not keep the product from starting', async () => {
    await append([1, 13, 2]);
    const { engine, progress } = await running();
    expect(await cellCount()).toBe(3);
    expect(stateOf(engine, 'sums')).toMatchObject({ state: 'stopped', lag: 2 });
    cure();
    await progress.waitFor(['sums'], await append([3]), 30_000);
    expect(await total()).toEqual({ total: '19', given: 4 });
  });

  test('joins the others without a gap, while they are busy', async () => {
    const { engine, progress } = await running();
    await append([13]);
    await expect.poll(() => stateOf(engine, 'sums')?.state).toBe('stopped');
    let position = 0n;
    for (let i = 0; i < 200; i++) {
      position = await append([1]);
      if (i === 100) cure();
      await new Promise(setImmediate);
    }
    await progress.waitFor(['sums', 'cells'], position, 30_000);
    expect(await total()).toEqual({ total: '213', given: 201 });
  });

  test('a key that is missing stops what needs it, and says so', async () => {
    const progress = new Progress({ databaseUrl: own.url });
    const missing = async (events: Parameters<typeof decode>[0]) => {
      if (events.some(({ type }) => type === 'MarkTaken')) throw new Error('the key of a person is missing');
      return decode(events);
    };
    const engine = new Engine({
      databaseUrl: own.url,
      store: log,
      decode: missing,
      projections: [cells(), sums],
      progress,
      retry: RETRY,
    });
    stops.push(() => engine.stop());
    await log.append('a', [...given(school, testId, [1]), taken(school, testId, randomUUID()), ...given(school, testId, [2])]);
    await engine.catchUp();
    expect(await total()).toEqual({ total: '3', given: 2 });
    expect(stateOf(engine, 'cells')).toMatchObject({ state: 'stopped', error: expect.stringContaining('the key of a person is missing') });
  });
});

describe('trouble that passes', () => {
  test('a subscription that breaks off again and again loses and doubles nothing', async () => {
    const { progress, engine } = await running();
    let position = 0n;
    for (let i = 0; i < 60; i++) {
      position = await append([1, 1]);
      if (i % 7 === 0) log.drop();
      if (i % 11 === 0) log.repeat();
      await new Promise(setImmediate);
    }
    await progress.waitFor(['sums', 'cells'], position, 30_000);
    expect(await total()).toEqual({ total: '120', given: 120 });
    await expect.poll(() => stateOf(engine, 'sums')?.state).toBe('running');
  });

  test('interruptions while nobody writes are not added up: the pause after the tenth is no longer than after the first', async () => {
    // In a row they double.
    const pauses: number[] = [];
    const wait = (ms: number, signal: AbortSignal) => {
      pauses.push(ms);
      return pause(ms, signal);
    };
    const { engine } = await running({ retry: { firstMs: 50, longestMs: 60_000, pause: wait } });
    for (let i = 1; i <= 10; i++) {
      await expect.poll(() => engine.status().log.state).toBe('live');
      log.drop();
      await expect.poll(() => pauses.length).toBe(i);
    }
    expect(Math.max(...pauses)).toBeLessThanOrEqual(50);
  });

  test('a log that is back is followed at once: the circuit breaker that closes ends the pause, however long it would be', async () => {
    const store = new CircuitBreaker(log);
    stops.push(() => store.close());
    let pauses = 0;
    const wait = (_ms: number, signal: AbortSignal) => {
      pauses += 1;
      return store.recovery.raised(FOR_EVER_MS, signal);
    };
    const { progress } = await running({ store, retry: { ...RETRY, pause: wait } });
    log.away = new StoreUnavailable('frozen');
    log.drop();
    await expect.poll(() => pauses).toBeGreaterThan(0);
    await expect(store.head()).rejects.toThrow('frozen');
    await expect.poll(() => store.trouble()).toBe('frozen');
    log.away = undefined;
    await progress.waitFor(['sums'], await append([4]), 30_000);
    expect(await total()).toEqual({ total: '4', given: 1 });
  });

  test('PostgreSQL that cuts all connections stops no projection', async () => {
    const { progress, engine } = await running();
    let position = 0n;
    for (let i = 0; i < 30; i++) {
      position = await append([1]);
      if (i % 5 === 0)
        await own.sql.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
        );
    }
    await progress.waitFor(['sums', 'cells'], position, 30_000);
    expect(await total()).toEqual({ total: '30', given: 30 });
    await expect.poll(() => engine.status().projections.map(({ state }) => state)).toEqual(['running', 'running']);
  });

  test('a log that is away is waited for, and the status says so', async () => {
    const { progress, engine } = await running();
    log.away = new StoreUnavailable('the event store does not answer');
    log.drop();
    await expect.poll(() => engine.status().log).toEqual({ state: 'interrupted', error: 'the event store does not answer' });
    const position = await append([1]);
    log.away = undefined;
    await progress.waitFor(['sums'], position, 30_000);
    await expect.poll(() => engine.status().log).toEqual({ state: 'live' });
  });
});
