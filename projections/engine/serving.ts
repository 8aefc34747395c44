import type { ClientBase } from 'pg';
import type { Position } from '../../events/store/port.ts';
import { isBuild, isSameBuild, type BuildId } from './build.ts';
import { checkpointsOf } from './checkpoint.ts';
import { inTransaction } from './database.ts';
import { viewDdl } from './ddl.ts';
import type { Projection } from './projection.ts';

/**
 * Lets readers see this build: one transaction switches all views of the projection.
 * Answers false, and changes nothing, while its predecessor stands further than this build: nobody shall see something older than he saw
 * before. The predecessor is held still for a moment, so that this build can reach it although the log goes on.
 *
 * @param reach brings this build to the predecessor's position; left out: whoever feeds it is waited for
 */
export const serve = (
  client: ClientBase,
  schema: string,
  projection: Projection,
  build: BuildId,
  reach: (position: Position) => Promise<void> = (position) => reached(client, schema, build, position),
): Promise<boolean> =>
  inTransaction(client, async () => {
    // Below deadlock_timeout: when a reader holds one view and waits for the next, it is the switch that gives way and comes again.
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

/** The build that readers see. */
export const servingBuild = async (client: ClientBase, schema: string, name: string): Promise<ServingBuild | undefined> =>
  serving(client, schema, name, '');

/** The same, and nobody brings it further until the transaction ends. */
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

/** Until the build stands at the position, for a moment at most. */
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
  // Dropped, not replaced: a view cannot be replaced by one of other columns. Nobody sees the moment between.
  for (const name of new Set([...before, ...tables.map((table) => table.name)]))
    await client.query(`drop view if exists ${schema}.${name}`);
  for (const table of tables) await client.query(viewDdl(table, schema, build.version, build.generation));
  await client.query(`update ${schema}.version set serving = false where projection = $1 and serving`, [build.name]);
  await client.query(`update ${schema}.version set serving = true, reason = null where ${isBuild(build)}`);
};
