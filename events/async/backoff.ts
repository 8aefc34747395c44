import { setTimeout as delay } from 'node:timers/promises';

export type Backoff = {
  readonly firstMs: number;
  readonly longestMs: number;
  /** Waits while the log or PostgreSQL is away. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
};

export const BACKOFF: Backoff = { firstMs: 200, longestMs: 30_000 };

/** How long to wait before attempt 1, 2, 3, ...: exponential, half of it random, so that retries do not coincide. */
export const waitBefore = (attempt: number, { firstMs, longestMs }: Backoff): number => {
  const full = Math.min(longestMs, firstMs * 2 ** Math.min(attempt - 1, 30));
  return full / 2 + (Math.random() * full) / 2;
};

/** Waits; ends early and quietly when the signal aborts. */
export const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
  await delay(ms, undefined, { signal }).catch(() => undefined);
};

/** Pauses while the log or PostgreSQL is away: never for long, because commands wait for the read models once it is back. */
export const pauseWhileAway = (attempt: number, { firstMs, longestMs, pause: wait = pause }: Backoff, signal: AbortSignal): Promise<void> =>
  wait(waitBefore(attempt, { firstMs, longestMs: Math.min(longestMs, LONGEST_AWAY_MS) }), signal);

const LONGEST_AWAY_MS = 5_000;
