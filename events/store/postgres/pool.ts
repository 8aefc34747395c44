import pg from 'pg';

/**
 * A pool of which no broken connection can end the process, as an 'error' that nobody listens to would. The pool itself listens while a
 * connection is idle. Whoever borrows one gets it a moment later (PostgreSQL may have ended it in the very message that says it is ready),
 * and a library that borrows one may not listen at all. The next query on it fails, and says so to who asked.
 */
export const steadyPool = (config: pg.PoolConfig): pg.Pool => {
  const pool = new pg.Pool(config);
  const ignore = (): void => undefined;
  pool.on('error', ignore);
  pool.on('connect', (client) => client.on('error', ignore));
  return pool;
};
