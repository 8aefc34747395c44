import { AsyncLocalStorage } from 'node:async_hooks';
import type { Pool } from 'pg';

const moments = new AsyncLocalStorage<Date>();

/**
 * Does `work` of the identity library, which checks something in one step and opens an account with it in a later one. All that it makes is
 * dated from before the first step, so that PostgreSQL can tell what began before the account's access was revoked (auth.sql).
 */
export const datedFromStart = async <Result>(pool: Pool, work: () => Promise<Result>): Promise<Result> => {
  const { rows } = await pool.query<{ now: Date }>('select clock_timestamp() as now');
  const [moment] = rows;
  return moment ? moments.run(moment.now, work) : work();
};

/** For what the library makes now. */
export const startOfWork = (): { readonly createdAt?: Date } => {
  const createdAt = moments.getStore();
  return createdAt ? { createdAt } : {};
};
