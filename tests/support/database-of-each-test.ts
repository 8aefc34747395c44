import pg from 'pg';
import { afterEach, beforeEach } from 'vitest';
import { testDatabase, type TestDatabase } from './postgres.ts';

type Own = {
  /** Connection string of the owner. */
  url: string;
  /** A connection of the owner. */
  sql: pg.Client;
  /** Called at the end of the test, in this order, while the database is still there. */
  readonly stops: (() => Promise<unknown>)[];
};

/** Gives each test of the file a database of its own. What is returned is filled before each test. */
export const databaseOfEachTest = (): Own => {
  const own: Own = { url: '', sql: new pg.Client(), stops: [] };
  let database: TestDatabase;

  beforeEach(async () => {
    database = await testDatabase();
    own.url = database.url;
    own.sql = new pg.Client({ connectionString: database.url });
    await own.sql.connect();
  });

  afterEach(async () => {
    for (const stop of own.stops.splice(0)) await stop();
    await own.sql.end();
    await database.drop();
  });

  return own;
};
