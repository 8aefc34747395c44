import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { beforeEach, describe, expect, test } from 'vitest';
import type { RecordedEvent } from '../../events/store/port.ts';
import { Progress } from '../../projections/engine/announcing/progress.ts';
import { Reader } from '../../projections/engine/reader.ts';
import { compare, rebuild, RebuildFailed, type RebuildOptions } from '../../projections/engine/rebuild.ts';
import { begin } from '../../projections/engine/building/schema.ts';
import { operator, recordSkip, skips } from '../../projections/engine/subscription/skips.ts';
import { buildStatuses, lagsAt, recordTrouble } from '../../projections/engine/announcing/status.ts';
import { table } from '../../projections/engine/tables/table.ts';
import { databaseOfEachTest } from '../support/database-of-each-test.ts';
import { cells, cure, decode, given, startedEngine, sums } from './marks.ts';
import { TestLog } from './test-log.ts';

/** Read models are rebuilt beside those that are shown: on demand, and while everything goes on. */
const school = randomUUID();
const testId = randomUUID();

const own = databaseOfEachTest();
const { stops } = own;
let log: TestLog;

beforeEach(() => {
  cure(false);
  log = new TestLog();
});

const running = async () => {
  const started = await startedEngine({ url: own.url, store: log });
  stops.unshift(started.stop);
  return started;
};
const append = async (...marks: number[]) => (await log.append(`entry-${school}.a`, given(school, testId, marks))).position;
const shown = async () => (await own.sql.query<{ total: string; given: number }>('select total, given from read.sums')).rows[0];
const tables = async () =>
  (
    await own.sql.query<{ tablename: string }>(
      `select tablename from pg_tables where schemaname = 'read' and tablename like any (array['cells%', 'sums%']) order by 1`,
    )
  ).rows.map(({ tablename }) => tablename);
const indexesOf = async (name: string) =>
  (await own.sql.query<{ indexdef: string }>(`select indexdef from pg_indexes where schemaname = 'read' and tablename = $1`, [name])).rows
    .map(({ indexdef }) => indexdef.slice(indexdef.indexOf('(')))
    .toSorted();
/** of `cells` */
const COMPLETE = ['(school_id, mark)', '(school_id, student_id, test_id)', '(school_id, test_id)'];
const asked = (options: Partial<RebuildOptions> = {}): RebuildOptions => ({
  databaseUrl: own.url,
  store: log,
  decode,
  projections: [cells(), sums],
  progress: new Progress({ databaseUrl: own.url }),
  ...options,
});

/** A rebuild beside a running product, which is given up in the middle. */
const toBeGivenUp = async () => {
  await append(1, 2);
  await running();
  const { open, begun, decode: held } = gate();
  const stopping = new AbortController();
  const abandoned = rebuild(asked({ decode: held, signal: stopping.signal }));
  abandoned.catch(() => undefined);
  await begun;
  const giveUp = (): void => {
    stopping.abort();
    open();
  };
  return { abandoned, giveUp };
};

/** Decodes once it is told to. */
const gate = () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  return {
    open: resolve,
    begun: begun.promise,
    decode: async (events: readonly RecordedEvent[]) => {
      begun.resolve();
      await promise;
      return decode(events);
    },
  };
};

test('read models that were taken away under a running projector are filled again by the next start', async () => {
  await append(1, 2, 3);
  await running();
  await own.sql.query('drop schema read cascade');
  await running();
  await expect.poll(shown).toEqual({ total: '6', given: 3 });
  await append(4);
  await expect.poll(shown).toEqual({ total: '10', given: 4 });
});

describe('a rebuild on demand', () => {
  test('tries again to key a table that is being read, and waits for whoever writes to the next one', async () => {
    const others = table('others', { key: { test_id: 'uuid' }, columns: {}, indexes: [{ columns: ['school_id'], late: true }] });
    const withOthers = cells();
    await append(1, 2, 3);
    const { open, begun, decode: held } = gate();
    const projections = [{ ...withOthers, tables: { ...withOthers.tables, others } }];
    const rebuilding = rebuild(asked({ decode: held, projections }));
    await begun;
    const [writer, reader] = [new pg.Client({ connectionString: own.url }), new pg.Client({ connectionString: own.url })];
    await Promise.all([writer.connect(), reader.connect()]);
    stops.push(async () => void (await Promise.all([writer.end(), reader.end()])));
    await writer.query('begin; lock table read.others_v1_g1 in row exclusive mode');
    await reader.query('begin; select from read.cells_v1_g1');
    open();

    const isWaiting = async (what: string, forMs: number) =>
      (
        await own.sql.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like $1
              and clock_timestamp() - query_start > make_interval(secs => $2)`,
          [`${what}%`, forMs / 1_000],
        )
      ).rowCount === 1;
    await expect.poll(() => isWaiting('alter table', 0)).toBe(true);
    await expect.poll(() => isWaiting('alter table', 0)).toBe(false);
    await reader.query('rollback');
    await expect.poll(() => isWaiting('create index', 500)).toBe(true);
    await writer.query('rollback');
    await rebuilding;
    expect(await indexesOf('cells_v1_g1')).toEqual(COMPLETE);
  });

  test('goes on beside a projector that maintains the old tables; no reader sees an empty or an older table; then the new ones are maintained', async () => {
    await append(...Array.from({ length: 1500 }, () => 1));
    const { progress } = await running();
    const reader = new Reader({ databaseUrl: own.url });
    const seen: number[] = [];
    let reading = true;
    const watching = (async () => {
      while (reading) {
        const [row] = await reader.readAs(school, (ask) => ask<{ n: number }>({ name: 'given', text: 'select given as n from read.sums' }));
        seen.push(row?.n ?? -1);
      }
    })();

    const { open, begun, decode: held } = gate();
    const rebuilding = rebuild(asked({ decode: held }));
    await begun;
    // The new tables are empty yet; what comes now is seen all the same.
    await progress.waitFor(['sums', 'cells'], await append(1), 30_000);
    expect(await shown()).toEqual({ total: '1501', given: 1501 });
    open();
    for (let i = 0; i < 30; i++) {
      await append(1);
      await new Promise(setImmediate);
    }
    await rebuilding;
    const last = await append(1);
    await progress.waitFor(['sums', 'cells'], last, 30_000);
    reading = false;
    await watching;
    await reader.close();

    expect(await shown()).toEqual({ total: '1532', given: 1532 });
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(seen[0]).toBeGreaterThanOrEqual(1500);
    await expect.poll(tables).toEqual(['cells_v1_g1', 'sums_v1_g1']);
  });

  test('works without any projector; the next start goes on with what it made', async () => {
    await append(1, 2, 3);
    await (await startedEngine({ url: own.url, store: log })).stop();
    await append(4);
    await rebuild(asked({ projections: [sums] }));
    expect(await shown()).toEqual({ total: '10', given: 4 });
    const { engine } = await running();
    expect(engine.status().projections).toMatchObject([
      { name: 'cells', generation: 0, state: 'running', position: '4' },
      { name: 'sums', generation: 1, state: 'running', position: '4' },
    ]);
    expect(await tables()).toEqual(['cells_v1', 'sums_v1_g1']);
  });

  test('that was killed in the middle is finished by the projector that runs; no rubbish stays', async () => {
    await append(1, 2, 3);
    const { progress } = await running();
    const { begun, decode: forEver } = gate();
    const dying = rebuild(asked({ decode: forEver, projections: [sums] }));
    dying.catch(() => undefined);
    await begun;
    expect(await tables()).toEqual(['cells_v1', 'sums_v1', 'sums_v1_g1']);
    // As dead as a process can be made to look within one's own: its heart, which still beats, is never heard.
    const unheard = (): Promise<unknown> => own.sql.query(`update read.lease set until = now() - interval '1 minute' where generation = 1`);
    await expect.poll(() => unheard().then(tables)).toEqual(['cells_v1', 'sums_v1_g1']);
    await progress.waitFor(['sums'], await append(4), 30_000);
    expect(await shown()).toEqual({ total: '10', given: 4 });
  });

  test('makes the indexes that only queries need last; when the tables are shown they have all, and are looked up by their key', async () => {
    await append(1, 2, 3);
    await running();
    const { open, begun, decode: held } = gate();
    const done = rebuild(asked({ decode: held, projections: [cells()] }));
    await begun;
    expect(await indexesOf('cells_v1_g1')).toEqual(['(school_id, student_id, test_id)', '(school_id, test_id)']);
    open();
    await done;
    expect(await indexesOf('cells_v1_g1')).toEqual(COMPLETE);
    const { rows } = await own.sql.query(
      `select indisprimary from pg_index where indrelid = 'read.cells_v1_g1'::regclass order by indexrelid desc limit 1`,
    );
    expect(rows).toEqual([{ indisprimary: true }]);
  });

  test('that was killed before it had made them gets them from the projector that finishes it', async () => {
    await append(1, 2, 3);
    const { progress } = await running();
    expect(await indexesOf('cells_v1')).toEqual(COMPLETE);
    const { begun, decode: forEver } = gate();
    const dying = rebuild(asked({ decode: forEver, projections: [cells()] }));
    dying.catch(() => undefined);
    await begun;
    const unheard = (): Promise<unknown> => own.sql.query(`update read.lease set until = now() - interval '1 minute' where generation = 1`);
    await expect.poll(() => unheard().then(tables)).toEqual(['cells_v1_g1', 'sums_v1']);
    await progress.waitFor(['cells'], await append(4), 30_000);
    expect(await indexesOf('cells_v1_g1')).toEqual(COMPLETE);
  });

  test('is refused while another one is under way', async () => {
    await append(1);
    await running();
    const { open, begun, decode: held } = gate();
    const first = rebuild(asked({ decode: held, projections: [sums] }));
    await begun;
    await expect(rebuild(asked({ projections: [sums] }))).rejects.toThrow('The read model sums is already being rebuilt.');
    open();
    await first;
  });

  test('that meets an event which it cannot apply says so, and leaves everything as it was', async () => {
    await append(1, 13, 2);
    cure();
    const { progress } = await running();
    await progress.waitFor(['sums'], 3n, 30_000);
    cure(false);
    const failing = rebuild(asked({ projections: [sums] }));
    await expect(failing).rejects.toThrow(RebuildFailed);
    await expect(failing).rejects.toThrow('thirteen is too much');
    expect(await shown()).toEqual({ total: '16', given: 3 });
    expect(await tables()).toEqual(['cells_v1', 'sums_v1']);
  });

  test('from a log that ends before what is shown ends with a sentence, and leaves everything as it was', async () => {
    await append(1, 2, 3);
    await running();
    const earlier = new TestLog();
    await earlier.append(`entry-${school}.a`, given(school, testId, [1]));
    log.replaceBy(earlier);
    await expect(rebuild(asked())).rejects.toThrow(
      /^The served read model \w+ has reached position 3, but the log ends at 1: .*log accept/,
    );
    expect(await shown()).toEqual({ total: '6', given: 3 });
  });

  test('that is given up leaves everything as it was', async () => {
    const { abandoned, giveUp } = await toBeGivenUp();
    giveUp();
    await expect(abandoned).rejects.toThrow('cancelled');
    expect(await tables()).toEqual(['cells_v1', 'sums_v1']);
  });

  test('that is given up by somebody who was taken for hung leaves everything as it was', async () => {
    const { abandoned, giveUp } = await toBeGivenUp();
    const holder = new pg.Client({ connectionString: own.url });
    await holder.connect();
    stops.push(() => holder.end());
    await holder.query(`begin; select from read.version where projection = 'sums' and generation = 1 for update`);
    giveUp();
    const ended = () =>
      own.sql.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like 'delete from read.version%'`,
      );
    await expect.poll(async () => (await ended()).rowCount).toBe(1);
    await holder.query('rollback');
    await expect(abandoned).rejects.toThrow('cancelled');
    expect(await tables()).toEqual(['cells_v1', 'sums_v1']);
  });
});

describe('rebuilt tables are compared with those that are shown', () => {
  test('row by row, and are equal, while marks go on being given', async () => {
    await append(...Array.from({ length: 300 }, (_, i) => i % 10));
    const { progress } = await running();
    let giving = true;
    const marks = (async () => {
      while (giving) await progress.waitFor(['cells'], await append(1), 30_000);
    })();
    const comparisons = await compare(asked());
    giving = false;
    await marks;
    expect(comparisons.map(({ table, differences }) => [table, differences])).toEqual([
      ['cells', 0],
      ['sums', 0],
    ]);
    expect(comparisons[0]?.rows.shown).toBeGreaterThanOrEqual(300);
    expect(comparisons[0]?.rows.rebuilt).toBe(comparisons[0]?.rows.shown);
    expect(await tables()).toEqual(['cells_v1', 'sums_v1']);
    await progress.waitFor(['sums'], await append(1), 30_000);
  });

  test('and a row that is missing, too many or other than it was is named by its key', async () => {
    const [student, other, stranger] = [randomUUID(), randomUUID(), randomUUID()];
    for (const one of [student, other]) await log.append('a', given(school, testId, [5], one));
    await (await startedEngine({ url: own.url, store: log })).stop();
    await own.sql.query(`update read.cells_v1 set mark = 6, authors = '{}' where student_id = $1`, [student]);
    await own.sql.query(`update read.cells_v1 set student_id = $2 where student_id = $1`, [other, stranger]);

    const [difference] = await rebuild(asked({ projections: [cells()] }), { compared: true });
    expect(difference).toMatchObject({ table: 'cells', rows: { shown: 2, rebuilt: 2 }, differences: 3 });
    const key = (id: string) => `school_id = ${school}, student_id = ${id}, test_id = ${testId}`;
    expect(difference?.examples.toSorted((a, b) => (a.what < b.what ? -1 : 1))).toEqual([
      { key: key(other), what: 'only rebuilt', columns: [] },
      { key: key(stranger), what: 'only shown', columns: [] },
      { key: key(student), what: 'other', columns: ['mark', 'authors'] },
    ]);
    // The log is right: it is shown now.
    expect((await own.sql.query('select mark from read.cells order by mark')).rows).toEqual([{ mark: 5 }, { mark: 5 }]);
  });

  test('and the tables of a comparison that was killed go with the next one', async () => {
    await append(1, 2);
    await (await startedEngine({ url: own.url, store: log })).stop();
    // As it leaves them: nobody gives a sign of life for them any more.
    await begin(own.sql, 'read', cells(), { reason: 'to be compared', holder: randomUUID(), shadow: true });
    await own.sql.query('truncate read.lease');
    expect(await tables()).toEqual(['cells_v1', 'cells_v1_g1', 'sums_v1']);
    await compare(asked({ projections: [cells()] }));
    expect(await tables()).toEqual(['cells_v1', 'sums_v1']);
  });

  test('names twenty of many', async () => {
    await append(...Array.from({ length: 50 }, () => 1));
    await (await startedEngine({ url: own.url, store: log })).stop();
    await own.sql.query('update read.cells_v1 set mark = 2');
    const [difference] = await compare(asked({ projections: [cells()] }));
    expect([difference?.differences, difference?.examples.length]).toEqual([50, 20]);
  });
});

describe('an event that was skipped', () => {
  test('is passed at once by the projector that had stopped there, and by every rebuild; who, when and why is kept', async () => {
    const { engine, progress } = await running();
    const position = await append(1, 13, 2);
    const poison = log.events[1]?.id ?? '';
    await expect
      .poll(async () => (await buildStatuses(own.sql)).find(({ name }) => name === 'sums'))
      .toMatchObject({
        state: 'stopped',
        stoppedAt: poison,
        error: expect.stringContaining('thirteen is too much'),
      });

    await recordSkip(own.sql, { projection: 'sums', eventId: poison, reason: 'a mistake of the import', by: operator() });
    for (const build of await buildStatuses(own.sql)) await recordTrouble(own.sql, 'read', build, null);
    await progress.waitFor(['sums'], position, 30_000);
    expect(await shown()).toEqual({ total: '3', given: 2 });
    await expect.poll(() => engine.status().projections.map(({ state }) => state)).toEqual(['running', 'running']);

    await rebuild(asked());
    expect(await shown()).toEqual({ total: '3', given: 2 });
    expect(await skips(own.sql)).toEqual([
      { projection: 'sums', eventId: poison, reason: 'a mistake of the import', by: operator(), at: expect.stringMatching(/^20\d\d-.*Z$/) },
    ]);
  });
});

test('how far a read model is behind is told in events and in seconds', async () => {
  await append(...Array.from({ length: 30 }, () => 1));
  const asked = Date.now();
  const lags = await lagsAt(log, 30n, [0n, 25n, 30n]);
  expect([...lags].map(([position, { events, orMore }]) => [position, events, orMore])).toEqual([
    [0n, 30, false],
    [25n, 5, false],
    [30n, 0, false],
  ]);
  // The events of these tests were made on 2026-09-01.
  const age = (asked - Date.parse('2026-09-01T08:00:00.000Z')) / 1000;
  expect(lags.get(25n)?.seconds).toBeGreaterThan(age - 60);
  expect(lags.get(30n)?.seconds).toBe(0);
});
