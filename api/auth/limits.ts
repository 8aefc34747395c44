import type { Pool } from 'pg';
import { doorWords } from '../contract/door-words.ts';
import { ProblemError } from '../pipeline/problems.ts';
import type { Secrets } from './secrets.ts';

/** At most `most` within `seconds`, counted from the first. */
export type Limit = { readonly name: string; readonly most: number; readonly seconds: number };

/**
 * How often something may be tried: counted in the database, so that it holds across processes and restarts. Who tried is kept as an HMAC,
 * never as an address.
 */
export class Limits {
  readonly #pool: Pool;
  readonly #secrets: Pick<Secrets, 'mac'>;

  constructor(pool: Pool, secrets: Pick<Secrets, 'mac'>) {
    this.#pool = pool;
    this.#secrets = secrets;
  }

  /** Counts one. @throws ProblemError `rate-limited` when there were too many already */
  async count(limit: Limit, ...who: readonly string[]): Promise<void> {
    refuseAbove(await this.note(limit, ...who), limit.most);
  }

  /** Counts one, and refuses nothing. */
  async note(limit: Limit, ...who: readonly string[]): Promise<Counter | undefined> {
    const { rows } = await this.#pool.query<Counter>(
      `insert into identity.counters as c (key, count, until) values ($1, 1, now() + make_interval(secs => $2))
       on conflict (key) do update set
         count = case when c.until < now() then 1 else c.count + 1 end,
         until = case when c.until < now() then excluded.until else c.until end
       returning count, extract(epoch from until - now())::float8 as seconds`,
      [this.#key(limit, who), limit.seconds],
    );
    return rows[0];
  }

  /** Whether any was counted, within the time of the limit. */
  async has(limit: Limit, ...who: readonly string[]): Promise<boolean> {
    return (await this.#counted(limit, who)) !== undefined;
  }

  /** Whether another one would be too many; counts nothing. @throws ProblemError `rate-limited` */
  async check(limit: Limit, ...who: readonly string[]): Promise<void> {
    refuseAbove(await this.#counted(limit, who), limit.most - 1);
  }

  /** It went well: what went wrong before is forgiven. */
  async forgive(limit: Limit, ...who: readonly string[]): Promise<void> {
    await this.#pool.query(`delete from identity.counters where key = $1`, [this.#key(limit, who)]);
  }

  async #counted(limit: Limit, who: readonly string[]): Promise<Counter | undefined> {
    const { rows } = await this.#pool.query<Counter>(
      `select count, extract(epoch from until - now())::float8 as seconds from identity.counters where key = $1 and until > now()`,
      [this.#key(limit, who)],
    );
    return rows[0];
  }

  #key(limit: Limit, who: readonly string[]): Buffer {
    return this.#secrets.mac('limit', limit.name, ...who);
  }
}

type Counter = { readonly count: number; readonly seconds: number };

const refuseAbove = (counter: Counter | undefined, most: number): void => {
  if (counter && counter.count > most)
    throw new ProblemError('rate-limited', doorWords.tooMany, { retryAfter: Math.max(1, Math.ceil(counter.seconds)) });
};

/** Of one home or school, as far as an address tells: an IPv6 line has 2^64 of them. */
export const networkOf = (address: string): string => {
  if (!address.includes(':')) return address;
  const mapped = /^::ffff:([\d.]+)$/i.exec(address);
  if (mapped?.[1] !== undefined) return mapped[1];
  const [head = '', tail] = address.split('::');
  const first = head.split(':').filter(Boolean);
  const last = (tail ?? '').split(':').filter(Boolean);
  const middle = tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0');
  return [...first, ...middle, ...last].slice(0, 4).join(':');
};
