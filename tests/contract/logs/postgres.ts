import pg from 'pg';
import type { EventStore } from '../../../events/store/port.ts';
import { postgresStore } from '../../../events/store/postgres.ts';
import { migrateLog } from '../../../events/store/postgres.ts';
import { testDatabase } from '../../support/postgres.ts';
import type { OpenLog } from '../event-store.ts';

/** A log in a database of its own, and a connection beside the stores' own for looking and for disturbing. */
export type PostgresLog = OpenLog & { readonly url: string; readonly beside: pg.Client };

export const postgresLog = async (): Promise<PostgresLog> => {
  const database = await testDatabase();
  const beside = new pg.Client({ connectionString: database.url });
  await beside.connect();
  await migrateLog(beside);

  const stores: EventStore[] = [];
  const join = (options: { timeoutMs?: number; pollMs?: number } = {}) => {
    const store = postgresStore({ connectionString: database.url, ...options });
    stores.push(store);
    return store;
  };

  return {
    url: database.url,
    beside,
    store: join(),
    join,

    async cut() {
      await beside.query(`
        select pg_terminate_backend(pid, 5000) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
      `);
    },

    // Whoever holds the lock of log.append keeps every other append waiting.
    async silence() {
      await beside.query('begin');
      await beside.query('select pg_advisory_xact_lock(1835102827)');
      return async () => {
        await beside.query('commit');
      };
    },

    async close() {
      await Promise.all(stores.map((store) => store.close()));
      await beside.end();
      await database.drop();
    },
  };
};
