import type { ClientBase } from 'pg';
import type { Position, RecordedEvent } from '../../../events/store/port.ts';
import type { Change } from '../coordination/announcement.ts';
import { beginAt, commitAt, Retired } from '../building/checkpoint.ts';
import { buildName, isSameBuild, type BuildId } from '../building/build.ts';
import { fold, placed, type Placed } from './fold.ts';
import type { DecodedEvent, Projection } from '../projection.ts';
import type { Batch } from './batch.ts';

/** The codec's work: decrypt, upcast, join parts. Throws `KeyMissing` if a key is missing. */
export type Decode = (events: readonly RecordedEvent[]) => Promise<readonly DecodedEvent[]>;

/** A build that this process works on, with its position as far as this process knows. */
export type Positioned = Placed &
  BuildId & {
    position: Position;
    /** Up to the position, something may have been committed that nobody was told of: by another process, or by this one just before an error. */
    untold: boolean;
    /** ids of events that an operator has skipped (skips.ts) */
    skipped: ReadonlySet<string>;
  };

export const positioned = (projection: Projection, schema: string, position: Position, generation = 0): Positioned => ({
  ...placed(projection, schema, generation),
  name: projection.name,
  version: projection.version,
  generation,
  position,
  untold: true,
  skipped: new Set(),
});

/** The database has less than this process committed (it has crashed or was restored): continue from its checkpoint. */
export class CheckpointMoved extends Error {
  override readonly name = 'CheckpointMoved';
}

/**
 * Applies a batch to some projections, all or none: rows and checkpoints are one transaction. Each projection drops events up to its
 * checkpoint, so applying a batch twice changes nothing, whichever process applied it first.
 *
 * The connection commits with `synchronous_commit = off`: a crash of PostgreSQL may lose the last moments, but rows and checkpoint
 * together, and the log still has the events.
 *
 * @returns the changes for live updates; after an error the transaction is still open
 */
export const advance = async (
  client: ClientBase,
  schema: string,
  group: readonly Positioned[],
  batch: Batch,
  decode: Decode,
): Promise<Change[]> => {
  const events = await decode(batch.events.filter((event) => group.some((one) => isNewTo(one, event) && needsDecoded(one, event))));

  const behind = await fence(client, schema, group, batch);
  if (behind.length === 0) {
    await client.query('rollback');
    return [];
  }
  const changes = await fold(
    client,
    behind.map((one) => {
      const isNew = (event: Pick<RecordedEvent, 'position' | 'id'>): boolean => isNewTo(one, event);
      return { model: one, recorded: batch.events.filter(isNew), decoded: events.filter(isNew) };
    }),
    { isShort: batch.events.length <= SHORT, commit: () => commitAt(client, schema, behind, batch) },
  );
  for (const one of behind) one.position = batch.position;
  return changes;
};

/** Events of a batch that somebody waits for: as many as people save within a moment. */
const SHORT = 32;

/** The instances that the batch advances, with positions from the database. Locks their checkpoints. */
const fence = async (client: ClientBase, schema: string, group: readonly Positioned[], batch: Batch): Promise<Positioned[]> => {
  const checkpoints = await beginAt(client, schema, group);
  for (const one of group) {
    const checkpoint = checkpoints.find((row) => isSameBuild(row, one));
    if (!checkpoint) throw new Retired(one);
    // Events between the checkpoint and the batch would be lost.
    if (checkpoint.position < batch.after)
      throw new CheckpointMoved(`${buildName(one)} is at ${checkpoint.position}, before ${batch.after}`);
    moveTo(one, checkpoint.position);
  }
  return group.filter(({ position }) => position < batch.position);
};

/** To where the database says that it is. */
export const moveTo = (one: Positioned, position: Position): void => {
  one.untold ||= position !== one.position;
  one.position = position;
};

const isNewTo = ({ position, skipped }: Positioned, event: Pick<RecordedEvent, 'position' | 'id'>): boolean =>
  event.position > position && !skipped.has(event.id);

const needsDecoded = ({ projection }: Positioned, { type }: RecordedEvent): boolean => !projection.raw && projection.on.includes(type);
