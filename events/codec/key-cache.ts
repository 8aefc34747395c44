import { LRUCache } from 'lru-cache';
import type { KeyObject } from 'node:crypto';
import type { Pool } from 'pg';
import { type Forgotten, forgotten, isForgotten } from './event.ts';
import type { Forgettings } from './forgettings.ts';

export type KeyCacheOptions = {
  readonly pool: Pool;
  /** Persons in this file count as forgotten, whatever the database says. */
  readonly outside?: Pick<Forgettings, 'has' | 'refresh'> | undefined;
  readonly size: number;
  readonly staleAfterMs: number;
  /** milliseconds of a monotonic clock */
  readonly now: () => number;
};

/** Unwrapped keys of persons in memory. A forgetting in another process is noticed within `staleAfterMs`. */
export class KeyCache {
  readonly #options: KeyCacheOptions;
  readonly #keys: LRUCache<string, KeyObject | Forgotten>;
  /** Number of the newest forgetting that the cache knows of; undefined until the first refresh, when the cache is empty. */
  #seen: string | undefined;
  #seenAt = -Infinity;
  #refreshing: Promise<void> | undefined;
  #generation = 0;

  constructor(options: KeyCacheOptions) {
    this.#options = options;
    this.#keys = new LRUCache({ max: options.size });
  }

  /** Grows with each forgetting that becomes known: a key that was queried before it must not be cached after it. */
  get generation(): number {
    return this.#generation;
  }

  get(person: string): KeyObject | Forgotten | undefined {
    return this.#options.outside?.has(person) ? forgotten : this.#keys.get(person);
  }

  /** Caches a key, unless a forgetting became known since the generation at which it was queried. */
  keep(person: string, key: KeyObject | Forgotten, generation: number): void {
    if (generation === this.#generation || isForgotten(key)) this.#keys.set(person, key);
  }

  forget(person: string): void {
    this.#generation++;
    this.#keys.set(person, forgotten);
  }

  /** Looks for forgettings in other processes, unless it has just done so. */
  async refresh(): Promise<void> {
    const { now, staleAfterMs } = this.#options;
    if (now() - this.#seenAt < staleAfterMs) return;
    this.#refreshing ??= this.#lookForForgettings().finally(() => (this.#refreshing = undefined));
    await this.#refreshing;
  }

  async #lookForForgettings(): Promise<void> {
    const { pool, outside, now } = this.#options;
    const askedAt = now();
    await outside?.refresh();
    if (this.#seen === undefined) {
      const { rows } = await pool.query<{ number: string }>('select number from keys.forgettings');
      this.#seen = rows[0]?.number ?? '0';
    } else {
      const { rows } = await pool.query<{ person: string; forgetting: string }>(
        'select person, forgetting from keys.person_keys where forgetting > $1 order by forgetting',
        [this.#seen],
      );
      for (const { person, forgetting } of rows) {
        this.forget(person);
        this.#seen = forgetting;
      }
    }
    this.#seenAt = askedAt;
  }
}
