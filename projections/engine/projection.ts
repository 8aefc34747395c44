import type { Recorded } from '../../events/codec/event.ts';
import type { RecordedEvent } from '../../events/store/port.ts';
import type { LoadingRowSet, RowSet } from './tables/row-set.ts';
import type { AnyTable } from './tables/table.ts';

/**
 * A read model: tables, and how events change their rows. The engine loads, folds and stores.
 *
 *   export const markbook = projection<ReadEventOf<typeof entryEvents>>()({
 *     name: 'markbook', version: 1, tables: { totals },
 *     on: ['TotalsUploaded', 'MarksUploaded'],
 *     async load(events, rows) {
 *       await rows.totals.load(events.flatMap(keysOf));
 *     },
 *     apply(event, rows) {
 *       rows.totals.put({ ... });
 *     },
 *   });
 *
 * A changed table, or a changed meaning of its rows, is a new `version`: it is built from the beginning of the log while the old one is
 * served, and then replaces it.
 */
export const projection =
  <Event extends ReadEvent>() =>
  <const Tables extends TableSet, const Type extends Event['type']>(
    definition: ProjectionDefinition<Tables, RecordedReadEvent<Extract<Event, { type: Type }>>, Type>,
  ): DecodedProjection => {
    checkName(definition);
    // The only place where the definition's types are erased: the engine passes it only events of the types in `on`.
    return definition;
  };

/** The same with a function for each type of event that it handles. */
export const projectionByType =
  <Event extends ReadEvent>() =>
  <const Tables extends TableSet, const Type extends Event['type']>({
    changes,
    ...definition
  }: Reading<Tables, RecordedReadEvent<Extract<Event, { type: Type }>>> & {
    readonly changes: { readonly [One in Type]: (event: RecordedReadEvent<Extract<Event, { type: One }>>, rows: Rows<Tables>) => void };
  }): DecodedProjection => {
    checkName(definition);
    // Their types are erased here as above: each gets only events of its own type.
    const handlers: Readonly<Record<string, DecodedProjection['apply']>> = changes;
    return { ...definition, on: Object.keys(changes), apply: (event, rows) => handlers[event.type]?.(event, rows) };
  };

export type ProjectionDefinition<Tables extends TableSet, Event, Type extends string = string> = Reading<Tables, Event> & {
  /** The event types that it handles; others only move its checkpoint. */
  readonly on: readonly Type[];
  /**
   * Applies one event after the other, in the order of the log. Pure except for `rows`: no I/O, no clock. An error stops only this
   * projection.
   */
  apply(event: InPart<Event>, rows: Rows<Tables>): void;
};

type Reading<Tables extends TableSet, Event> = {
  readonly name: string;
  readonly version: number;
  readonly tables: Tables;
  /**
   * Divides a batch of the log into chunks, each of which is loaded, applied and stored before the next one: for read models where one
   * event may touch more rows than should be in memory. Left out: a batch is one chunk.
   */
  chunks?(events: readonly Event[], rows: Loading<Tables>): Promise<readonly (readonly InPart<Event>[])[]>;
  /**
   * Loads the stored rows that the chunk may read or change. Set-based, with a few queries for the chunk; a later query may use the rows of
   * an earlier one. The order of the events does not matter here.
   */
  load(events: readonly InPart<Event>[], rows: Loading<Tables>): Promise<void>;
  /**
   * The channels (api/contract/channels.ts) of what the event changes on live screens. Called after the chunk was applied.
   */
  channels?(event: InPart<Event>, rows: Rows<Tables>): readonly string[];
};

/** An event, or a part of it that a chunk applies, such as some of its students. `chunks` and `apply` define the meaning. */
export type InPart<Event> = Event & { readonly part?: { readonly from: number; readonly to: number } };

/**
 * A read model over the text of **every** event in the log, including parts, events of unknown types and of forgotten people; it needs no
 * key. Loading and folding are one step, so that it can work on many events at once.
 */
export const rawProjection = <const Tables extends TableSet>(definition: RawDefinition<Tables>): Projection => {
  checkName(definition);
  return { ...definition, raw: true };
};

export type RawDefinition<Tables extends TableSet> = {
  readonly name: string;
  readonly version: number;
  readonly tables: Tables;
  /** Events in the order of the log. `ask` reads other tables than those of projections. An error stops only this projection. */
  fold(events: readonly RecordedEvent[], rows: Loading<Tables>, ask: Ask): Promise<void>;
};
export type Ask = <Row extends object>(text: string, values: readonly unknown[]) => Promise<Row[]>;

const checkName = ({ name, version }: { readonly name: string; readonly version: number }): void => {
  if (!/^[a-z][a-z0-9_-]{0,50}$/.test(name)) throw new Error(`"${name}" is no name for a projection`);
  if (!Number.isInteger(version) || version < 1) throw new Error(`${name}: versions are 1, 2, 3, ...`);
};

/** Any projection, for the engine. */
export type Projection = DecodedProjection | RawProjection;
export type DecodedProjection = ProjectionDefinition<TableSet, DecodedEvent> & { readonly raw?: never };
export type RawProjection = RawDefinition<TableSet> & { readonly raw: true };

export type TableSet = { readonly [name: string]: AnyTable };
export type Rows<Tables extends TableSet> = { readonly [Name in keyof Tables]: RowSet<Tables[Name]> };
export type Loading<Tables extends TableSet> = { readonly [Name in keyof Tables]: LoadingRowSet<Tables[Name]> };

/** What projections need of an event's type: see `ReadEventOf` of the codec. */
export type ReadEvent = { readonly type: string; readonly data: unknown };

/** An event with its position in the log and its metadata. */
export type RecordedReadEvent<Event extends ReadEvent> = Event extends ReadEvent ? Recorded<Event> : never;
export type DecodedEvent = Recorded<ReadEvent>;
