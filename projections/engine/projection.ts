import type { Recorded } from '../../events/codec/event.ts';
import type { RecordedEvent } from '../../events/store/port.ts';
import type { LoadingRowSet, RowSet } from './tables/row-set.ts';
import type { AnyTable } from './tables/table.ts';

/**
 * A read model: tables, and how a batch of events changes their rows. The engine loads, folds and stores.
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
 * A changed table, or another meaning of its rows, is a new `version`: it is filled from the beginning of the log while the old one
 * serves, and then takes its place.
 */
export const projection =
  <Event extends ReadEvent>() =>
  <const Tables extends TableSet, const Type extends Event['type']>(
    definition: ProjectionDefinition<Tables, RecordedReadEvent<Extract<Event, { type: Type }>>, Type>,
  ): DecodedProjection => {
    checkName(definition);
    // The one place where the types of the definition are given up: the engine hands it only events of the types in `on`.
    return definition;
  };

export type ProjectionDefinition<Tables extends TableSet, Event, Type extends string = string> = {
  readonly name: string;
  readonly version: number;
  readonly tables: Tables;
  /** The types of events that it takes; its checkpoint passes the others. */
  readonly on: readonly Type[];
  /**
   * Cuts a slice of the log into batches, each of which is loaded, applied and stored before the next is: for a read model of which a
   * single event may touch more rows than memory should hold. Left out: a slice is one batch.
   */
  batches?(events: readonly Event[], rows: Loading<Tables>): Promise<readonly (readonly InPart<Event>[])[]>;
  /**
   * Declares which stored rows a batch may read or change. Set-based, a few queries for the whole batch; a later step may stand on the rows
   * of an earlier one. The order of the events does not matter here.
   */
  load(events: readonly InPart<Event>[], rows: Loading<Tables>): Promise<void>;
  /** One event after the other, in the order of the log. Pure but for `rows`: no I/O, no clock. An error stops this projection only. */
  apply(event: InPart<Event>, rows: Rows<Tables>): void;
  /**
   * What a screen that follows live would have to look at again: `test:<testId>`, `markbook:<yearGroupId>`. Called after the whole
   * batch was applied.
   */
  topics?(event: InPart<Event>, rows: Rows<Tables>): readonly string[];
};

/** An event, or the stretch of it that a batch applies: of its students, say. What that means is between `batches` and `apply`. */
export type InPart<Event> = Event & { readonly part?: { readonly from: number; readonly to: number } };

/**
 * A read model over the text of **every** event, as the log holds it: parts, events of unknown types and of forgotten persons are among
 * them, and no key is needed. Load and fold are one step, so that it may work on many events at once.
 */
export const rawProjection = <const Tables extends TableSet>(definition: RawDefinition<Tables>): Projection => {
  checkName(definition);
  return { ...definition, raw: true };
};

export type RawDefinition<Tables extends TableSet> = {
  readonly name: string;
  readonly version: number;
  readonly tables: Tables;
  /** Events in the order of the log. `ask` reads what is no table of a projection. An error stops this projection only. */
  fold(events: readonly RecordedEvent[], rows: Loading<Tables>, ask: Ask): Promise<void>;
};
export type Ask = <Row extends object>(text: string, values: readonly unknown[]) => Promise<Row[]>;

const checkName = ({ name, version }: { readonly name: string; readonly version: number }): void => {
  if (!/^[a-z][a-z0-9_-]{0,50}$/.test(name)) throw new Error(`"${name}" is no name for a projection`);
  if (!Number.isInteger(version) || version < 1) throw new Error(`${name}: versions are 1, 2, 3, ...`);
};

/** A projection as the engine sees it. */
export type Projection = DecodedProjection | RawProjection;
export type DecodedProjection = ProjectionDefinition<TableSet, DecodedEvent> & { readonly raw?: never };
export type RawProjection = RawDefinition<TableSet> & { readonly raw: true };

export type TableSet = { readonly [name: string]: AnyTable };
export type Rows<Tables extends TableSet> = { readonly [Name in keyof Tables]: RowSet<Tables[Name]> };
export type Loading<Tables extends TableSet> = { readonly [Name in keyof Tables]: LoadingRowSet<Tables[Name]> };

/** The least that an event must be to be projected: what `ReadEventOf` of the codec gives. */
export type ReadEvent = { readonly type: string; readonly data: unknown };

/** An event with its place in the log and its envelope. */
export type RecordedReadEvent<Event extends ReadEvent> = Event extends ReadEvent ? Recorded<Event> : never;
export type DecodedEvent = Recorded<ReadEvent>;
