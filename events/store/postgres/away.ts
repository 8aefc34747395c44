import pg from 'pg';

/**
 * Whether an error of a query or connection attempt means that PostgreSQL cannot be reached, does not answer in time, or has no free
 * connection or disk, rather than a wrong query. The query may have been carried out nevertheless.
 */
export const isDatabaseAway = (error: unknown): boolean => {
  if (error instanceof pg.DatabaseError) return /^(08|53|57|58)/.test(error.code ?? '');
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway);
  if (!(error instanceof Error)) return false;
  return ('code' in error && UNREACHABLE.test(String(error.code))) || LOST.test(error.message);
};

/** The system's error codes for a connection that failed or broke. */
const UNREACHABLE = /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_)/;

/** Messages of pg itself, for which it has no type or code. */
const LOST =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|timeout expired|Client (has encountered|was closed))/;

/** What keeps a database or log from serving, as a sentence without a full stop: not whatever is wrong is out of reach. */
export const troubleWith = (what: string, error: unknown): string => {
  const code = codesIn(error).find((one) => TROUBLES.some(([codes]) => codes.test(one)));
  const [, say] = TROUBLES.find(([codes]) => code !== undefined && codes.test(code)) ?? [];
  return say?.(what) ?? `${what} cannot be reached`;
};

/** https://www.postgresql.org/docs/current/errcodes-appendix.html, and the system's. */
const TROUBLES: readonly (readonly [RegExp, (what: string) => string])[] = [
  [/^(53100|ENOSPC|EDQUOT)$/, (what) => `the disk of ${what} is full`],
  [/^(58030|EIO)$/, (what) => `the disk of ${what} fails`],
  [/^57P03$/, (what) => `${what} is starting or stopping`],
  [/^53300$/, (what) => `${what} has no free connection`],
  [/^(25006|EROFS)$/, (what) => `${what} can only be read`],
  [/^XX00[12]$/, (what) => `${what} is damaged`],
];

/** Whether a page of the database cannot be read, or an index contradicts its table. */
export const isDamage = (error: unknown): boolean => codesIn(error).some((code) => /^XX00[12]$/.test(code));

/** Of PostgreSQL and of the system, the outer ones first. */
export const codesIn = (error: unknown): string[] => {
  if (!(error instanceof Error)) return [];
  const inner: readonly unknown[] = error instanceof AggregateError ? error.errors : [];
  return ['code' in error ? String(error.code) : [], ...[error.cause, ...inner].map(codesIn)].flat();
};
