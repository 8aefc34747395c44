import { createHash } from 'node:crypto';
import type { ClientBase } from 'pg';
import { tableDdl, viewDdl } from '../building/ddl.ts';
import type { Projection } from '../projection.ts';
import { READER_ROLE, SCHOOL_SETTING } from '../reader-role.ts';
import { shapeOf } from '../building/schema.ts';

/** Schema 1, 2, ...: a copy of all projections' tables, for one school at one moment. */
export const schemaOf = (slot: number): string => `read_as_of_${slot}`;

export const LEASES = 'read_as_of.lease';

/** Who waits for a schema, and who was served when (queue.ts). */
export const TURNS = 'read_as_of.turn';

/** How far the filling of each schema is. */
export const FILLINGS = 'read_as_of.filling';

/**
 * The content of each schema, or what it is being filled with. `made`: the shape of its tables. `leaving`: when it was last promised to
 * somebody who waits until its present readers have finished.
 *
 * Unlogged, like the schemas' tables: a crash of PostgreSQL empties all of them together. Repeatable.
 */
const LEASE_TABLES = `
  create schema if not exists read_as_of;
  grant usage on schema read_as_of to ${READER_ROLE};
  create unlogged table if not exists ${LEASES} (
    slot int4 primary key,
    state text not null default 'empty' check (state in ('empty', 'filling', 'filled')),
    school_id uuid,
    position int8,
    event_id uuid,
    forgettings int8,
    made text,
    asker uuid,
    used_at timestamptz not null default now(),
    filled_at timestamptz,
    leaving timestamptz
  );
  alter table ${LEASES} enable row level security;
  drop policy if exists own_school on ${LEASES};
  create policy own_school on ${LEASES} for select to ${READER_ROLE}
    using (school_id = nullif(current_setting('${SCHOOL_SETTING}', true), '')::uuid);
  grant select on ${LEASES} to ${READER_ROLE};
  create unlogged table if not exists ${TURNS} (
    asker uuid primary key,
    school_id uuid not null,
    since timestamptz,
    until timestamptz,
    served_at timestamptz
  );
  create unlogged table if not exists ${FILLINGS} (
    slot int4 primary key,
    done int4 not null,
    total int4 not null
  );`;

/** Repeatable, also concurrently. The engine must have created the reader's role. */
export const prepareLeases = async (client: ClientBase): Promise<void> => {
  if (await areThere(client)) return;
  await client.query('begin');
  await client.query(`select pg_advisory_xact_lock(hashtextextended('marktrail ${LEASES}', 0))`);
  if (!(await areThere(client))) await client.query(LEASE_TABLES);
  await client.query('commit');
};

export const areThere = async (client: ClientBase): Promise<boolean> => {
  // Not to_regclass: within a transaction, it would not see a table that another process has created meanwhile.
  const { rows } = await client.query(
    `select from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = $2`,
    FILLINGS.split('.'),
  );
  return rows.length > 0;
};

/** Distinguishes the tables of these projections from those of another version of the program. */
export const shapeOfAll = (projections: readonly Projection[]): string =>
  createHash('sha256')
    .update(JSON.stringify(projections.map(({ name, version, tables }) => [name, version, shapeOf(Object.values(tables))])))
    .digest('hex');

/** Replaces everything in the schema by empty tables of these projections, in the client's transaction. */
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

/** Deletes all rows before a new filling: for a small school this takes a tenth of the time of truncating sixty files and their indexes. */
export const clearTables = async (client: ClientBase, slot: number): Promise<void> => {
  const tables = await tablesIn(client, slot);
  await client.query(
    tables.map(({ name, bytes }) => (bytes < FEW_BYTES ? `delete from ${name}` : `truncate ${name}`)).join('; ') || 'select',
  );
};
const FEW_BYTES = 1024 * 1024;

/** Truncates the tables, so that no deleted row remains on disk. */
export const emptyTables = async (client: ClientBase, slot: number): Promise<void> => {
  const tables = await tablesIn(client, slot);
  if (tables.length > 0) await client.query(`truncate ${tables.map(({ name }) => name).join(', ')}`);
};

/** Analyses the tables, so that the planner does not use statistics of the previous school. */
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
