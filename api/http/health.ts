/**
 * Of the product as a whole; `problems` are sentences. `ok` and `degraded` answer people's questions, `down` does not: a load balancer goes
 * by that, an operator by the problems.
 */
export type Health = {
  readonly status: 'ok' | 'degraded' | 'down';
  readonly problems: readonly string[];
  /** Whether the database of read models and identities answers, and whether the log does. */
  readonly database: boolean;
  readonly log: boolean;
  readonly [detail: string]: unknown;
};
