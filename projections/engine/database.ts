import pg, { type ClientBase } from 'pg';
import { isDatabaseAway } from '../../events/store/postgres/away.ts';
import { sayable } from '../../events/store/postgres/without-values.ts';
import { steadyPool } from '../../events/store/postgres/pool.ts';

/** PostgreSQL cannot be reached or has no disk space: not the fault of a projection. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
  constructor(cause: unknown) {
    super(`PostgreSQL cannot be used: ${sayable(cause)}`, { cause });
  }
}

/** Identifies the connections of one engine, to check that it is alive and to end them if it hangs (lease.ts). */
export const applicationName = (holder: string): string => `marktrail projector ${holder}`;

/**
 * The engine's connections. They commit without waiting for the disk (see `advance`), except for dropping tables, which always waits. No
 * JIT: it costs more than any of these statements. Rows are always looked up by index: a plan made while a table was empty would otherwise
 * keep scanning it after it has grown. So a plan for all values is as good as one for these, and each connection plans a statement once
 * instead of five times.
 */
export const enginePool = (
  databaseUrl: string,
  holder: string,
  special: Pick<pg.PoolConfig, 'max' | 'idleTimeoutMillis' | 'onConnect'> = {},
): pg.Pool =>
  steadyPool({
    connectionString: databaseUrl,
    max: 4,
    pipeline: true,
    application_name: applicationName(holder),
    options:
      '-c synchronous_commit=off -c timezone=UTC -c datestyle=ISO -c jit=off -c enable_seqscan=off -c plan_cache_mode=force_generic_plan',
    keepAlive: true,
    // No statement takes this long: a connection to a silent database is given up and replaced.
    connectionTimeoutMillis: 10_000,
    query_timeout: 60_000,
    ...special,
  });

/**
 * Runs `work` with a connection, and rolls back an open transaction if it fails. An error of the work itself is rethrown unchanged.
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

/** Runs `work` in a transaction; an error is rethrown unchanged. */
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

/** Includes errors on other connections, such as that of the keys, and lock time-outs and deadlocks. */
const isServersTrouble = (error: unknown): boolean =>
  isDatabaseAway(error) || (error instanceof pg.DatabaseError && ['40', '55'].includes((error.code ?? '').slice(0, 2)));
