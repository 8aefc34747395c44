/**
 * The keys of persons and schools, over PostgreSQL (schema `keys`).
 *
 * - A key is committed before it is handed out for writing: no event can need a key that a crash took along.
 * - Rows are never removed. A tombstone reads as `Forgotten`; no row at all is `KeyMissing`, a damage that must not look like forgetting.
 * - A forgotten person never gets a key again.
 * - Unwrapped keys are kept in a bounded cache. A forgetting in another process is seen within `STALE_AFTER_MS`.
 */
import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import type { Forgotten } from './event.ts';
import { forgotten, isForgotten } from './event.ts';
import { lockNamed, migration } from '../store/postgres/migration.ts';
import type { Forgettings } from './forgettings.ts';
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

  /** Destroys the person's key for ever; also of a person who has none yet. Other processes lose it within `STALE_AFTER_MS`. */
  forget(person: string): Promise<void>;

  /** Those of the persons whose key is not destroyed here, such as after an older backup was restored. */
  notForgotten(persons: readonly string[]): Promise<string[]>;

  /** The school's key for tags; made at the first call. @throws KeyUnreadable */
  schoolKey(schoolId: string): Promise<KeyObject>;
}

/** For how long a cached key may be used after its person was forgotten in another process. */
export const STALE_AFTER_MS = 1000;

/** The person was forgotten: nothing personal can be written about him any more. */
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

/** Number of the newest forgetting after which no process has a key of that person left: what is decoded from now on knows of it. */
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
  /** who counts as forgotten whatever the database says */
  readonly outside?: Pick<Forgettings, 'has' | 'refresh'>;
  /** how many persons' keys are kept in memory, at some 500 bytes each */
  readonly cacheSize?: number;
  readonly staleAfterMs?: number;
  /** milliseconds of a clock that only goes forward */
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
  const persons = lru<KeyObject | Forgotten>(cacheSize);
  const schools = lru<KeyObject>(1000);

  /** Number of the newest forgetting that the cache knows of; undefined until it was asked for first, when the cache is empty. */
  let seen: string | undefined;
  let seenAt = -Infinity;
  let asking: Promise<void> | undefined;
  /** Grows with each forgetting that becomes known: a key that was queried before it is not cached after it. */
  let generation = 0;

  const noteForgettings = async (): Promise<void> => {
    const askedAt = now();
    await outside?.refresh();
    if (seen === undefined) {
      const { rows } = await pool.query<{ number: string }>('select number from keys.forgettings');
      seen = rows[0]?.number ?? '0';
    } else {
      const { rows } = await pool.query<{ person: string; forgetting: string }>(
        'select person, forgetting from keys.person_keys where forgetting > $1 order by forgetting',
        [seen],
      );
      for (const { person, forgetting } of rows) {
        generation++;
        persons.set(person, forgotten);
        seen = forgetting;
      }
    }
    seenAt = askedAt;
  };

  const freshCache = async (): Promise<void> => {
    if (now() - seenAt < staleAfterMs) return;
    asking ??= noteForgettings().finally(() => (asking = undefined));
    await asking;
  };

  const unwrap = (owner: string, wrapped: Buffer): KeyObject => {
    try {
      return createSecretKey(decrypt(masterKey, owner, wrapped));
    } catch (error) {
      throw new KeyUnreadable(owner, error);
    }
  };

  const newKey = (owner: string): Buffer => encrypt(masterKey, owner, randomBytes(32));

  /** Runs a query that answers rows of persons, puts them into `found` and, unless a forgetting came between, into the cache. */
  const load = async (found: Map<string, KeyObject | Forgotten>, sql: string, values: unknown[]): Promise<void> => {
    const before = generation;
    const { rows } = await pool.query<{ person: string; wrapped_key: Buffer | null }>(sql, values);
    for (const { person, wrapped_key: wrapped } of rows) {
      const key = wrapped === null ? forgotten : unwrap(`person ${person}`, wrapped);
      found.set(person, key);
      if (before === generation || isForgotten(key)) persons.set(person, key);
    }
  };

  const known = async (wanted: readonly string[]): Promise<Map<string, KeyObject | Forgotten>> => {
    await freshCache();
    const found = new Map<string, KeyObject | Forgotten>();
    const unknown = new Set<string>();
    for (const person of wanted) {
      const key = outside?.has(person) ? forgotten : persons.get(person);
      if (key === undefined) unknown.add(person);
      else found.set(person, key);
    }
    if (unknown.size > 0)
      await load(found, 'select person, wrapped_key from keys.person_keys where person = any($1::uuid[])', [[...unknown]]);
    return found;
  };

  return {
    async forWriting(schoolId, wanted) {
      const found = await known(wanted);
      // Sorted, so that two processes that make the same keys wait for each other in one order.
      const fresh = [...new Set(wanted)].filter((person) => !found.has(person)).sort();
      if (fresh.length > 0) {
        // The update that changes nothing makes the statement answer the stored row where another process was first.
        await load(
          found,
          `insert into keys.person_keys (person, school, wrapped_key)
           select person, $1, wrapped_key from unnest($2::uuid[], $3::bytea[]) as fresh (person, wrapped_key)
           on conflict (person) do update set person = excluded.person
           returning person, wrapped_key`,
          [schoolId, fresh, fresh.map((person) => newKey(`person ${person}`))],
        );
      }
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
      const found = await known(wanted);
      for (const person of wanted) if (!found.has(person)) throw new KeyMissing(person);
      return found;
    },

    async forget(person) {
      await pool.query('select keys.forget($1)', [person]);
      generation++;
      persons.set(person, forgotten);
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
      const stored = await pool.query<{ wrapped_key: Buffer }>('select wrapped_key from keys.school_keys where school = $1', [schoolId]);
      const {
        rows: [row],
      } =
        stored.rows.length > 0
          ? stored
          : await pool.query<{ wrapped_key: Buffer }>(
              `insert into keys.school_keys (school, wrapped_key) values ($1, $2)
         on conflict (school) do update set school = excluded.school
         returning wrapped_key`,
              [schoolId, newKey(owner)],
            );
      if (row === undefined) throw new Error(`no key was stored for ${owner}`);
      const key = unwrap(owner, row.wrapped_key);
      schools.set(schoolId, key);
      return key;
    },
  };
};

/** Keeps the entries that were used last. */
const lru = <Value>(size: number) => {
  const entries = new Map<string, Value>();
  return {
    get(key: string): Value | undefined {
      const value = entries.get(key);
      if (value === undefined) return undefined;
      entries.delete(key);
      entries.set(key, value);
      return value;
    },
    set(key: string, value: Value): void {
      entries.delete(key);
      entries.set(key, value);
      if (entries.size <= size) return;
      for (const oldest of entries.keys()) {
        entries.delete(oldest);
        return;
      }
    },
  };
};
