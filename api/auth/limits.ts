import type { Pool } from 'pg';
import { authMessages } from '../contract/auth-messages.ts';
import { ProblemError } from '../common/problems.ts';
import { countRefusal } from '../common/refusals.ts';
import { networkOf, siteOf } from '../common/networks.ts';
import type { Secrets } from '../security/secrets.ts';

/** At most `most` within `seconds`, counted from the first. Refusals are shown in `/api/metrics` by `name`, which is also part of the key. */
export type Limit = { readonly name: string; readonly most: number; readonly seconds: number };

/** A limit, and what it is counted for: an account, a network, ... */
export type Tried = { readonly limit: Limit; readonly who: readonly string[] };

/**
 * What to count for somebody's network, about `what`. A site with IPv6 has many networks: it is counted too, with a higher limit.
 */
export const ofNetwork = (limit: Limit, address: string, ...what: readonly string[]): readonly Tried[] => {
  const [network, site] = [networkOf(address), siteOf(address)];
  const ofThisNetwork = { limit, who: [...what, network] };
  return network === site ? [ofThisNetwork] : [ofThisNetwork, { limit: ofSite(limit), who: [...what, site] }];
};

/** The limit of a site with several networks: of all of them together. */
export const ofSite = (limit: Limit): Limit => ({ ...limit, name: `${limit.name}, of a site`, most: limit.most * NETWORKS_OF_A_SITE });
const NETWORKS_OF_A_SITE = 4;

/** Rate limits. Counted in the database, so that they hold across processes and restarts; addresses are only kept as HMACs. */
export class Limits {
  readonly #pool: Pool;
  readonly #secrets: Pick<Secrets, 'mac'>;

  constructor(pool: Pool, secrets: Pick<Secrets, 'mac'>) {
    this.#pool = pool;
    this.#secrets = secrets;
  }

  /** Counts one attempt. @throws ProblemError `rate-limited` if there were too many before */
  count(limit: Limit, ...who: readonly string[]): Promise<void> {
    return this.countAll([{ limit, who }]);
  }

  /** Counts one attempt for each. @throws ProblemError `rate-limited` if there were too many before for any of them */
  async countAll(tried: readonly Tried[]): Promise<void> {
    refuseAbove(tried, await this.#noteAll(tried), 0);
  }

  /** Counts one attempt and never refuses. */
  async note(limit: Limit, ...who: readonly string[]): Promise<void> {
    await this.#noteAll([{ limit, who }]);
  }

  /** Counts nothing. @throws ProblemError `rate-limited` if another attempt would be too many */
  check(limit: Limit, ...who: readonly string[]): Promise<void> {
    return this.checkEach([{ limit, who }]);
  }

  /** Counts nothing. @throws ProblemError `rate-limited` if another attempt would be too many for any of them */
  async checkEach(tried: readonly Tried[]): Promise<void> {
    refuseAbove(tried, await this.#counted(tried), 1);
  }

  /**
   * The same for several. The limits of `unless` do not apply if an attempt of `exempt` was counted within its time. Returns whether one was, and
   * one of `also`.
   *
   * @throws ProblemError `rate-limited`
   */
  async checkAll(tried: readonly Tried[], { exempt, unless, also }: Exemption): Promise<{ isExempt: boolean; isAlso: boolean }> {
    const [exemption, other, ...counted] = await this.#counted([exempt, also, ...tried, ...unless]);
    const isExempt = exemption !== undefined;
    refuseAbove(tried, counted, 1);
    if (!isExempt) refuseAbove(unless, counted.slice(tried.length), 1);
    return { isExempt, isAlso: other !== undefined };
  }

  /** Whether anything was counted within its time. */
  async isNoted(limit: Limit, ...who: readonly string[]): Promise<boolean> {
    return (await this.#counted([{ limit, who }]))[0] !== undefined;
  }

  /** Resets the counter after a success. */
  forgive(limit: Limit, ...who: readonly string[]): Promise<void> {
    return this.forgiveAll([{ limit, who }]);
  }

  /** Locks the rows in the order in which they are counted, see `#noteAll`. */
  async forgiveAll(tried: readonly Tried[]): Promise<void> {
    await this.#pool.query(
      `delete from identity.counters where key in (
         select key from identity.counters where key = any($1::bytea[]) order by key for update)`,
      [tried.map((one) => this.#key(one))],
    );
  }

  /** Always in the same order, so that two requests never deadlock. */
  async #noteAll(tried: readonly Tried[]): Promise<Counters> {
    const { rows } = await this.#pool.query<Row>(
      `insert into identity.counters as c (key, count, until)
         select key, 1, now() + make_interval(secs => seconds) from unnest($1::bytea[], $2::float8[]) as tried (key, seconds) order by key
       on conflict (key) do update set
         count = case when c.until < now() then 1 else c.count + 1 end,
         until = case when c.until < now() then excluded.until else c.until end
       returning key, count, extract(epoch from until - now())::float8 as seconds`,
      [tried.map((one) => this.#key(one)), tried.map(({ limit }) => limit.seconds)],
    );
    return this.#of(tried, rows);
  }

  async #counted(tried: readonly Tried[]): Promise<Counters> {
    const { rows } = await this.#pool.query<Row>(
      `select key, count, extract(epoch from until - now())::float8 as seconds
         from identity.counters where key = any($1::bytea[]) and until > now()`,
      [tried.map((one) => this.#key(one))],
    );
    return this.#of(tried, rows);
  }

  #of(tried: readonly Tried[], rows: readonly Row[]): Counters {
    return tried.map((one) => {
      const key = this.#key(one);
      return rows.find((row) => key.equals(row.key));
    });
  }

  #key({ limit, who }: Tried): Buffer {
    return this.#secrets.mac('limit', limit.name, ...who);
  }
}

type Exemption = { readonly exempt: Tried; readonly unless: readonly Tried[]; readonly also: Tried };
type Counter = { readonly count: number; readonly seconds: number };
type Row = Counter & { readonly key: Buffer };
/** In the order of the attempts; undefined: none counted within the limit's time. */
type Counters = readonly (Counter | undefined)[];

/** `more`: how many attempts are about to be added. */
const refuseAbove = (tried: readonly Tried[], counters: Counters, more: number): void => {
  const over = tried.flatMap(({ limit }, n) => {
    const counter = counters[n];
    if (!counter || counter.count + more <= limit.most) return [];
    countRefusal(limit.name);
    return [{ seconds: Math.ceil(counter.seconds), name: limit.name }];
  });
  const [first] = over;
  if (!first) return;
  const retryAfter = Math.max(1, ...over.map(({ seconds }) => seconds));
  throw new ProblemError('rate-limited', authMessages.tooMany, { retryAfter, limit: first.name });
};
