import { createHash } from 'node:crypto';
import type { ClientBase } from 'pg';
import { tableDdl, viewDdl } from './ddl.ts';
import type { Projection } from './projection.ts';
import { ensureReaderRole, READER_ROLE } from './reader-role.ts';
import type { AnyTable } from './table.ts';

/** The read models in the database do not fit this program: one line for whoever started it. */
export class ReadModelsDoNotFit extends Error {
  override readonly name = 'ReadModelsDoNotFit';
}

/**
 * Makes what is missing: the schema, the reader's role, the engine's own tables, and tables and checkpoint of each projection in its
 * version. A projection that serves nothing yet serves its empty tables at once; a new version is filled first (`serve`).
 * Repeatable, and safe when two processes do it at once.
 *
 * @throws ReadModelsDoNotFit, ReaderRoleMissing
 */
export const prepare = async (client: ClientBase, schema: string, projections: readonly Projection[]): Promise<void> => {
  requireUniqueNames(projections);
  await ensureReaderRole(client);
  await inTransaction(client, async () => {
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`marktrail ${schema}`]);
    await client.query(engineTables(schema));
    for (const projection of projections) await prepareOne(client, schema, projection);
  });
};

/**
 * Lets readers see this version: one transaction switches all views of the projection; then the tables of other versions go.
 * Answers false, and changes nothing, while another process has brought the version that serves further than this one:
 * nobody shall see something older than he saw before.
 */
export const serve = async (client: ClientBase, schema: string, projection: Projection): Promise<boolean> => {
  const switched = await inTransaction(client, async () => {
    // Below deadlock_timeout: when a reader holds one view and waits for the next, it is the switch that gives way and comes again.
    await client.query(`set local lock_timeout = '300ms'`);
    const {
      rows: [old],
    } = await client.query<{ version: number; tables: string[]; ahead: boolean }>(
      `select v.version, v.tables, c.position > n.position as ahead
         from ${schema}.version v
         join ${schema}.checkpoint c on (c.projection, c.version) = (v.projection, v.version)
         join ${schema}.checkpoint n on (n.projection, n.version) = (v.projection, $2)
        where v.projection = $1 and v.serving and v.version <> $2
          for update of c`,
      [projection.name, projection.version],
    );
    if (old?.ahead) return false;
    if (old) await switchViews(client, schema, projection, old);
    return true;
  });
  if (switched) await dropOthers(client, schema, projection);
  return switched;
};

/**
 * `version`: which versions of a projection have tables here, of which shape, and which one the views show.
 * `checkpoint`: up to which event, by position and id, a version has come. `partition` is there for the day when one projection is
 * split; today there is one, 'all'.
 */
const engineTables = (schema: string): string => `
  create schema if not exists ${schema};
  grant usage on schema ${schema} to ${READER_ROLE};
  create table if not exists ${schema}.version (
    projection text not null,
    version int4 not null,
    serving bool not null,
    tables text[] not null,
    shape text not null,
    primary key (projection, version)
  );
  create unique index if not exists one_version_serves on ${schema}.version (projection) where serving;
  create table if not exists ${schema}.checkpoint (
    projection text not null,
    version int4 not null,
    partition text not null default 'all',
    position int8 not null default 0,
    event_id uuid,
    primary key (projection, version, partition)
  );`;

const prepareOne = async (client: ClientBase, schema: string, projection: Projection): Promise<void> => {
  const { name, version } = projection;
  const tables = Object.values(projection.tables);
  const { rows: known } = await client.query<{ version: number; serving: boolean; shape: string }>(
    `select version, serving, shape from ${schema}.version where projection = $1`,
    [name],
  );
  const newer = known.find((row) => row.serving && row.version > version);
  if (newer)
    throw new ReadModelsDoNotFit(
      `The read model "${name}" was made by a newer Marktrail (version ${newer.version}; this one has ${version}).`,
    );

  const shape = shapeOf(tables);
  const same = known.find((row) => row.version === version);
  if (same && same.shape !== shape) {
    throw new ReadModelsDoNotFit(
      `The tables of the read model "${name}" have changed, but its version is still ${version}: give it version ${version + 1}.`,
    );
  }
  if (!same) {
    for (const table of tables) await client.query(tableDdl(table, schema, version));
    const first = !known.some((row) => row.serving);
    await client.query(`insert into ${schema}.version values ($1, $2, $3, $4, $5)`, [
      name,
      version,
      first,
      tables.map((table) => table.name),
      shape,
    ]);
    await client.query(`insert into ${schema}.checkpoint (projection, version) values ($1, $2)`, [name, version]);
    if (first) for (const table of tables) await client.query(viewDdl(table, schema, version));
  }
};

const switchViews = async (
  client: ClientBase,
  schema: string,
  projection: Projection,
  old: { version: number; tables: string[] },
): Promise<void> => {
  const tables = Object.values(projection.tables).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  // Dropped, not replaced: a view cannot be replaced by one of other columns. Nobody sees the moment between.
  for (const name of new Set([...old.tables, ...tables.map((table) => table.name)]))
    await client.query(`drop view if exists ${schema}.${name}`);
  for (const table of tables) await client.query(viewDdl(table, schema, projection.version));
  await client.query(`update ${schema}.version set serving = false where projection = $1 and serving`, [projection.name]);
  await client.query(`update ${schema}.version set serving = true where projection = $1 and version = $2`, [
    projection.name,
    projection.version,
  ]);
};

const dropOthers = (client: ClientBase, schema: string, { name, version }: Projection): Promise<void> =>
  inTransaction(client, async () => {
    const { rows } = await client.query<{ version: number; tables: string[] }>(
      `delete from ${schema}.version where projection = $1 and version <> $2 returning version, tables`,
      [name, version],
    );
    if (rows.length === 0) return;
    await client.query(`delete from ${schema}.checkpoint where projection = $1 and version <> $2`, [name, version]);
    for (const other of rows)
      for (const table of other.tables) await client.query(`drop table if exists ${schema}.${table}_v${other.version}`);
  });

/** A hash of what the tables look like: another shape needs another version. */
export const shapeOf = (tables: readonly AnyTable[]): string =>
  createHash('sha256')
    .update(
      JSON.stringify(
        tables.map(({ name, key, columns, indexes }) => [
          name,
          key,
          columns.map((column) => [column.name, column.type, column.nullable]),
          indexes,
        ]),
      ),
    )
    .digest('hex');

const requireUniqueNames = (projections: readonly Projection[]): void => {
  const names = [
    ...projections.map(({ name }) => `projection ${name}`),
    ...projections.flatMap(({ tables }) => Object.values(tables).map(({ name }) => `table ${name}`)),
    'table version',
    'table checkpoint',
  ];
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice) throw new Error(`There are two of the name: ${twice}`);
};

const inTransaction = async <Result>(client: ClientBase, work: () => Promise<Result>): Promise<Result> => {
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
