import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { signingKey, type SignedHead } from '../../events/proof/head.ts';
import { signHeads, storedHeads } from '../../events/proof/heads.ts';
import { outOfOrder } from '../../events/proof/explain.ts';
import { verifyLog, type Verification, type VerifyOptions } from '../../events/proof/verify.ts';
import type { StreamEvent } from '../../events/store/port.ts';
import { postgresStore } from '../../events/store/postgres.ts';
import { streamEvents } from '../../events/transfer/postgres.ts';
import { ledger } from '../../projections/ledger/ledger.ts';
import { ledgerIn } from '../../projections/ledger/reader.ts';
import { startedEngine } from '../projections/marks.ts';
import { testDatabase, type TestDatabase } from '../support/postgres.ts';
import { contents } from '../transfer/logs.ts';
import { steadyPool } from '../../events/store/postgres/pool.ts';

/**
 * A log of two schools with two signed heads of the first, the ledger beside it, and somebody who owns the database and changes the log by
 * hand. Each test puts it back as it was.
 */
const [school, other] = [randomUUID(), randomUUID()];
const key = signingKey(Buffer.alloc(32, 1));

let database: TestDatabase;
let pool: pg.Pool;
let heads: readonly SignedHead[];
let original: readonly StreamEvent[];

beforeAll(async () => {
  database = await testDatabase();
  pool = steadyPool({ connectionString: database.url, max: 3 });
  const store = postgresStore({ connectionString: database.url });
  const append = async (stream: string, types: readonly string[]) =>
    store.append(
      stream,
      types.map((type, index) => ({ id: randomUUID(), type, data: `{"mark":${index}}`, metadata: '{}' })),
      'any',
    );
  const sign = async () => {
    const { rows } = await pool.query('select school_id as school, size, root from read.ledger_trees');
    await signHeads(
      pool,
      rows.map((row: { school: string; size: number; root: string }) => ({ ...row, at: `2026-11-0${row.size % 9}T10:00:00.000Z` })),
      key,
    );
  };

  await append(`entry-${school}.a`, ['TotalsUploaded', 'MarksTyped', 'MarksTyped']);
  await append(`entry-${other}.a`, ['TotalsUploaded']);
  await append(`entry-${school}.b`, ['TotalsUploaded', 'MarksTyped']);
  const engine = await startedEngine({ url: database.url, store, projections: [ledger] });
  await sign();
  await append(`entry-${school}.a`, ['MarksTyped', 'MarksTyped']);
  const { position } = await append(`entry-${school}.b`, ['MarksTyped', 'TotalsUploaded']);
  await engine.progress.waitFor(['ledger'], position, 30_000);
  await sign();
  const last = await append(`entry-${school}.c`, ['MarksTyped']);
  await engine.progress.waitFor(['ledger'], last.position, 30_000);
  await engine.stop();
  await store.close();

  heads = await storedHeads(pool);
  original = await contents({ name: 'the log', events: () => streamEvents(database.url) });
  await pool.query('create table public.events as table log.events; create table public.leaves as table read.ledger_leaves');
});

beforeEach(async () => {
  await pool.query(`truncate log.events; insert into log.events table public.events;
    delete from read.ledger_leaves_v1; insert into read.ledger_leaves_v1 table public.leaves`);
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

const verified = async (options: Partial<VerifyOptions> = {}): Promise<Verification> =>
  verifyLog({ events: () => streamEvents(database.url), heads, keys: [key.keyId], ledger: await ledgerIn(pool), ...options });

/** The event that stands there as the school counts its own. */
const own = (number: number): StreamEvent => original.filter(({ stream }) => stream.includes(school))[number - 1]!;
const place = (number: number): number => original.indexOf(own(number)) + 1;

test('a log that nobody touched is what was signed, and it says what no head protects yet', async () => {
  expect(heads.map((head) => [head.school, head.size])).toEqual(
    expect.arrayContaining([
      [school, 5],
      [other, 1],
      [school, 9],
    ]),
  );
  expect(await verified()).toEqual({ events: 11, schools: 2, proven: 3, unprotected: 1, findings: [], accepted: [] });
  expect(await verified({ ledger: undefined })).toMatchObject({ proven: 3, findings: [] });
});

describe('by hand in the log,', () => {
  const at = (number: number) => `position = ${place(number)}`;

  test.each([
    ['a mark changed', () => `update log.events set data = '{"mark":9}' where ${at(2)}`, 2, 'was changed.'],
    ['no more than a space', () => `update log.events set data = '{"mark": 1}' where ${at(2)}`, 2, 'was changed.'],
    ['an author changed', () => `update log.events set metadata = '{"actor":"me"}' where ${at(8)}`, 8, 'was changed.'],
    ['a type changed', () => `update log.events set type = 'MarksTyped' where ${at(4)}`, 4, 'had its type changed: it was TotalsUploaded.'],
    [
      'an event moved to another stream',
      () => `update log.events set stream = 'entry-${school}.z', revision = 0 where ${at(7)}`,
      7,
      `was moved: it was in entry-${school}.a at revision 4.`,
    ],
    [
      'an event moved to another school',
      () => `update log.events set stream = 'entry-${other}.a', revision = 1 where ${at(7)}`,
      7,
      `was moved: it was in entry-${school}.a at revision 4.`,
    ],
    ['another id', () => `update log.events set id = gen_random_uuid() where ${at(3)}`, 3, 'had its id changed'],
  ])('%s: the event is named', async (_, change, number, what) => {
    await pool.query(change());
    const { findings } = await verified();
    expect(findings).toContainEqual(expect.stringMatching(new RegExp(`^School ${school}: the log does not match head`)));
    expect(findings.filter((finding) => finding.includes(`event number ${number},`))).toEqual([expect.stringContaining(what)]);
    expect(findings.filter((finding) => finding.startsWith(`School ${school}: event`))).toHaveLength(1);
  });

  test('an event removed', async () => {
    await pool.query(`delete from log.events where ${at(3)}`);
    expect((await verified()).findings).toEqual([
      expect.stringMatching(/the log does not match head \d of .* at 5 events\.$/),
      `School ${school}: event number 3, ${own(3).id}, was removed.`,
    ]);
  });

  test('the end removed', async () => {
    await pool.query(`delete from log.events where position >= ${place(8)}`);
    expect((await verified()).findings).toEqual([
      expect.stringMatching(/head \d of .* was signed at 9 events, but the log has 7, although it matches head \d of .* at 5 events\.$/),
      ...[8, 9, 10].map((number) => `School ${school}: event number ${number}, ${own(number).id}, was removed.`),
    ]);
  });

  test('an event slipped in', async () => {
    await pool.query(
      `update log.events set position = -position where position > 2; update log.events set position = 1 - position where position < 0`,
    );
    await pool.query(`insert into log.events values (3, 'entry-${school}.x', 0, gen_random_uuid(), 'MarksTyped', '{}', '{}')`);
    const { findings } = await verified();
    expect(findings).toHaveLength(2);
    expect(findings[1]).toMatch(/event number 3, MarksTyped .* was inserted\.$/);
  });

  test('an event slipped into a stream of no school, or a school that was never there, is no secret', async () => {
    await pool.query(`insert into log.events values (20, 'elsewhere', 0, gen_random_uuid(), 'MarksTyped', '{}', '{}')`);
    expect(await verified()).toMatchObject({ schools: 3, unprotected: 2, findings: [] });
  });

  test('two events exchanged: the one that has to move is named', async () => {
    await pool.query(`update log.events set position = -1 where ${at(7)}; update log.events set position = ${place(7)} where ${at(6)};
      update log.events set position = ${place(6)} where position = -1`);
    const { findings } = await verified();
    expect(findings).toHaveLength(2);
    expect(findings[1]).toMatch(/event number [67], .* was reordered\.$/);
  });

  test('a change that no head covers yet is found by the ledger alone', async () => {
    await pool.query(`update log.events set data = '{"mark":9}' where ${at(10)}`);
    expect((await verified()).findings).toEqual([expect.stringMatching(/event number 10, .* was changed\.$/)]);
    expect((await verified({ ledger: undefined })).findings).toEqual([]);
  });

  test('many changes are named up to a limit, and counted', async () => {
    await pool.query(`update log.events set data = '{"mark":99}'`);
    const { findings } = await verified();
    expect(findings.filter((finding) => finding.includes('was changed'))).toHaveLength(11);
    expect(await verified({ ledger: undefined })).toMatchObject({ proven: 0, unprotected: 11 });
  });

  test('log and ledger changed alike: the heads still tell, and between which of them it was', async () => {
    await pool.query(`update log.events set data = '{"mark":9}' where ${at(7)}`);
    await pool.query(`update read.ledger_leaves_v1 set hash = repeat('0', 64) where school_id = '${school}' and number = 6`);
    expect((await verified()).findings).toEqual([
      expect.stringMatching(/the log does not match head \d of .* at 9 events, although it matches head \d of .* at 5 events\.$/),
      `School ${school}: the ledger does not match this head either, so the changed event cannot be named.`,
    ]);
  });
});

describe('with exported heads alone', () => {
  const of = (events: readonly StreamEvent[]) =>
    verified({
      ledger: undefined,
      events: async function* () {
        yield events;
      },
    });
  const edited = (number: number, change: Partial<StreamEvent>) => original.with(place(number) - 1, { ...own(number), ...change });

  test.each([
    ['changed', () => edited(7, { data: '{"mark":9}' })],
    ['retyped', () => edited(7, { type: 'Other' })],
    ['moved', () => edited(7, { stream: `entry-${school}.z`, revision: 0n })],
    ['removed', () => original.toSpliced(place(7) - 1, 1)],
    ['inserted', () => original.toSpliced(place(7), 0, { ...own(7), id: randomUUID(), stream: `entry-${school}.z` })],
    ['reordered', () => original.with(place(7) - 1, own(6)).with(place(6) - 1, own(7))],
  ])('an event that was %s shows between two heads', async (_, events) => {
    const { findings } = await of(events());
    expect(findings).toEqual([
      expect.stringMatching(/^School .*: the log does not match head \d of .* at 9 events, although it matches head \d .* at 5 events\.$/),
    ]);
  });

  test('what was copied whole is what was signed', async () => {
    expect((await of(original)).findings).toEqual([]);
  });
});

describe('a head', () => {
  test('that was edited proves nothing and is named', async () => {
    const forged = heads.map((head) => (head.size === 9 ? { ...head, size: 8 } : head));
    expect((await verified({ heads: forged })).findings).toEqual([expect.stringContaining('(school ' + school + ', 8 events, ')]);
  });

  test('that somebody signed with a key of their own is named, until the key is known', async () => {
    const mine = signingKey(Buffer.alloc(32, 2));
    const [head] = heads;
    const signed = { ...head!, ...mine.sign(head!) };
    expect((await verified({ heads: [signed] })).findings).toEqual([expect.stringContaining(`add --key ${mine.keyId}`)]);
    expect(await verified({ heads: [signed], keys: [mine.keyId] })).toMatchObject({ proven: 1, findings: [] });
  });
});

test('of numbers in disorder the fewest are taken out', () => {
  expect(outOfOrder([0, 1, 2, 3])).toEqual([]);
  expect(outOfOrder([])).toEqual([]);
  expect(outOfOrder([5, 0, 1, 2])).toEqual([5]);
  expect(outOfOrder([0, 2, 3, 1, 4])).toEqual([1]);
  expect(outOfOrder([3, 2, 1])).toHaveLength(2);
});
