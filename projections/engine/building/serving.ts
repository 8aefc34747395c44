import type { ClientBase } from 'pg';
import type { Position } from '../../../events/store/port.ts';
import { isBuild, isSameBuild, type BuildId } from './build.ts';
import { checkpointsOf } from './checkpoint.ts';
import { inTransaction } from '../database.ts';
import { viewDdl } from './ddl.ts';
import type { Projection } from '../projection.ts';

/**
 * Serves this build: one transaction switches all views of the projection. Returns false and changes nothing while its predecessor is
 * ahead, so that readers never see an older state than before. The predecessor is locked for a moment, so that this build can reach it
 * although the log continues.
 *
 * @param reach advances this build to the predecessor's position; by default waits until its own process has done so
 */
export const serve = (
  client: ClientBase,
  schema: string,
  projection: Projection,
  build: BuildId,
  reach: (position: Position) => Promise<void> = (position) => reached(client, schema, build, position),
): Promise<boolean> =>
  inTransaction(client, async () => {
    // Below deadlock_timeout: if a reader has locked one view and waits for the next, the switch gives up and is retried.
    await client.query(`set local lock_timeout = '300ms'`);
    const old = await holdServing(client, schema, build.name);
    if (old && isSameBuild(old, build)) return true;
    if (old && !old.stale) {
      await reach(old.position);
      const [now] = await checkpointsOf(client, schema, [build]);
      if (!now || now.position < old.position) return false;
    }
    await switchViews(client, schema, projection, build, old?.tables ?? []);
    return true;
  });

export type ServingBuild = BuildId & { readonly stale: boolean; readonly tables: readonly string[]; readonly position: Position };

/** The served build. */
export const servingBuild = async (client: ClientBase, schema: string, name: string): Promise<ServingBuild | undefined> =>
  serving(client, schema, name, '');

/** The served build, locked so that it cannot advance until the transaction ends. */
export const holdServing = async (client: ClientBase, schema: string, name: string): Promise<ServingBuild | undefined> =>
  serving(client, schema, name, 'for update of c');

const serving = async (client: ClientBase, schema: string, name: string, lock: string): Promise<ServingBuild | undefined> => {
  const {
    rows: [row],
  } = await client.query<Omit<ServingBuild, 'position'> & { position: string }>(
    `select v.projection as name, v.version, v.generation, v.tables, v.stale, c.position
       from ${schema}.version v
       join ${schema}.checkpoint c using (projection, version, generation)
      where v.projection = $1 and v.serving and c.partition = 'all' ${lock}`,
    [name],
  );
  return row && { ...row, position: BigInt(row.position) };
};

/** Waits a moment for the build to reach the position. */
const reached = async (client: ClientBase, schema: string, build: BuildId, position: Position): Promise<void> => {
  for (let look = 1; look <= MOST_LOOKS; look++) {
    const [now] = await checkpointsOf(client, schema, [build]);
    if (now && now.position >= position) return;
    await client.query('select pg_sleep(0.02)');
  }
};
const MOST_LOOKS = 15;

const switchViews = async (
  client: ClientBase,
  schema: string,
  projection: Projection,
  build: BuildId,
  before: readonly string[],
): Promise<void> => {
  const tables = Object.values(projection.tables).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  // Dropped first, because a view cannot be replaced by one with other columns. The transaction hides the gap.
  for (const name of new Set([...before, ...tables.map((table) => table.name)]))
    await client.query(`drop view if exists ${schema}.${name}`);
  for (const table of tables) await client.query(viewDdl(table, schema, build.version, build.generation));
  await client.query(`update ${schema}.version set serving = false where projection = $1 and serving`, [build.name]);
  await client.query(`update ${schema}.version set serving = true, reason = null where ${isBuild(build)}`);
};
