import type { ClientBase } from 'pg';
import { inTransaction } from '../database.ts';
import type { Projection } from '../projection.ts';
import type { AnyTable } from '../tables/table.ts';
import { isBuild, isSameBuild, buildTuples, type BuildId } from './build.ts';
import { count, patiently } from './counting.ts';
import { indexDdl, relationOf } from './ddl.ts';

/**
 * Indexes that only queries need are made once a build has reached the end of the log: keeping six of them up to date row by row takes
 * longer than folding the events (docs/decisions/9-two-round-trips-and-a-catch-up-that-overlaps.md). `version.indexed` says whether a build has them, and changes in the transaction that
 * makes them. So whoever takes over a build knows what is missing, and a process that is killed meanwhile leaves nothing half-made.
 */
export const hasLate = (table: AnyTable): boolean => table.indexes.some(({ late }) => late);

/** Tells which of the builds are without them. */
export const withoutLateIndexes = async (
  client: ClientBase,
  schema: string,
  builds: readonly BuildId[],
): Promise<(build: BuildId) => boolean> => {
  if (builds.length === 0) return () => false;
  const { rows } = await client.query<BuildId>(
    `select projection as name, version, generation from ${schema}.version
      where not indexed and (projection, version, generation) in (${buildTuples(builds)})`,
  );
  return (build) => rows.some((row) => isSameBuild(row, build));
};

/**
 * Makes them, unless another process has. The checkpoint is locked first, as for a batch: nobody writes rows meanwhile. Readers are not
 * held up. Does nothing if the build is gone.
 */
export const makeLateIndexes = (client: ClientBase, schema: string, { tables }: Projection, build: BuildId): Promise<void> =>
  inTransaction(client, async () => {
    await client.query(`select from ${schema}.checkpoint where ${isBuild(build)} for update`);
    const isBare = await withoutLateIndexes(client, schema, [build]);
    if (!isBare(build)) return;
    // Workers take twice the processor time, and the tables of several read models are indexed at the same time anyway.
    await client.query('set local max_parallel_maintenance_workers = 0');
    for (const table of Object.values(tables).filter(hasLate))
      await makeOn(client, table, relationOf(schema, table, build.version, build.generation));
    await client.query(`update ${schema}.version set indexed = true where ${isBuild(build)}`);
  });

const makeOn = async (client: ClientBase, table: AnyTable, relation: string): Promise<void> => {
  for (const index of table.indexes.filter(({ late }) => late)) await client.query(patiently(indexDdl(relation, index)));
  const { rows } = await client.query<{ few: boolean }>(
    `select count(*) < ${FEW} as few from (select from ${relation} limit ${FEW}) as first_rows`,
  );
  // In a small table all indexes seem to cost the same, and the newest is taken: it must be the primary key, as in ddl.ts.
  if (rows[0]?.few) {
    // A reader that blocks this is waited for by trying again.
    await client.query(`set local lock_timeout = '300ms'`);
    const name = relation.slice(relation.indexOf('.') + 1);
    await client.query(`alter table ${relation} drop constraint ${name}_pkey, add primary key (${table.key.join(', ')})`);
    await client.query('set local lock_timeout to default');
  }
  await count(client, table, relation);
};

const FEW = 10_000;
