import { createHash } from 'node:crypto';
import type { ClientBase } from 'pg';
import { tableDdl, viewDdl } from '../ddl.ts';
import type { Projection } from '../projection.ts';
import { READER_ROLE, SCHOOL_SETTING } from '../reader-role.ts';
import { shapeOf } from '../schema.ts';

/** Schema number 1, 2, ...: the tables of every projection once more, for one school at one moment. */
export const schemaOf = (slot: number): string => `read_as_of_${slot}`;

export const LEASES = 'read_as_of.lease';

/**
 * Which schema holds, or is being filled with, what. `made`: the shape of its tables.
 *
 * Unlogged, like the schemas' tables: after a crash of PostgreSQL all of them are empty, and that is what they say.
 */
const LEASE_TABLE = `
  create schema if not exists read_as_of;
  grant usage on schema read_as_of to ${READER_ROLE};
  create unlogged table ${LEASES} (
    slot int4 primary key,
    state text not null default 'empty' check (state in ('empty', 'filling', 'filled')),
    school_id uuid,
    position int8,
    event_id uuid,
    forgettings int8,
    made text,
    asker uuid,
    used_at timestamptz not null default now()
  );
  alter table ${LEASES} enable row level security;
  create policy own_school on ${LEASES} for select to ${READER_ROLE}
    using (school_id = nullif(current_setting('${SCHOOL_SETTING}', true), '')::uuid);
  grant select on ${LEASES} to ${READER_ROLE};`;

/** Repeatable, and safe when two processes do it at once. The reader's role is there: the engine made it. */
export const prepareLeases = async (client: ClientBase): Promise<void> => {
  if (await areThere(client)) return;
  await client.query('begin');
  await client.query(`select pg_advisory_xact_lock(hashtextextended('marktrail ${LEASES}', 0))`);
  if (!(await areThere(client))) await client.query(LEASE_TABLE);
  await client.query('commit');
};

export const areThere = async (client: ClientBase): Promise<boolean> => {
  // Asked as rows: a name that was once not found would be remembered until the end of the transaction.
  const { rows } = await client.query(`select from pg_tables where schemaname || '.' || tablename = '${LEASES}'`);
  return rows.length > 0;
};

/** Tells the tables of these projections from those of another version of the program. */
export const shapeOfAll = (projections: readonly Projection[]): string =>
  createHash('sha256')
    .update(JSON.stringify(projections.map(({ name, version, tables }) => [name, version, shapeOf(Object.values(tables))])))
    .digest('hex');

/** Empty tables of these projections, in place of whatever the schema held. Within the client's transaction. */
export const makeTables = async (client: ClientBase, slot: number, projections: readonly Projection[]): Promise<void> => {
  const schema = schemaOf(slot);
  await client.query(`drop schema if exists ${schema} cascade; create schema ${schema}; grant usage on schema ${schema} to ${READER_ROLE}`);
  for (const { tables, version } of projections) {
    for (const table of Object.values(tables)) {
      await client.query(tableDdl(table, schema, version));
      await client.query(viewDdl(table, schema, version));
    }
  }
  for (const { name } of await tablesIn(client, slot)) await client.query(`alter table ${name} set unlogged`);
};

/** For other rows: those of a small school are deleted in a tenth of the time that truncating sixty files and their indexes takes. */
export const clearTables = async (client: ClientBase, slot: number): Promise<void> => {
  const tables = await tablesIn(client, slot);
  await client.query(
    tables.map(({ name, bytes }) => (bytes < FEW_BYTES ? `delete from ${name}` : `truncate ${name}`)).join('; ') || 'select',
  );
};
const FEW_BYTES = 1024 * 1024;

/** For good: what a deleted row leaves in its file goes too. */
export const emptyTables = async (client: ClientBase, slot: number): Promise<void> => {
  const tables = await tablesIn(client, slot);
  if (tables.length > 0) await client.query(`truncate ${tables.map(({ name }) => name).join(', ')}`);
};

/** So that the planner does not take the tables for those of the school that was in them before. */
export const countTables = async (client: ClientBase, slot: number): Promise<void> => {
  await client.query(`analyze ${(await tablesIn(client, slot)).map(({ name }) => name).join(', ')}`);
};

const tablesIn = async (client: ClientBase, slot: number): Promise<{ name: string; bytes: number }[]> => {
  const { rows } = await client.query<{ name: string; bytes: number }>(
    `select format('%I.%I', n.nspname, c.relname) as name, pg_relation_size(c.oid)::float8 as bytes
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = $1 and c.relkind = 'r'`,
    [schemaOf(slot)],
  );
  return rows;
};
