import type { ClientBase } from 'pg';
import type { Position, RecordedEvent } from '../../../events/store/port.ts';
import type { Change } from '../announcing/announcement.ts';
import { beginAt, commitAt, Retired, START } from '../building/checkpoint.ts';
import { buildName, isSameBuild, type BuildId } from '../building/build.ts';
import { type Folded, store } from './ahead.ts';
import { fold, nothingWritten, placed, type Placed, type Work } from './fold.ts';
import type { DecodedEvent, Projection } from '../projection.ts';
import type { Batch } from './batch.ts';

/** The codec's work: decrypt, upcast, join parts. Throws `KeyMissing` if a key is missing. */
export type Decode = (events: readonly RecordedEvent[]) => Promise<readonly DecodedEvent[]>;

export type Decoded = ReturnType<Decode>;

/** A build that this process works on, with its position as far as this process knows. */
export type Positioned = Placed &
  BuildId & {
    position: Position;
    /** Something up to the position may have been committed unannounced: by another process, or by this one just before an error. */
    isUnannounced: boolean;
    /** ids of events that an operator has skipped (skips.ts) */
    skipped: ReadonlySet<string>;
  };

export const positioned = (projection: Projection, schema: string, position: Position, generation = 0): Positioned => ({
  ...placed(projection, schema, generation),
  name: projection.name,
  version: projection.version,
  generation,
  position,
  isUnannounced: true,
  skipped: new Set(),
});

/** The database has less than this process committed (it has crashed or was restored): continue from its checkpoint. */
export class CheckpointMoved extends Error {
  override readonly name = 'CheckpointMoved';
}

type AdvanceOptions = {
  /** It is still being filled: its changes are not announced, and its new keys are remembered from the beginning. */
  readonly isFilling?: boolean;
  /** the decoded batch, if decoding was begun before */
  readonly decoded?: Decoded;
  /** the same, if it was folded already: of use if the checkpoints are still where the batch begins */
  readonly ahead?: Folded | undefined;
};

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
  { isFilling = false, decoded = decodedFor(group, batch, decode), ahead }: AdvanceOptions = {},
): Promise<Change[]> => {
  const events = await decoded;

  const lagging = await fence(client, schema, group, batch);
  for (const one of lagging) {
    // At the beginning its tables are empty, and the lock of its checkpoint keeps others from writing.
    if (!isFilling) one.written = undefined;
    else if (one.position === START) one.written = nothingWritten(one);
  }
  if (lagging.length === 0) {
    await client.query('rollback');
    return [];
  }
  const commit = (): Promise<void> => commitAt(client, schema, lagging, batch);
  const isShort = batch.events.length <= SHORT;
  const isAsForeseen = lagging.length === ahead?.rows.size && lagging.every((one) => one.position === batch.after && ahead.rows.has(one));
  let changes: Change[] = [];
  if (ahead && isAsForeseen) await store(client, ahead, commit);
  else changes = await fold(client, worksOf(lagging, batch, events), { isShort, isTold: !isFilling, commit });
  for (const one of lagging) one.position = batch.position;
  return changes;
};

/** The events of a batch that somebody in the group handles. */
export const decodedFor = (group: readonly Positioned[], batch: Batch, decode: Decode): Decoded =>
  decode(batch.events.filter((event) => group.some((one) => one.types.has(event.type) && isNewTo(one, event))));

/** What a batch is to each of them. */
export const worksOf = (group: readonly Positioned[], batch: Batch, decoded: Awaited<Decoded>): Work[] =>
  group.map((one) => ({ model: one, recorded: newTo(one, batch.events), decoded: newTo(one, decoded) }));

/** Events of a batch that people wait for: as many as they save within a moment. */
const SHORT = 32;

/** The instances that the batch advances, with positions from the database. Locks their checkpoints. */
const fence = async (client: ClientBase, schema: string, group: readonly Positioned[], batch: Batch): Promise<Positioned[]> => {
  const checkpoints = await beginAt(client, schema, group);
  for (const one of group) {
    const checkpoint = checkpoints.find((row) => isSameBuild(row, one));
    if (!checkpoint) throw new Retired(one);
    // Events between the checkpoint and the batch, or what was decoded of it, would be lost.
    const from = one.position > batch.after ? one.position : batch.after;
    if (checkpoint.position < from) throw new CheckpointMoved(`${buildName(one)} is at ${checkpoint.position}, before ${from}`);
    moveTo(one, checkpoint.position);
  }
  return group.filter(({ position }) => position < batch.position);
};

/** Sets it to the position that the database names. */
export const moveTo = (one: Positioned, position: Position): void => {
  if (position !== one.position) {
    one.isUnannounced = true;
    // Another process has written, or the database has lost what was written here.
    one.written = undefined;
  }
  one.position = position;
};

const isNewTo = ({ position, skipped }: Positioned, event: Pick<RecordedEvent, 'position' | 'id'>): boolean =>
  event.position > position && !skipped.has(event.id);

/** In the order of the log. Nearly always all of them. */
const newTo = <Event extends Pick<RecordedEvent, 'position' | 'id'>>(one: Positioned, events: readonly Event[]): readonly Event[] =>
  one.skipped.size === 0 && events[0] && events[0].position > one.position ? events : events.filter((event) => isNewTo(one, event));
