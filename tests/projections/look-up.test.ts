import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import pg from 'pg';
import { projections } from '../../projections/all.ts';
import { relationOf, tableDdl } from '../../projections/engine/building/ddl.ts';
import { ensureReaderRole } from '../../projections/engine/reader-role.ts';
import { columnOf, tableSql } from '../../projections/engine/tables/table-sql.ts';
import { testDatabase, type TestDatabase } from '../support/postgres.ts';

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await testDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await ensureReaderRole(client);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const tables = projections.flatMap((projection) => Object.values(projection.tables));

/** By another index that begins with the school, each look goes through all rows of the school: a filling takes the longer, the more there are. */
test.each(tables.map((table) => [table.name, table] as const))(
  'rows of %s that nobody has counted are found by their key',
  async (_, table) => {
    const relation = relationOf('public', table, 1);
    const key = table.key.map((name) => (columnOf(table, name).type === 'uuid' ? randomUUID() : '1'));

    await client.query(`begin; set local enable_seqscan = off; ${tableDdl(table, 'public', 1)}`);
    await tableSql(table, relation).load(client, [key]);
    const { rows } = await client.query(
      `select i.relname as index from pg_index x join pg_class i on i.oid = x.indexrelid
      where x.indrelid = $1::regclass and pg_stat_get_xact_numscans(i.oid) > 0`,
      [relation],
    );
    await client.query('rollback');

    expect(rows).toEqual([{ index: `${table.name}_v1_pkey` }]);
  },
);
