import { isDamage } from '../../events/store/postgres/away.ts';
import { ProblemError } from './problems.ts';

/** Requests of this process that failed, by minute and kind. A kind holds nothing of the request. */
const counts = new Map<number, Map<string, number>>();

export const DAMAGED = 'The database is damaged';
const UNEXPECTED = 'An unexpected error, which is in the error log';

/** Counts what a request failed with, if that was not its own fault. */
export const noteFailure = (error: unknown, now = Date.now()): void => {
  const kind = kindOf(error);
  if (kind === undefined) return;
  const minute = Math.floor(now / 60_000);
  for (const earlier of counts.keys()) if (earlier <= minute - MINUTES_KEPT) counts.delete(earlier);
  const ofMinute = counts.get(minute) ?? new Map<string, number>();
  counts.set(minute, ofMinute.set(kind, (ofMinute.get(kind) ?? 0) + 1));
};

/** How many failed in the last minutes, by kind. */
export const failuresWithin = (minutes: number, now = Date.now()): ReadonlyMap<string, number> => {
  const since = Math.floor(now / 60_000) - minutes;
  const sums = new Map<string, number>();
  for (const [minute, kinds] of counts)
    if (minute > since) for (const [kind, count] of kinds) sums.set(kind, (sums.get(kind) ?? 0) + count);
  return sums;
};

const MINUTES_KEPT = 60;

const kindOf = (error: unknown): string | undefined => {
  if (isDamage(error)) return DAMAGED;
  if (!(error instanceof ProblemError)) return UNEXPECTED;
  const { status, title } = error.problem;
  return status < 500 ? undefined : title.replace(/\.( Try again.*)?$/, '');
};
