/**
 * The keys of persons and schools, over PostgreSQL (schema `keys`).
 *
 * - A key is committed before it is handed out for writing, so that no event needs a key that was lost in a crash.
 * - Rows are never removed. A tombstone reads as `Forgotten`; no row at all is `KeyMissing`, damage that must not look like forgetting.
 * - A forgotten person never gets a key again.
 * - Unwrapped keys are kept in a bounded cache. A forgetting in another process is noticed within `STALE_AFTER_MS`.
 */
import { LRUCache } from 'lru-cache';
import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import type { Forgotten } from './event.ts';
import { forgotten, isForgotten } from './event.ts';
import { lockNamed, migration } from '../store/postgres/migration.ts';
import type { Forgettings } from './forgettings.ts';
import { KeyCache } from './key-cache.ts';
import { decrypt, encrypt } from './personal.ts';

export interface KeyRing {
  /**
   * The key of each person, made where there is none yet, and committed.
   *
   * @throws PersonForgotten, KeyUnreadable
   */
  forWriting(schoolId: string, persons: readonly string[]): Promise<ReadonlyMap<string, KeyObject>>;

  /**
   * The key of each person, or `Forgotten`: one query for those that are not in the cache.
   *
   * @throws KeyMissing where a person has no row, KeyUnreadable
   */
  forReading(persons: readonly string[]): Promise<ReadonlyMap<string, KeyObject | Forgotten>>;

  /** Destroys the person's key for good, or prevents that one is ever made. Other processes drop it within `STALE_AFTER_MS`. */
  forget(person: string): Promise<void>;

  /** The persons among these whose key is not destroyed, for example because an older backup was restored. */
  notForgotten(persons: readonly string[]): Promise<string[]>;

  /** The school's key for tags; made at the first call. @throws KeyUnreadable */
  schoolKey(schoolId: string): Promise<KeyObject>;
}

/** For how long a cached key may be used after its person was forgotten in another process. */
export const STALE_AFTER_MS = 1000;

/** The person was forgotten: nothing personal can be written about them any more. */
export class PersonForgotten extends Error {
  override readonly name = 'PersonForgotten';
  readonly person: string;
  constructor(person: string) {
    super(`person ${person} was forgotten`);
    this.person = person;
  }
}

/** The log holds data of a person without a row among the keys: keys were lost or not restored. */
export class KeyMissing extends Error {
  override readonly name = 'KeyMissing';
  readonly person: string;
  constructor(person: string) {
    super(`the key of person ${person} is missing`);
    this.person = person;
  }
}

/** A stored key was changed, or wrapped by another master key. */
export class KeyUnreadable extends Error {
  override readonly name = 'KeyUnreadable';
  constructor(owner: string, cause: unknown) {
    super(`the key of ${owner} cannot be unwrapped with this master key`, { cause });
  }
}

export const migrateKeys = migration(lockNamed('keys'), new URL('keys.sql', import.meta.url));

/** Number of the newest forgetting of which every process knows by now: whatever is decoded from now on takes it into account. */
export const settledForgettings = async (pool: Pool): Promise<string> => {
  const { rows } = await pool.query<{ number: string }>(
    `select forgetting as number from keys.person_keys
      where forgetting is not null and forgotten_at < now() - $1 * interval '1 ms'
      order by forgetting desc limit 1`,
    [2 * STALE_AFTER_MS],
  );
  return rows[0]?.number ?? '0';
};

export type KeyRingOptions = {
  readonly pool: Pool;
  /** from `openMasterKey` */
  readonly masterKey: KeyObject;
  /** persons who count as forgotten, whatever the database says */
  readonly outside?: Pick<Forgettings, 'has' | 'refresh'>;
  /** how many persons' keys are kept in memory, at about 500 bytes each */
  readonly cacheSize?: number;
  readonly staleAfterMs?: number;
  /** milliseconds of a monotonic clock */
  readonly now?: () => number;
};

export const keyRing = ({
  pool,
  masterKey,
  outside,
  cacheSize = 20_000,
  staleAfterMs = STALE_AFTER_MS,
  now = () => performance.now(),
}: KeyRingOptions): KeyRing => {
  const cache = new KeyCache({ pool, outside, size: cacheSize, staleAfterMs, now });
  const schools = new LRUCache<string, KeyObject>({ max: 1000 });

  const unwrap = (owner: string, wrapped: Buffer): KeyObject => {
    try {
      return createSecretKey(decrypt(masterKey, owner, wrapped));
    } catch (error) {
      throw new KeyUnreadable(owner, error);
    }
  };

  const newKey = (owner: string): Buffer => encrypt(masterKey, owner, randomBytes(32));

  /** Runs a query for rows of persons and adds their keys to `found`. */
  const load = async (found: Map<string, KeyObject | Forgotten>, sql: string, values: unknown[]): Promise<void> => {
    const { generation } = cache;
    const { rows } = await pool.query<{ person: string; wrapped_key: Buffer | null }>(sql, values);
    for (const { person, wrapped_key: wrapped } of rows) {
      const key = wrapped === null ? forgotten : unwrap(`person ${person}`, wrapped);
      found.set(person, key);
      cache.keep(person, key, generation);
    }
  };

  const stored = async (wanted: readonly string[]): Promise<Map<string, KeyObject | Forgotten>> => {
    await cache.refresh();
    const found = new Map<string, KeyObject | Forgotten>();
    const unknown = new Set<string>();
    for (const person of wanted) {
      const key = cache.get(person);
      if (key === undefined) unknown.add(person);
      else found.set(person, key);
    }
    if (unknown.size > 0)
      await load(found, 'select person, wrapped_key from keys.person_keys where person = any($1::uuid[])', [[...unknown]]);
    return found;
  };

  return {
    async forWriting(schoolId, wanted) {
      const found = await stored(wanted);
      // Sorted, so that two processes that make the same keys lock them in the same order.
      const missing = [...new Set(wanted)].filter((person) => !found.has(person)).sort();
      if (missing.length > 0) await load(found, MAKE_KEYS, [schoolId, missing, missing.map((person) => newKey(`person ${person}`))]);
      const keys = new Map<string, KeyObject>();
      for (const person of wanted) {
        const key = found.get(person);
        if (key === undefined) throw new KeyMissing(person);
        if (isForgotten(key)) throw new PersonForgotten(person);
        keys.set(person, key);
      }
      return keys;
    },

    async forReading(wanted) {
      const found = await stored(wanted);
      for (const person of wanted) if (!found.has(person)) throw new KeyMissing(person);
      return found;
    },

    async forget(person) {
      await pool.query('select keys.forget($1)', [person]);
      cache.forget(person);
    },

    async notForgotten(wanted) {
      const { rows } = await pool.query<{ person: string }>(
        `select person from unnest($1::uuid[]) as wanted (person)
          where not exists (select from keys.person_keys k where k.person = wanted.person and k.wrapped_key is null)`,
        [wanted],
      );
      return rows.map(({ person }) => person);
    },

    async schoolKey(schoolId) {
      const cached = schools.get(schoolId);
      if (cached !== undefined) return cached;
      const owner = `school ${schoolId}`;
      const wrapped =
        (await wrappedKey(pool, SCHOOL_KEY, [schoolId])) ?? (await wrappedKey(pool, MAKE_SCHOOL_KEY, [schoolId, newKey(owner)]));
      if (wrapped === undefined) throw new Error(`no key was stored for ${owner}`);
      const key = unwrap(owner, wrapped);
      schools.set(schoolId, key);
      return key;
    },
  };
};

const wrappedKey = async (pool: Pool, sql: string, values: unknown[]): Promise<Buffer | undefined> =>
  (await pool.query<{ wrapped_key: Buffer }>(sql, values)).rows[0]?.wrapped_key;

/** The update that changes nothing makes the statement return the stored row where another process was faster. */
const MAKE_KEYS = `
  insert into keys.person_keys (person, school, wrapped_key)
  select person, $1, wrapped_key from unnest($2::uuid[], $3::bytea[]) as fresh (person, wrapped_key)
  on conflict (person) do update set person = excluded.person
  returning person, wrapped_key`;
const SCHOOL_KEY = 'select wrapped_key from keys.school_keys where school = $1';
const MAKE_SCHOOL_KEY = `
  insert into keys.school_keys (school, wrapped_key) values ($1, $2)
  on conflict (school) do update set school = excluded.school
  returning wrapped_key`;
