import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { beforeEach, expect, test, vi } from 'vitest';
import { checkpointsOf } from '../../projections/engine/building/checkpoint.ts';
import { prepare } from '../../projections/engine/building/schema.ts';
import { Engine } from '../../projections/engine/engine.ts';
import { Progress } from '../../projections/engine/announcing/progress.ts';
import type { DecodedEvent, Projection } from '../../projections/engine/projection.ts';
import { advance, moveTo, positioned, worksOf } from '../../projections/engine/subscription/advance.ts';
import { foldAhead, type Folded } from '../../projections/engine/subscription/ahead.ts';
import { batchOf } from '../../projections/engine/subscription/batch.ts';
import { databaseOfEachTest } from '../support/database-of-each-test.ts';
import { random } from '../support/random.ts';
import { cells, cure, decode, given, RETRY, startedEngine, sums, taken } from './marks.ts';
import { TestLog } from './test-log.ts';

/** Read models that catch up: batch after batch, with what is known ahead of each. */
const school = randomUUID();
const testId = randomUUID();

const own = databaseOfEachTest();
const { stops } = own;
let log: TestLog;

beforeEach(() => {
  cure(false);
  log = new TestLog();
});

const total = async () => (await own.sql.query<{ total: string; given: number }>('select total, given from read.sums')).rows[0];

/** What the read models must hold in the end. */
const inLog = () => {
  const changes = new Map<string, number[]>();
  const marks: number[] = [];
  for (const event of log.events) {
    const { studentId, mark } = JSON.parse(event.data) as { studentId: string; mark?: number };
    if (mark === undefined) changes.delete(studentId);
    else changes.set(studentId, [...(changes.get(studentId) ?? []), mark]);
    if (mark !== undefined) marks.push(mark);
  }
  return { changes, sum: { total: String(marks.reduce((sum, mark) => sum + mark)), given: marks.length } };
};
const changesIn = async () => {
  const { rows } = await own.sql.query<{ student_id: string; changes: number[] }>('select student_id, changes from read.cells');
  return new Map(rows.map((row) => [row.student_id, row.changes]));
};

/**
 * The storing of a batch is held up by a lock, so what it changes, removes and brings back is not in the database when the next one is
 * folded. Later an event is poison to one of the two read models, which then goes on alone.
 */
test('a batch is folded while the one before is being stored, and builds on it', async () => {
  const { below, one, chance } = random(1);
  const students = Array.from({ length: 300 }, () => randomUUID());
  const change = (student: string) => (chance(0.2) ? [taken(school, testId, student)] : given(school, testId, [below(9)], student));
  const go = async (events: number) => {
    const changed = Array.from({ length: events }, () => one(students));
    await log.append('a', changed.flatMap(change));
  };
  await go(1000);
  const { stop } = await startedEngine({ url: own.url, store: log });
  await stop();
  await go(4500);
  await log.append('a', given(school, testId, [13], one(students)));
  await go(1500);

  let folded = 0n;
  const watched: Projection = {
    ...sums,
    apply(event, rows) {
      sums.apply(event, rows);
      folded = event.position;
    },
  };
  await own.sql.query('begin; lock table read.cells_v1 in share mode');
  const progress = new Progress({ databaseUrl: own.url });
  const engine = new Engine({ databaseUrl: own.url, store: log, decode, projections: [cells(), watched], progress, retry: RETRY });
  stops.push(() => engine.stop());
  const caughtUp = engine.catchUp();
  await expect.poll(() => folded >= log.events[4900]!.position).toBe(true);
  await own.sql.query('rollback');
  await caughtUp;

  expect(await changesIn()).toEqual(inLog().changes);
  expect(engine.status().projections.find(({ name }) => name === 'sums')).toMatchObject({
    state: 'stopped',
    error: expect.stringContaining('thirteen is too much'),
  });
  cure();
  await expect.poll(total).toEqual(inLog().sum);
});

/** These read models, caught up with three batches that began where others had come to. */
const caughtUp = async (projections: readonly Projection[], tell: (line: string) => void) => {
  await log.append('a', given(school, testId, [1]));
  const { stop } = await startedEngine({ url: own.url, store: log });
  await stop();
  await log.append('a', given(school, testId, new Array<number>(4500).fill(1)));
  const progress = new Progress({ databaseUrl: own.url });
  const engine = new Engine({ databaseUrl: own.url, store: log, decode, projections, progress, retry: RETRY, tell });
  stops.push(() => engine.stop());
  await engine.catchUp();
  expect(engine.status().projections.map(({ state }) => state)).toEqual(projections.map(() => 'running'));
  expect(await total()).toEqual(inLog().sum);
};

/** Whatever goes wrong ahead is done again where it belongs; that it goes wrong each time would show as slowness only. */
test('that nothing can be folded ahead is told once, and the batches are applied all the same', async () => {
  const begun = new Set<bigint>();
  const faulty: Projection = {
    ...sums,
    async load(events, rows) {
      const first = events[0]!.position;
      if (begun.has(first)) return sums.load(events, rows);
      begun.add(first);
      throw new Error('not ahead');
    },
  };
  const told: string[] = [];
  await caughtUp([cells(), faulty], (line) => void told.push(line));
  expect(begun.size).toBe(3);
  expect(told).toEqual(['The read models may catch up more slowly: what comes next could not be folded ahead (not ahead)']);
});

test('a batch that one read model takes in chunks is not loaded ahead for nothing', async () => {
  let loads = 0;
  const counted: Projection = {
    ...sums,
    async load(events, rows) {
      loads++;
      await sums.load(events, rows);
    },
  };
  const chunked = cells();
  const inChunks = { ...chunked, chunks: async (events: readonly DecodedEvent[]) => [events.slice(0, 100), events.slice(100)] };
  await caughtUp([inChunks, counted], () => undefined);
  expect(loads).toBe(3);
});

/**
 * A build that is filled from its beginning knows which keys are new. What it knows must not outlive what it rests on: a transaction that
 * failed after its keys were noted, and another process that went on in between.
 */
test.each([1, 2, 3])('filling with failures and other processes in between loses and repeats nothing (%s)', async (seed) => {
  const { below, one, chance } = random(seed);
  const students = Array.from({ length: 300 }, () => randomUUID());
  for (let at = 0; at < 900; at++) {
    const student = one(students);
    await log.append('a', chance(0.2) ? [taken(school, testId, student)] : given(school, testId, [below(14)], student));
  }
  await log.append('b', given(school, testId, new Array<number>(1200).fill(1)));
  await prepare(own.sql, 'read', [cells(), sums]);
  const other = new pg.Client({ connectionString: own.url, pipeline: true });
  await other.connect();
  stops.push(() => other.end());
  const process = () => [cells(), sums].map((projection) => positioned(projection, 'read', 0n));
  const processes = [process(), process()];
  for (let after = 0n; ;) {
    const models = chance(0.1) ? process() : processes[Number(chance(0.2))]!;
    const [first] = await checkpointsOf(own.sql, 'read', models);
    after = first!.position;
    if (after === log.events.at(-1)!.position) break;
    const batch = batchOf(log.events.filter(({ position }) => position > after).slice(0, 1 + below(after < 900n ? 60 : 700)), after)!;
    for (const model of models) moveTo(model, after);
    cure(chance(0.7));
    const go = (who: typeof models, what: typeof batch, ahead?: Folded) =>
      advance(own.sql, 'read', who, what, decode, { isFilling: true, ahead }).catch((error: unknown) => {
        expect(error).toEqual(new Error('thirteen is too much'));
        return own.sql.query('rollback');
      });
    // Of no use any more if another process is faster.
    const ahead =
      after > 0n && chance(0.7)
        ? await foldAhead(other, worksOf(models, batch, await decode(batch.events))).catch(() => undefined)
        : undefined;
    if (chance(0.2)) await go(process(), batchOf(batch.events.slice(0, 1 + below(batch.events.length)), after)!);
    await go(models, batch, ahead);
  }

  expect(await changesIn()).toEqual(inLog().changes);
  expect(await total()).toEqual(inLog().sum);
});

/** PostgreSQL has no statistics of a table until it is counted, and plans as if it were empty. */
test('a table is counted before it serves, and again after a write that makes it much larger', async () => {
  const many = async (events: number) =>
    log.append('a', Array.from({ length: events }, () => given(school, testId, [1], randomUUID())).flat());
  const counted = async () => {
    const { rows } = await own.sql.query<{ rows: number }>(
      `select max(reltuples)::int as rows from pg_class where relname like 'cells_v%' and relkind = 'r'`,
    );
    return rows[0]?.rows;
  };
  for (const [more, all] of [
    [2000, 2000],
    [5000, 7000],
  ] as const) {
    await many(more);
    const { stop } = await startedEngine({ url: own.url, store: log });
    stops.push(stop);
    expect(await counted()).toBe(all);
    if (all === 2000) await stops.pop()?.();
  }
  for (let times = 0; times < 2; times++) await many(7000);
  await vi.waitFor(async () => expect(await counted()).toBeGreaterThan(7000), 10_000);
});
