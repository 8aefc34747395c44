import pg from 'pg';
import { afterAll } from 'vitest';
import type { EventStore } from '../../../events/store/port.ts';
import { migrateLog, postgresStore } from '../../../events/store/postgres.ts';
import type { PostgresStoreOptions } from '../../../events/store/postgres.ts';
import { testDatabase } from '../../support/postgres.ts';
import type { TestDatabase } from '../../support/postgres.ts';
import type { OpenLog } from '../open-log.ts';

/** A log, and a connection beside the stores' own for looking and for disturbing. */
export type PostgresLog = OpenLog & { readonly url: string; readonly beside: pg.Client; join(options?: StoreOptions): EventStore };

type StoreOptions = Omit<PostgresStoreOptions, 'connectionString'>;

/** One database per file, since making one takes longer than most tests; each log is empty, and there is one at a time. */
let made: Promise<TestDatabase> | undefined;
afterAll(async () => (await made)?.drop());

export const postgresLog = async (): Promise<PostgresLog> => {
  const database = await (made ??= testDatabase());
  const beside = new pg.Client({ connectionString: database.url });
  await beside.connect();
  await migrateLog(beside);
  await beside.query('truncate log.events');

  const stores: EventStore[] = [];
  const join = (options: StoreOptions = {}) => {
    const store = postgresStore({ connectionString: database.url, ...options });
    stores.push(store);
    return store;
  };

  return {
    url: database.url,
    beside,
    store: join(),
    join,
    idsAreUnique: true,

    async cut() {
      await beside.query(`
        select pg_terminate_backend(pid, 5000) from pg_stat_activity
         where datname = current_database() and application_name = 'marktrail log'
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
    },
  };
};
