import pg from 'pg';
import { expect, test } from 'vitest';
import { testDatabase } from '../support/postgres.ts';

test('each test gets a database of its own, owned by a role that is no superuser', async () => {
  const [one, other] = await Promise.all([testDatabase(), testDatabase()]);
  const client = new pg.Client({ connectionString: one.url });
  await client.connect();
  const { rows } = await client.query(
    `SELECT current_user AS me, rolsuper, (SELECT datcollate FROM pg_database WHERE datname = current_database()) AS collation,
            'Éa' < 'Eb' COLLATE "und-x-icu" AS "sortsForPeople"
       FROM pg_roles WHERE rolname = current_user`,
  );
  expect(rows).toEqual([{ me: 'marktrail', rolsuper: false, collation: 'C', sortsForPeople: true }]);
  expect(other.url).not.toBe(one.url);
  await client.end();
  await one.drop();
  await other.drop();
});
