/**
 * The state of the product, public, with its `problems` as sentences for the operator. With `ok` and `degraded` it serves requests, with `down`
 * it does not: for a load balancer.
 */
export type Health = {
  readonly status: 'ok' | 'degraded' | 'down';
  readonly problems: readonly string[];
  /** What could be better although nothing is wrong, as sentences for the operator. */
  readonly notes?: readonly string[];
  /** Whether the database of read models and identities responds, and whether the log does. */
  readonly database: boolean;
  readonly log: boolean;
  /** Every build of a read model: the one that is served, and those that are being filled. */
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
  /** Number of events not yet applied; `lagOrMore`: at least that many. Left out while the log is away. */
  readonly lag?: number;
  readonly lagOrMore?: boolean;
  /** Age of the oldest of them. */
  readonly lagSeconds?: number;
};
