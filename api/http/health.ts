/**
 * The state of the product as a whole; `problems` are sentences. With `ok` and `degraded` requests are answered, with `down` they are not: a
 * load balancer goes by that, an operator by the problems.
 */
export type Health = {
  readonly status: 'ok' | 'degraded' | 'down';
  readonly problems: readonly string[];
  /** Whether the database of read models and identities answers, and whether the log does. */
  readonly database: boolean;
  readonly log: boolean;
  /** Every build of a read model: the one that is shown, and those that are being filled. */
  readonly projections: readonly ReadModelHealth[];
  readonly [detail: string]: unknown;
};

export type ReadModelHealth = {
  readonly name: string;
  readonly version: number;
  readonly generation: number;
  readonly state: 'running' | 'filling' | 'stopped' | 'waiting' | 'stale';
  readonly serving: boolean;
  readonly position: string;
  /** Events of the log that it has not applied yet; `lagOrMore`: they were not counted to the end. Left out while the log is away. */
  readonly lag?: number;
  readonly lagOrMore?: boolean;
  /** Since the oldest of them was made. */
  readonly lagSeconds?: number;
  /** a sentence */
  readonly error?: string;
};
