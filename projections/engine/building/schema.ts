import { createHash } from 'node:crypto';
import type { ClientBase } from 'pg';
import { engineTables, ENGINE_TABLES, OPERATOR_TABLES } from './bookkeeping.ts';
import { isBuild, type BuildId } from './build.ts';
import { inTransaction } from '../database.ts';
import { relationOf, tableDdl, viewDdl } from './ddl.ts';
import type { Projection } from '../projection.ts';
import { ensureReaderRole } from '../reader-role.ts';
import type { AnyTable } from '../tables/table.ts';
import { hasLate } from './late-indexes.ts';

/** The read models in the database do not fit this program: one line for the operator. */
export class ReadModelsDoNotFit extends Error {
  override readonly name = 'ReadModelsDoNotFit';
}

/**
 * Creates what is missing: the schema, the reader's role, the engine's own tables, and tables and checkpoint of each projection in its
 * version. A projection without a served build serves its empty tables at once; a new version catches up first (`serve`). Repeatable, also
 * concurrently.
 *
 * @throws ReadModelsDoNotFit, ReaderRoleMissing
 */
export const prepare = async (client: ClientBase, schema: string, projections: readonly Projection[]): Promise<void> => {
  requireUniqueNames(projections);
  await ensureReaderRole(client);
  await inTransaction(client, async () => {
    await lockBuilds(client, schema);
    await client.query(engineTables(schema));
    await client.query(OPERATOR_TABLES);
    const builds = await allBuilds(client, schema);
    for (const projection of projections) await prepareOne(client, schema, projection, builds.get(projection.name) ?? []);
  });
};

export type Beginning = {
  /** why, as a sentence, shown while it catches up */
  readonly reason: string;
  /** the process that builds it */
  readonly holder: string;
  /** only for a comparison, never served */
  readonly shadow?: boolean;
  /** the build that it replaces because that was built from another log; it is marked as stale */
  readonly replaces?: BuildId;
};

/** Starts a new generation of the projection's version, leased by `holder`. Undefined if a live process is already building one. */
export const begin = (client: ClientBase, schema: string, projection: Projection, beginning: Beginning): Promise<BuildId | undefined> =>
  inTransaction(client, async () => {
    await lockBuilds(client, schema);
    const { name, version } = projection;
    const others = await buildsOf(client, schema, name);
    if (others.some((other) => other.version === version && !other.serving && other.alive && !isReplaced(other, beginning)))
      return undefined;
    const generation = Math.max(-1, ...others.filter((other) => other.version === version).map((other) => other.generation)) + 1;
    const build = { name, version, generation };
    await create(client, schema, projection, build, { serving: false, ...beginning });
    await client.query(`insert into ${schema}.lease values ($1, $2, $3, $4, clock_timestamp() + interval '5 seconds')`, [
      name,
      version,
      generation,
      beginning.holder,
    ]);
    if (beginning.replaces) await client.query(`update ${schema}.version set stale = true where ${isBuild(beginning.replaces)}`);
    return build;
  });

/**
 * Drops builds that will never be completed or served: predecessors of the served one, and unfinished ones of dead processes unless `keeps`
 * says that this program finishes them.
 */
export const sweep = async (
  client: ClientBase,
  schema: string,
  projections: readonly Projection[],
  keeps: (build: BuildId) => boolean,
): Promise<void> => {
  const unusedOf = (name: string, builds: readonly Known[]): readonly Known[] => {
    const serving = builds.find((build) => build.serving);
    return builds.filter(
      (build) =>
        !build.serving && (isBefore(build, serving) || build.stale || (!build.alive && (build.shadow || !keeps({ name, ...build })))),
    );
  };
  // Mostly there is nothing to drop, which one look at all of them tells.
  const builds = await allBuilds(client, schema);
  for (const { name } of projections) {
    if (unusedOf(name, builds.get(name) ?? []).length === 0) continue;
    await inTransaction(client, async () => {
      // If a reader still uses a predecessor, it is dropped later.
      await client.query(`set local lock_timeout = '2s'`);
      await lockBuilds(client, schema);
      for (const build of unusedOf(name, await buildsOf(client, schema, name)))
        await remove(client, schema, { name, ...build }, build.tables);
    });
  }
};

/** Drops a build that is not served, with its tables. */
export const discard = (client: ClientBase, schema: string, build: BuildId): Promise<void> =>
  inTransaction(client, async () => {
    await lockBuilds(client, schema);
    const found = (await buildsOf(client, schema, build.name)).find(
      ({ version, generation }) => version === build.version && generation === build.generation,
    );
    if (found && !found.serving) await remove(client, schema, build, found.tables);
  });

type Known = {
  readonly version: number;
  readonly generation: number;
  readonly serving: boolean;
  readonly stale: boolean;
  readonly shadow: boolean;
  readonly shape: string;
  readonly tables: readonly string[];
  /** a live process is building it */
  readonly alive: boolean;
};

/** Oldest first. */
const buildsOf = async (client: ClientBase, schema: string, name: string): Promise<readonly Known[]> =>
  (await allBuilds(client, schema)).get(name) ?? [];

/** By the name of the projection, each oldest first. */
const allBuilds = async (client: ClientBase, schema: string): Promise<ReadonlyMap<string, readonly Known[]>> =>
  Map.groupBy(
    (
      await client.query<Known & { readonly projection: string }>(
        `select v.projection, v.version, v.generation, v.serving, v.stale, v.shadow, v.shape, v.tables, l.until is not null as alive
           from ${schema}.version v
           left join ${schema}.lease l on (l.projection, l.version, l.generation) = (v.projection, v.version, v.generation)
                and l.until > clock_timestamp()
          order by v.version, v.generation`,
      )
    ).rows,
    ({ projection }) => projection,
  );

const isBefore = (build: Known, serving: Known | undefined): boolean =>
  serving !== undefined &&
  (build.version < serving.version || (build.version === serving.version && build.generation < serving.generation));

const isReplaced = (build: Known, { replaces }: Beginning): boolean =>
  replaces !== undefined && build.version === replaces.version && build.generation === replaces.generation;

/** Serialises starting and dropping builds. */
const lockBuilds = (client: ClientBase, schema: string): Promise<unknown> =>
  client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`marktrail ${schema}`]);

const prepareOne = async (client: ClientBase, schema: string, projection: Projection, builds: readonly Known[]): Promise<void> => {
  const { name, version } = projection;
  const serving = builds.find((build) => build.serving);
  if (serving && serving.version > version) {
    throw new ReadModelsDoNotFit(
      `The read model "${name}" was made by a newer Marktrail (version ${serving.version}; this one has ${version}).`,
    );
  }
  const shape = shapeOf(Object.values(projection.tables));
  const same = builds.filter((build) => build.version === version);
  if (same.some((build) => build.shape !== shape)) {
    throw new ReadModelsDoNotFit(
      `The tables of the read model "${name}" have changed, but its version is still ${version}: give it version ${version + 1}.`,
    );
  }
  if (same.every((build) => build.shadow)) {
    const generation = Math.max(-1, ...same.map((build) => build.generation)) + 1;
    const reason = serving ? `version ${version} takes the place of version ${serving.version}` : 'it is new';
    await create(client, schema, projection, { name, version, generation }, { serving: !serving, reason });
  }
};

const create = async (
  client: ClientBase,
  schema: string,
  { tables: tableSet }: Projection,
  build: BuildId,
  { serving, shadow = false, reason }: { serving: boolean; shadow?: boolean; reason: string },
): Promise<void> => {
  const tables = Object.values(tableSet);
  const { name, version, generation } = build;
  for (const table of tables) await client.query(tableDdl(table, schema, version, { generation, late: false }));
  await client.query(
    `insert into ${schema}.version (projection, version, generation, serving, shadow, reason, tables, shape, indexed)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [name, version, generation, serving, shadow, reason, tables.map((table) => table.name), shapeOf(tables), !tables.some(hasLate)],
  );
  await client.query(`insert into ${schema}.checkpoint (projection, version, generation) values ($1, $2, $3)`, [name, version, generation]);
  if (serving) for (const table of tables) await client.query(viewDdl(table, schema, version, generation));
};

const remove = async (client: ClientBase, schema: string, build: BuildId, tables: readonly string[]): Promise<void> => {
  for (const bookkeeping of ['version', 'checkpoint', 'lease'])
    await client.query(`delete from ${schema}.${bookkeeping} where ${isBuild(build)}`);
  for (const name of tables) await client.query(`drop table if exists ${relationOf(schema, { name }, build.version, build.generation)}`);
};

/** A hash of the tables' definitions, which changes with them. */
export const shapeOf = (tables: readonly AnyTable[]): string =>
  createHash('sha256')
    .update(
      JSON.stringify(
        tables.map(({ name, key, columns, indexes }) => [
          name,
          key,
          columns.map((column) => [column.name, column.type, column.nullable]),
          // Which of them are made late does not change the tables.
          indexes.map(({ columns: indexed, unique, where }) => ({ columns: indexed, unique, where })),
        ]),
      ),
    )
    .digest('hex');

const requireUniqueNames = (projections: readonly Projection[]): void => {
  const names = [
    ...projections.map(({ name }) => `projection ${name}`),
    ...projections.flatMap(({ tables }) => Object.values(tables).map(({ name }) => `table ${name}`)),
    ...ENGINE_TABLES.map((name) => `table ${name}`),
  ];
  const duplicate = names.find((name, i) => names.indexOf(name) !== i);
  if (duplicate) throw new Error(`Duplicate name: ${duplicate}`);
};
