import pg, { type ClientBase } from 'pg';
import { isDatabaseAway } from '../../events/store/postgres/away.ts';
import { steadyPool } from '../../events/store/postgres/pool.ts';

/** PostgreSQL cannot be reached, or has no room: nothing that a projection could be blamed for. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
  constructor(cause: unknown) {
    super(`PostgreSQL cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** By which the connections of one engine are found, to see that it lives and to end them when it hangs (lease.ts). */
export const applicationName = (holder: string): string => `marktrail projector ${holder}`;

/**
 * The engine's connections. They commit without waiting for the disk (see `advance`); dropping old tables waits all the same,
 * PostgreSQL sees to that. No JIT: it costs more than any of these statements. Rows are looked up by index: a plan that was made while a
 * table was empty would otherwise read all of it, long after it has grown.
 */
export const enginePool = (databaseUrl: string, holder: string, max = 4): pg.Pool =>
  steadyPool({
    connectionString: databaseUrl,
    max,
    application_name: applicationName(holder),
    options: '-c synchronous_commit=off -c timezone=UTC -c datestyle=ISO -c jit=off -c enable_seqscan=off',
    keepAlive: true,
    // No statement takes so long: a database that falls silent without closing the connection is given up, and asked afresh.
    connectionTimeoutMillis: 10_000,
    query_timeout: 60_000,
  });

/**
 * Hands a connection to `work`, and rolls back what it leaves open when it fails. An error while the connection still works is the work's own
 * and comes out as it is.
 *
 * @throws DatabaseUnavailable
 */
export const withClient = async <Result>(pool: pg.Pool, work: (client: ClientBase) => Promise<Result>): Promise<Result> => {
  const client = await pool.connect().catch((error: unknown) => {
    throw new DatabaseUnavailable(error);
  });
  let broken = false;
  try {
    return await work(client);
  } catch (error) {
    broken = await client.query('rollback').then(
      () => false,
      () => true,
    );
    throw broken || isServersTrouble(error) ? new DatabaseUnavailable(error) : error;
  } finally {
    client.release(broken);
  }
};

/** All of it or nothing; the error that ended it comes out as it is. */
export const inTransaction = async <Result>(client: ClientBase, work: () => Promise<Result>): Promise<Result> => {
  await client.query('begin');
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
};

/** Also on a connection that is not this one, such as that of the keys; and locks and deadlocks. */
const isServersTrouble = (error: unknown): boolean =>
  isDatabaseAway(error) || (error instanceof pg.DatabaseError && ['40', '55'].includes((error.code ?? '').slice(0, 2)));
