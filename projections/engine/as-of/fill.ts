import type { ClientBase } from 'pg';
import type { EventStore, Position } from '../../../events/store/port.ts';
import type { Decode } from '../subscription/advance.ts';
import { START } from '../building/checkpoint.ts';
import { fold, nothingWritten, placed, typesOf } from '../subscription/fold.ts';
import type { Projection } from '../projection.ts';
import { skippedIds } from '../subscription/skips.ts';
import { batchesIn } from '../subscription/batch.ts';
import type { Filling } from './busy.ts';
import { markFilled, unlock, type Content } from './leases.ts';
import { clearTables, countTables, makeTables, schemaOf } from './places.ts';
import { schoolEvents, type SchoolIndex } from './school-events.ts';

export type FillOptions = {
  readonly store: Pick<EventStore, 'read'>;
  readonly decode: Decode;
  /** the read models that queries use */
  readonly projections: readonly Projection[];
  readonly index: SchoolIndex;
};

/**
 * Folds a school's events into a schema that this client has locked: one transaction, so that a failure leaves the schema unchanged and
 * available. Memory does not grow with the school: events are read in pages and folded in batches.
 */
export const fill = async (
  client: ClientBase,
  { slot, made }: { readonly slot: number; readonly made: string | null },
  { schoolId, position, shape }: Content,
  options: FillOptions,
  progress: FillProgress,
): Promise<void> => {
  await client.query('begin');
  if (made === shape) await clearTables(client, slot);
  else await makeTables(client, slot, options.projections);
  await foldSchool(client, slot, { schoolId, upTo: () => position }, options, progress);
  await countTables(client, slot);
  await markFilled(client, slot, shape);
  await client.query('commit');
  await unlock(client, slot);
};

/** `upTo`: the last event that a read model takes in. */
export type SchoolFold = { readonly schoolId: string; readonly upTo: (name: string) => Position };
export type FillProgress = { readonly signal: AbortSignal; readonly onProgress: (filling: Filling) => Promise<void> };

/** Folds a school's events into the empty tables of a schema, in the client's transaction. */
export const foldSchool = async (
  client: ClientBase,
  slot: number,
  { schoolId, upTo }: SchoolFold,
  { store, decode, projections, index }: FillOptions,
  { signal, onProgress }: FillProgress,
): Promise<void> => {
  const models = projections
    .map((projection) => placed(projection, schemaOf(slot)))
    .map((model) => ({ ...model, written: nothingWritten(model) }));
  const types = typesOf(projections);
  const last = models.map(({ projection: { name } }) => upTo(name)).reduce((high, one) => (one > high ? one : high), START);
  const ask = async <Row extends object>(text: string, values: readonly unknown[]): Promise<Row[]> =>
    (await client.query<Row>(text, [...values])).rows;

  const total = await index.count(ask, schoolId, last);
  let done = 0;
  await onProgress({ done, total });
  const skipped = await skippedIds(client);
  for await (const { events } of batchesIn(schoolEvents(store, index, ask, schoolId, last), START)) {
    signal.throwIfAborted();
    const decoded = await decode(events.filter(({ type }) => types.has(type)));
    const works = models.map((model) => {
      // Events skipped for the current read model are skipped here too.
      const { name } = model.projection;
      const isTaken = ({ id, position }: { readonly id: string; readonly position: Position }): boolean =>
        position <= upTo(name) && !skipped.get(name)?.has(id);
      return { model, recorded: events.filter(isTaken), decoded: decoded.filter(isTaken) };
    });
    await fold(client, works, { isTold: false });
    done += events.length;
    await onProgress({ done, total });
  }
};
