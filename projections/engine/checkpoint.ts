import type { ClientBase } from 'pg';
import type { Position } from '../../events/store/port.ts';

/** How far one version of a projection has come. */
export type Checkpoint = { readonly projection: string; readonly version: number; readonly position: Position };

/** Before the first event. */
export const START: Position = 0n;

/** A checkpoint is gone: a newer version of the projection has taken its place. */
export class Retired extends Error {
  override readonly name = 'Retired';
  constructor(projection: string, version: number) {
    super(`version ${version} was replaced by a newer one (${projection})`);
  }
}

/** The checkpoints of the versions that serve. */
export const servingCheckpoints = async (client: Queryable, schema: string): Promise<Checkpoint[]> =>
  read(
    client,
    `select c.projection, c.version, c.position from ${schema}.checkpoint c
    join ${schema}.version v using (projection, version) where v.serving and c.partition = 'all'`,
  );

export const checkpointsOf = async (client: Queryable, schema: string, versions: readonly Version[]): Promise<Checkpoint[]> =>
  read(
    client,
    `select projection, version, position from ${schema}.checkpoint
    where partition = 'all' and (projection, version) in (${pairs(versions)})`,
  );

/**
 * Begins the transaction of a slice and takes the checkpoints: the fence between two projectors. Who comes second waits here, and then
 * sees how far the first has come. All in one round trip, ordered so that two projectors cannot deadlock.
 */
export const beginAt = async (client: Queryable, schema: string, versions: readonly Version[]): Promise<Checkpoint[]> =>
  read(
    client,
    `begin; select projection, version, position from ${schema}.checkpoint
    where partition = 'all' and (projection, version) in (${pairs(versions)}) order by projection, version for update`,
  );

/** Moves the checkpoints to an event, and commits. `eventId` tells another log (copied, restored) from this one. */
export const commitAt = async (
  client: Queryable,
  schema: string,
  versions: readonly Version[],
  position: Position,
  eventId: string,
): Promise<void> => {
  if (!/^[0-9a-f-]{36}$/.test(eventId)) throw new Error(`"${eventId}" is no id of an event`);
  await client.query(`update ${schema}.checkpoint set position = ${position}, event_id = '${eventId}'
    where partition = 'all' and (projection, version) in (${pairs(versions)}); commit`);
};

type Version = { readonly name: string; readonly version: number };
type Queryable = Pick<ClientBase, 'query'>;
type Row = { projection: string; version: number; position: string };

/** Two statements in one simple query answer a list of results; the rows are in the last. */
const read = async (client: Queryable, sql: string): Promise<Checkpoint[]> => {
  const result: unknown = await client.query(sql);
  const { rows } = (Array.isArray(result) ? result.at(-1) : result) as { rows: Row[] };
  return rows.map(({ projection, version, position }) => ({ projection, version, position: BigInt(position) }));
};

/** Names were checked where the projection was declared, so they may stand in SQL. */
const pairs = (versions: readonly Version[]): string => versions.map(({ name, version }) => `('${name}', ${version})`).join(', ');
