import pg from 'pg';

/**
 * Whether an error of a query or connection attempt means that PostgreSQL cannot be reached, does not answer in time, or has no free
 * connection, rather than a wrong query. The query may have been carried out nevertheless.
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
