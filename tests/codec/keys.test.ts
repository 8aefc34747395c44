import { createSecretKey, type KeyObject } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Forgotten } from '../../events/codec/event.ts';
import { forgotten, isForgotten } from '../../events/codec/event.ts';
import {
  KeyMissing,
  keyRing,
  type KeyRingOptions,
  KeyUnreadable,
  migrateKeys,
  PersonForgotten,
  STALE_AFTER_MS,
} from '../../events/codec/keys.ts';
import { SecretKeyError } from '../../events/codec/key-file.ts';
import { MasterKeyError, openMasterKey } from '../../events/codec/master-key.ts';
import { emptyDatabase, type TestDatabase } from '../support/postgres.ts';
import { school, uuid } from './support.ts';
import { steadyPool } from '../../events/store/postgres/pool.ts';

let database: TestDatabase;
/** Two processes, as far as the database can tell. */
let pool: pg.Pool;
let otherPool: pg.Pool;

beforeAll(async () => {
  database = await emptyDatabase();
  pool = steadyPool({ connectionString: database.url, max: 4 });
  otherPool = steadyPool({ connectionString: database.url, max: 4 });
  await Promise.all([migrated(pool), migrated(otherPool)]);
});

afterAll(async () => {
  await pool.end();
  await otherPool.end();
  await database.drop();
});

afterEach(async () => {
  await pool.query('truncate keys.master_key, keys.school_keys, keys.person_keys');
});

const migrated = async (on: pg.Pool): Promise<void> => {
  const client = await on.connect();
  try {
    await migrateKeys(client);
  } finally {
    client.release();
  }
};

const masterKey = createSecretKey(Buffer.alloc(32, 7));
/** A ring that asks the database for forgettings each time, unless it is told otherwise. */
const ring = (options: Partial<KeyRingOptions> = {}) => keyRing({ pool, masterKey, staleAfterMs: 0, ...options });
const [anna, ben, carl] = [uuid('anna'), uuid('ben'), uuid('carl')];
const bytes = (key: KeyObject | Forgotten | undefined): string =>
  key === undefined || isForgotten(key) ? 'no key' : key.export().toString('hex');
const stored = async (): Promise<number> => (await pool.query('select from keys.person_keys')).rowCount ?? 0;

test('a migration may run again and keeps the keys', async () => {
  const key = (await ring().forWriting(school, [anna])).get(anna);
  await migrated(pool);
  expect(bytes((await ring().forReading([anna])).get(anna))).toBe(bytes(key));
});

describe('keys for writing', () => {
  test('each person gets a key of their own, once', async () => {
    const first = await ring().forWriting(school, [anna, ben, anna]);
    const again = await ring().forWriting(school, [ben, carl, anna]);
    expect(bytes(again.get(anna))).toBe(bytes(first.get(anna)));
    expect(bytes(again.get(ben))).toBe(bytes(first.get(ben)));
    expect(new Set([...again.values()].map(bytes)).size).toBe(3);
    expect(await stored()).toBe(3);
  });

  test('they are committed when they are handed out', async () => {
    const keys = await ring().forWriting(school, [anna]);
    const read = await ring({ pool: otherPool }).forReading([anna]);
    expect(bytes(read.get(anna))).toBe(bytes(keys.get(anna)));
  });

  test('two processes that make the same keys at once agree on them', async () => {
    const persons = Array.from({ length: 200 }, (_, n) => uuid(`student ${n}`));
    const rings = Array.from({ length: 8 }, (_, n) => ring({ pool: n % 2 === 0 ? pool : otherPool }));
    // Each asks in another order, so that they would lock each other out if they kept it.
    const answers = await Promise.all(
      rings.map((ring, n) => ring.forWriting(school, [...persons.slice(n * 20), ...persons.slice(0, n * 20)])),
    );
    for (const person of persons) expect(new Set(answers.map((keys) => bytes(keys.get(person)))).size).toBe(1);
    expect(await stored()).toBe(persons.length);
  });

  test('no key stands in the database as it is', async () => {
    const key = (await ring().forWriting(school, [anna])).get(anna)!;
    const { rows } = await pool.query<{ wrapped_key: Buffer }>('select wrapped_key from keys.person_keys');
    expect(rows[0]!.wrapped_key.includes(key.export())).toBe(false);
  });
});

describe('keys for reading', () => {
  test('come for a whole batch in one query, and then from memory', async () => {
    await ring().forWriting(school, [anna, ben, carl]);
    const queries: string[] = [];
    const reading = ring({ pool: counting(queries), staleAfterMs: STALE_AFTER_MS });
    await reading.forReading([anna, ben, carl]);
    expect(queries.filter((sql) => sql.includes('person_keys'))).toHaveLength(1);
    queries.length = 0;
    expect((await reading.forReading([carl, anna])).size).toBe(2);
    expect(queries).toEqual([]);
  });

  test('a person without a row is a damage, and named', async () => {
    await ring().forWriting(school, [anna]);
    await expect(ring().forReading([anna, ben])).rejects.toThrow(new KeyMissing(ben));
  });

  test('a key that was changed, or moved to another person, is not used', async () => {
    await ring().forWriting(school, [anna, ben]);
    await pool.query('update keys.person_keys set wrapped_key = (select wrapped_key from keys.person_keys where person = $1)', [anna]);
    await expect(ring().forReading([anna])).resolves.toBeDefined();
    await expect(ring().forReading([ben])).rejects.toThrow(KeyUnreadable);
  });

  test('another master key opens nothing', async () => {
    await ring().forWriting(school, [anna]);
    await expect(ring({ masterKey: createSecretKey(Buffer.alloc(32, 8)) }).forReading([anna])).rejects.toThrow(KeyUnreadable);
  });

  test('memory stays bounded, and a batch may be larger than it', async () => {
    const small = ring({ cacheSize: 2 });
    const keys = await small.forWriting(school, [anna, ben, carl]);
    expect([...(await small.forReading([anna, ben, carl])).keys()].sort()).toEqual([anna, ben, carl].sort());
    expect(bytes((await small.forReading([anna])).get(anna))).toBe(bytes(keys.get(anna)));
  });
});

describe('forgetting', () => {
  test('leaves a tombstone that reads as Forgotten, for ever', async () => {
    const keys = ring();
    await keys.forWriting(school, [anna, ben]);
    await keys.forget(anna);
    await keys.forget(anna);
    for (const reader of [keys, ring()]) {
      const read = await reader.forReading([anna, ben]);
      expect(read.get(anna)).toBe(forgotten);
      expect(read.get(ben)).not.toBe(forgotten);
      await expect(reader.forWriting(school, [ben, anna])).rejects.toThrow(new PersonForgotten(anna));
    }
    const { rows } = await pool.query('select wrapped_key, forgotten_at is not null as dated from keys.person_keys where person = $1', [
      anna,
    ]);
    expect(rows).toEqual([{ wrapped_key: null, dated: true }]);
  });

  test('of somebody who has no key yet means that they never get one', async () => {
    await ring().forget(carl);
    await expect(ring().forWriting(school, [carl])).rejects.toThrow(PersonForgotten);
  });

  test('is seen by another process, though it has the key in memory, after a second at the latest', async () => {
    let time = 0;
    const other = ring({ pool: otherPool, staleAfterMs: STALE_AFTER_MS, now: () => time });
    await other.forWriting(school, [anna, ben]);
    await ring().forget(anna);
    time = STALE_AFTER_MS - 1;
    expect((await other.forReading([anna])).get(anna)).not.toBe(forgotten);
    time = STALE_AFTER_MS;
    const read = await other.forReading([anna, ben]);
    expect(read.get(anna)).toBe(forgotten);
    expect(read.get(ben)).not.toBe(forgotten);
    expect(STALE_AFTER_MS).toBeLessThanOrEqual(1000);
  });

  test('is not undone by a key that was on its way to memory meanwhile', async () => {
    await ring().forWriting(school, [anna]);
    const gate = gated();
    const reading = ring({ pool: gate.pool, staleAfterMs: STALE_AFTER_MS, now: () => 0 });
    // The query has read the key; before its answer arrives, the same process forgets the person.
    const late = reading.forReading([anna]);
    await gate.answered;
    await reading.forget(anna);
    gate.open();
    await late;
    expect((await reading.forReading([anna])).get(anna)).toBe(forgotten);
  });
});

test('a school has one key, made once', async () => {
  const keys = await Promise.all(
    [ring(), ring({ pool: otherPool }), ring(), ring({ pool: otherPool })].map((ring) => ring.schoolKey(school)),
  );
  expect(new Set(keys.map(bytes)).size).toBe(1);
  expect(bytes(await ring().schoolKey(uuid('another school')))).not.toBe(bytes(keys[0]));
});

describe('the master key', () => {
  let dataDir: string;
  const given = Buffer.alloc(32, 9);

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'marktrail-keys-'));
  });
  afterEach(async () => {
    await rm(dataDir, { recursive: true });
  });

  test('is made once, for its owner only', async () => {
    const inside = join(dataDir, 'new');
    const key = await openMasterKey({ pool, dataDir: inside });
    expect((await stat(join(inside, 'master.key'))).mode & 0o777).toBe(0o600);
    expect(bytes(await openMasterKey({ pool, dataDir: inside }))).toBe(bytes(key));
  });

  test('two processes that start at once agree on one', async () => {
    const keys = await Promise.all([openMasterKey({ pool, dataDir }), openMasterKey({ pool: otherPool, dataDir })]);
    expect(bytes(keys[0])).toBe(bytes(keys[1]));
  });

  test('may be a setting, in hex or base64', async () => {
    for (const masterKey of [given.toString('hex'), given.toString('base64'), given.toString('base64url'), ` ${given.toString('hex')}\n`]) {
      expect(bytes(await openMasterKey({ pool, dataDir, masterKey }))).toBe(given.toString('hex'));
    }
    await expect(readFile(join(dataDir, 'master.key'))).rejects.toThrow('ENOENT');
  });

  test.each(['', 'secret', given.toString('hex').slice(2), `${given.toString('hex')}00`, Buffer.alloc(31).toString('base64')])(
    'the setting %j is refused in one line',
    async (masterKey) => {
      await expect(openMasterKey({ pool, dataDir, masterKey })).rejects.toThrow(
        new SecretKeyError('MASTER_KEY must hold 32 bytes in base64 or hex.'),
      );
    },
  );

  test('keys that exist without it stop the start', async () => {
    await openMasterKey({ pool, dataDir });
    await rm(join(dataDir, 'master.key'));
    await expect(openMasterKey({ pool, dataDir })).rejects.toThrow(
      /^This database holds keys, but .*master\.key with their master key is missing: put it back, or set MASTER_KEY\.$/,
    );
  });

  test('another one than the keys were made with stops the start', async () => {
    await openMasterKey({ pool, dataDir });
    await expect(openMasterKey({ pool, dataDir, masterKey: given.toString('hex') })).rejects.toThrow(
      'The keys in this database were made with another master key than the one in MASTER_KEY.',
    );
    await writeFile(join(dataDir, 'master.key'), given.toString('hex'));
    await expect(openMasterKey({ pool, dataDir })).rejects.toThrow(MasterKeyError);
  });

  test('a file that is no key stops the start', async () => {
    await writeFile(join(dataDir, 'master.key'), 'rubbish');
    await chmod(join(dataDir, 'master.key'), 0o600);
    await expect(openMasterKey({ pool, dataDir })).rejects.toThrow(/master\.key must hold 32 bytes/);
  });
});

/** The pool, with a list of what was asked. */
const counting = (queries: string[]): pg.Pool =>
  new Proxy(pool, {
    get: (target, name) =>
      name === 'query'
        ? (sql: string, values?: unknown[]) => {
            queries.push(sql);
            return target.query(sql, values);
          }
        : Reflect.get(target, name),
  });

/** The pool, whose answers to queries of keys wait until it is opened. */
const gated = () => {
  const opened = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const waiting = new Proxy(pool, {
    get: (target, name) =>
      name === 'query'
        ? async (sql: string, values?: unknown[]) => {
            const answer = await target.query(sql, values);
            if (!sql.startsWith('select person, wrapped_key')) return answer;
            answered.resolve();
            await opened.promise;
            return answer;
          }
        : Reflect.get(target, name),
  });
  return { pool: waiting, answered: answered.promise, open: opened.resolve };
};
