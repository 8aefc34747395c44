import pg from 'pg';

/**
 * Whether the error says that PostgreSQL cannot be reached, does not answer, or has no room just now: nothing that the request could be
 * blamed for. What it is asked may have been done all the same.
 */
export const isDatabaseAway = (error: unknown): boolean => {
  if (error instanceof pg.DatabaseError) return /^(08|53|57P|58)/.test(error.code ?? '');
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway);
  return error instanceof Error && ('syscall' in error || LOST.test(error.message));
};

/** pg has no type for these. tests/faults sees each of them happen. */
const LOST =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|timeout expired|Client (has encountered|was closed))/;
