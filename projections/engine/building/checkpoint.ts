import type { ClientBase } from 'pg';
import type { Position } from '../../../events/store/port.ts';
import { buildName, buildTuples, type BuildId } from './build.ts';

/** The last event that a build has applied. */
export type Checkpoint = BuildId & {
  readonly position: Position;
  /** of the event at the position; null before the first */
  readonly eventId: string | null;
};

/** Before the first event. */
export const START: Position = 0n;

/** The checkpoint is gone: another build of the projection has replaced this one. */
export class Retired extends Error {
  override readonly name = 'Retired';
  constructor(build: BuildId) {
    super(`${buildName(build)} was replaced`);
  }
}

export const checkpointsOf = (client: Queryable, schema: string, builds: readonly BuildId[]): Promise<Checkpoint[]> =>
  read(client, `${selected(schema)} where partition = 'all' and (projection, version, generation) in (${buildTuples(builds)})`);

/**
 * Begins the transaction of a batch and locks the checkpoints, which is the fence between two projectors: the second one waits here, and
 * then sees the new position. One round trip, ordered so that two projectors cannot deadlock.
 */
export const beginAt = (client: Queryable, schema: string, builds: readonly BuildId[]): Promise<Checkpoint[]> =>
  read(
    client,
    `begin; ${selected(schema)} where partition = 'all' and (projection, version, generation) in (${buildTuples(builds)})
    order by projection, version, generation for update`,
  );

/** Moves the checkpoints to an event, and commits. `eventId` distinguishes this log from another (copied, restored) one. */
export const commitAt = async (
  client: Queryable,
  schema: string,
  builds: readonly BuildId[],
  position: Position,
  eventId: string,
): Promise<void> => {
  if (!/^[0-9a-f-]{36}$/.test(eventId)) throw new Error(`"${eventId}" is no id of an event`);
  await client.query(`update ${schema}.checkpoint set position = ${position}, event_id = '${eventId}'
    where partition = 'all' and (projection, version, generation) in (${buildTuples(builds)}); commit`);
};

type Queryable = Pick<ClientBase, 'query'>;
type Row = { name: string; version: number; generation: number; position: string; eventId: string | null };

const selected = (schema: string): string =>
  `select projection as name, version, generation, position, event_id as "eventId" from ${schema}.checkpoint`;

/** Two statements in one simple query return a list of results; the rows are in the last one. */
const read = async (client: Queryable, sql: string): Promise<Checkpoint[]> => {
  const result: unknown = await client.query(sql);
  const { rows } = (Array.isArray(result) ? result.at(-1) : result) as { rows: Row[] };
  return rows.map((row) => ({ ...row, position: BigInt(row.position) }));
};
