import pg from 'pg';
import { nameStatements } from './statement-names.ts';

/**
 * A pool whose broken connections never end the process, as an 'error' event without a listener would. The pool itself only listens while a
 * connection is idle; a borrowed one may break before its borrower listens, and some libraries never do. The next query on the connection
 * reports the failure. Its statements have names (statement-names.ts).
 */
export const steadyPool = (config: pg.PoolConfig): pg.Pool => {
  const pool = new pg.Pool(config);
  const ignore = (): void => undefined;
  pool.on('error', ignore);
  pool.on('connect', (client) => {
    client.on('error', ignore);
    nameStatements(client);
  });
  return pool;
};
