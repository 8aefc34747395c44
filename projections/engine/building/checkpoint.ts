import type { ClientBase } from 'pg';
import type { Position } from '../../../events/store/port.ts';
import { inOnePacket } from '../in-one-packet.ts';
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
export const beginAt = async (client: ClientBase, schema: string, builds: readonly BuildId[]): Promise<Checkpoint[]> => {
  const [, { rows }] = await inOnePacket(client, () =>
    Promise.all([
      client.query('begin'),
      client.query<Row>({
        name: `fence ${schema}`,
        text: `${selected(schema)} where ${OF_BUILDS} order by projection, version, generation for update`,
        values: valuesOf(builds),
      }),
    ]),
  );
  return rows.map(checkpointOf);
};

/**
 * Moves the checkpoints to an event, and commits. `lastId` distinguishes this log from another (copied, restored) one. Sent without waiting:
 * if anything in the transaction has failed, PostgreSQL rolls it back, and this is rejected.
 */
export const commitAt = async (
  client: ClientBase,
  schema: string,
  builds: readonly BuildId[],
  { position, lastId }: { readonly position: Position; readonly lastId: string },
): Promise<void> => {
  await inOnePacket(client, () =>
    Promise.all([
      client.query({
        name: `advance ${schema}`,
        text: `update ${schema}.checkpoint set position = $4, event_id = $5 where ${OF_BUILDS}`,
        values: [...valuesOf(builds), String(position), lastId],
      }),
      client.query('commit'),
    ]),
  );
};

/** The builds as parameters, so that the statements are prepared once. */
const OF_BUILDS = `partition = 'all'
  and (projection, version, generation) in (select * from unnest($1::text[], $2::int[], $3::int[]))`;

const valuesOf = (builds: readonly BuildId[]): unknown[] => [
  builds.map(({ name }) => name),
  builds.map(({ version }) => version),
  builds.map(({ generation }) => generation),
];

type Queryable = Pick<ClientBase, 'query'>;
type Row = { name: string; version: number; generation: number; position: string; eventId: string | null };

const selected = (schema: string): string =>
  `select projection as name, version, generation, position, event_id as "eventId" from ${schema}.checkpoint`;

const read = async (client: Queryable, sql: string): Promise<Checkpoint[]> => (await client.query<Row>(sql)).rows.map(checkpointOf);

const checkpointOf = (row: Row): Checkpoint => ({ ...row, position: BigInt(row.position) });
