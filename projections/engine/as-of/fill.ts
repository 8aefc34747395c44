import type { ClientBase } from 'pg';
import type { EventStore } from '../../../events/store/port.ts';
import type { Decode } from '../subscription/advance.ts';
import { START } from '../building/checkpoint.ts';
import { fold, nothingWritten, placed, typesOf } from '../subscription/fold.ts';
import type { Projection } from '../projection.ts';
import { skippedIds } from '../subscription/skips.ts';
import { batchesIn } from '../subscription/batch.ts';
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
  { store, decode, projections, index }: FillOptions,
  signal: AbortSignal,
): Promise<void> => {
  const models = projections
    .map((projection) => placed(projection, schemaOf(slot)))
    .map((model) => ({ ...model, written: nothingWritten(model) }));
  const types = typesOf(projections);
  const ask = async <Row extends object>(text: string, values: readonly unknown[]): Promise<Row[]> =>
    (await client.query<Row>(text, [...values])).rows;

  await client.query('begin');
  if (made === shape) await clearTables(client, slot);
  else await makeTables(client, slot, projections);
  const skipped = await skippedIds(client);
  for await (const { events } of batchesIn(schoolEvents(store, index, ask, schoolId, position), START)) {
    signal.throwIfAborted();
    const decoded = await decode(events.filter(({ type }) => types.has(type)));
    const works = models.map((model) => {
      // Events skipped for the current read model are skipped here too.
      const isTaken = ({ id }: { readonly id: string }): boolean => !skipped.get(model.projection.name)?.has(id);
      return { model, recorded: events.filter(isTaken), decoded: decoded.filter(isTaken) };
    });
    await fold(client, works, { isTold: false });
  }
  await countTables(client, slot);
  await markFilled(client, slot, shape);
  await client.query('commit');
  await unlock(client, slot);
};
