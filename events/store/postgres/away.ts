import pg from 'pg';

/**
 * Whether the error, of a query or of connecting, says that PostgreSQL cannot be reached, does not answer in time, or has no room just now:
 * nothing that whoever asked could be blamed for. What was asked may have been done all the same.
 */
export const isDatabaseAway = (error: unknown): boolean => {
  if (error instanceof pg.DatabaseError) return /^(08|53|57|58)/.test(error.code ?? '');
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway);
  if (!(error instanceof Error)) return false;
  return ('code' in error && UNREACHABLE.test(String(error.code))) || LOST.test(error.message);
};

/** The system's words for a connection that cannot be had or has broken. */
const UNREACHABLE = /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_)/;

/** pg's own words: it has no type or code for them. */
const LOST =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|timeout expired|Client (has encountered|was closed))/;
