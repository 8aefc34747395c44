import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isGenuine, openSigningKey, type SignedHead, signingKey } from '../../events/proof/head.ts';
import { headsIn, storedHeads } from '../../events/proof/heads.ts';
import { leafHash, Tree } from '../../events/proof/tree.ts';
import { NO_SCHOOL } from '../../events/store/port.ts';
import { ledger } from '../../projections/ledger/ledger.ts';
import { headSigner } from '../../projections/ledger/signer.ts';
import { testDatabase, type TestDatabase } from '../support/postgres.ts';
import { given, startedEngine, unrelated } from './marks.ts';
import { TestLog } from './test-log.ts';
import { steadyPool } from '../../events/store/postgres/pool.ts';

const [school, other] = [randomUUID(), randomUUID()];
const key = signingKey(Buffer.alloc(32, 1));

let database: TestDatabase;
let pool: pg.Pool;
let directory: string;
let log: TestLog;
let stops: (() => Promise<void>)[];

beforeEach(async () => {
  database = await testDatabase();
  pool = steadyPool({ connectionString: database.url, max: 3 });
  directory = await mkdtemp(join(tmpdir(), 'marktrail-ledger-'));
  log = new TestLog();
  stops = [];
});

afterEach(async () => {
  for (const stop of stops) await stop();
  await pool.end();
  await database.drop();
  await rm(directory, { recursive: true });
});

const running = async (store = log) => {
  const started = await startedEngine({ url: database.url, store, projections: [ledger] });
  stops.push(started.stop);
  return started;
};
const stopAll = async () => {
  for (const stop of stops.splice(0)) await stop();
};
const sign = async (said: string[] = []): Promise<string[]> => {
  await headSigner({ pool, key, file: file(), tell: (line) => said.push(line) }).close();
  return said;
};
const file = () => join(directory, 'heads.ndjson');
const exported = (): SignedHead[] => headsIn(readFileSync(file(), 'utf8'), 'heads.ndjson');
const trees = async () => (await pool.query('select school_id, size, root from read.ledger_trees order by size')).rows;
/** By the definition, from the log alone. */
const rootOf = (schoolId: string, size = Infinity): string => {
  const tree = new Tree();
  for (const event of log.events) if (event.stream.includes(schoolId) && tree.size < size) tree.append(leafHash(event));
  return tree.root();
};
const append = (stream: string, marks: readonly number[]) => log.append(stream, given(school, randomUUID(), marks));

test('each school has a tree over all its events, in the order of the log, however they were handed over', async () => {
  await append(`entry-${school}.a`, [1, 2, 3]);
  await append(`entry-${other}.a`, [4]);
  const { progress } = await running();
  await append(`undo-${school}.a`, [5]);
  const { position } = await log.append('elsewhere', [unrelated(school)]);
  await progress.waitFor(['ledger'], position, 30_000);

  expect(await trees()).toEqual(
    expect.arrayContaining([
      { school_id: school, size: 4, root: rootOf(school) },
      { school_id: other, size: 1, root: rootOf(other) },
      { school_id: NO_SCHOOL, size: 1, root: leafHash(log.events.at(-1)!) },
    ]),
  );
  const { rows } = await pool.query('select event_id, hash from read.ledger_leaves where school_id = $1 order by number', [school]);
  const own = log.events.filter(({ stream }) => stream.includes(school));
  expect(rows).toEqual(own.map((event) => ({ event_id: event.id, hash: leafHash(event) })));
});

describe('a signed head', () => {
  test('is made when the tree has grown, kept in the table and in the file, and stands up to its key', async () => {
    await append(`entry-${school}.a`, [1, 2]);
    const { progress } = await running();
    expect(await sign()).toEqual([]);
    await sign();
    const { position } = await append(`entry-${school}.a`, [3]);
    await progress.waitFor(['ledger'], position, 30_000);
    await sign();

    const heads = await storedHeads(pool);
    expect(heads).toMatchObject([
      { number: 1, school, size: 2, root: rootOf(school, 2), keyId: key.keyId },
      { number: 2, school, size: 3, root: rootOf(school, 3), keyId: key.keyId },
    ]);
    expect(exported()).toEqual(heads);
    for (const head of heads) {
      expect(isGenuine(head)).toBe(true);
      for (const edited of [{ size: 9 }, { root: rootOf(other) }, { school: other }, { at: '2026-01-01T00:00:00.000Z' }])
        expect(isGenuine({ ...head, ...edited })).toBe(false);
      const impostor = signingKey(Buffer.alloc(32, 2)).sign(head);
      expect(isGenuine({ ...head, ...impostor, keyId: head.keyId })).toBe(false);
    }
  });

  test('can be neither changed nor removed', async () => {
    await append(`entry-${school}.a`, [1]);
    await running();
    await sign();
    for (const sql of [`update proof.heads set root = ''`, 'delete from proof.heads', 'truncate proof.heads'])
      await expect(pool.query(sql)).rejects.toThrow('signed heads are neither changed nor removed');
  });

  test('whose line in the file was cut by a crash is written again; a file of another log is left alone', async () => {
    await append(`entry-${school}.a`, [1]);
    const { progress } = await running();
    await sign();
    const whole = readFileSync(file(), 'utf8');
    writeFileSync(file(), whole.slice(0, 100));
    await sign();
    expect(readFileSync(file(), 'utf8')).toBe(whole);

    const foreign = `${JSON.stringify({ ...exported()[0], ...key.sign({ school, size: 7, root: rootOf(school), at: 'then' }) })}\n`;
    writeFileSync(file(), foreign);
    const { position } = await append(`entry-${school}.a`, [2]);
    await progress.waitFor(['ledger'], position, 30_000);
    expect(await sign()).toEqual([expect.stringContaining('has heads that are not in this database')]);
    expect(readFileSync(file(), 'utf8')).toBe(foreign);
    expect(await storedHeads(pool)).toHaveLength(2);
  });

  test('has to come out again when the ledger is rebuilt, or the ledger stops and names school and size', async () => {
    await append(`entry-${school}.a`, [1, 2, 3]);
    await append(`entry-${other}.a`, [1]);
    await running();
    await sign();
    await stopAll();
    const changed = new TestLog();
    for (const { stream, id, type, data, metadata } of log.events)
      await changed.append(stream, [{ id, type, metadata, data: id === log.events[1]!.id ? data.replace('"mark":2', '"mark":5') : data }]);

    await pool.query('drop schema read cascade');
    const again = await running();
    expect(again.engine.status().projections).toMatchObject([{ state: 'running' }]);
    expect(await trees()).toEqual(expect.arrayContaining([{ school_id: school, size: 3, root: rootOf(school) }]));
    await stopAll();

    await pool.query('drop schema read cascade');
    const stopped = await running(changed);
    expect(stopped.engine.status().projections).toMatchObject([
      { state: 'stopped', error: expect.stringContaining(`the log of school ${school} was changed: its first 3 events`) },
    ]);
    expect(await trees()).toEqual([{ school_id: school, size: 2, root: expect.any(String) }]);
  });
});

test('the signing key is made once, for its owner alone', async () => {
  const made = await openSigningKey(directory);
  expect((await openSigningKey(directory)).keyId).toBe(made.keyId);
  expect((await stat(join(directory, 'signing.key'))).mode & 0o777).toBe(0o600);
  expect((await openSigningKey(directory, 'ab'.repeat(32))).keyId).not.toBe(made.keyId);
  await expect(openSigningKey(directory, 'short')).rejects.toThrow('SIGNING_KEY must hold 32 bytes in base64 or hex.');
});
