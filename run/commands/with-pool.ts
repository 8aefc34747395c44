import type pg from 'pg';
import { steadyPool } from '../../events/store/postgres/pool.ts';

/** A small pool for as long as `work` takes. */
export const withPool = async <Result>(connectionString: string, work: (pool: pg.Pool) => Promise<Result>): Promise<Result> => {
  const pool = steadyPool({ connectionString, max: 2, application_name: 'marktrail transfer' });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
};
