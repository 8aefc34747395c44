import type { EventStore, Position, RecordedEvent } from '../../../events/store/port.ts';
import type { Ask } from '../projection.ts';

/** The last event of a school up to a moment. */
export type Cut = { readonly position: Position; readonly eventId: string; readonly at: string };

/** An event's entry in the index of a school's events. */
export type IndexRow = { readonly position: Position; readonly eventId: string; readonly stream: string; readonly revision: bigint };

/** Finds the events of one school without reading the log of all. `ask` reads the read models. */
export type SchoolIndex = {
  /** name of the projection that maintains it */
  readonly name: string;
  /**
   * The last event in the order of the log whose `at` is not later than the moment. All events before it are included, whatever their `at`:
   * so a clock that runs ahead hides no later event, and the result is always a state that the log went through.
   */
  cut(ask: Ask, schoolId: string, moment: string): Promise<Cut | undefined>;
  /** How many events of the school there are up to a position. */
  count(ask: Ask, schoolId: string, upTo: Position): Promise<number>;
  /** The next events of the school after a position, at most up to another, in the order of the log. */
  page(ask: Ask, schoolId: string, after: Position, upTo: Position, most: number): Promise<IndexRow[]>;
};

/** The index has an event that is not in the log at that place: it belongs to another log, or is being rebuilt. */
export class IndexDiffers extends Error {
  override readonly name = 'IndexDiffers';
  constructor({ eventId, stream, revision }: IndexRow) {
    super(`according to the index ${eventId} is in ${stream} at revision ${revision}, but not in the log`);
  }
}

/** A school's events in the order of the log, up to a position, in pages. Prefetches the next page. */
export async function* schoolEvents(
  store: Pick<EventStore, 'read'>,
  index: SchoolIndex,
  ask: Ask,
  schoolId: string,
  upTo: Position,
): AsyncGenerator<readonly RecordedEvent[]> {
  const pageAfter = async (after: Position): Promise<RecordedEvent[]> => {
    const rows = after < upTo ? await index.page(ask, schoolId, after, upTo, PAGE) : [];
    return read(store, rows);
  };
  let coming = pageAfter(0n);
  for (;;) {
    const page = await coming;
    const last = page.at(-1);
    if (!last) return;
    coming = pageAfter(last.position);
    // Awaited above, unless the consumer stops before.
    coming.catch(() => undefined);
    yield page;
  }
}

/** Uploads of a year group have 125 kB each: two pages of them take about 60 MB. */
const PAGE = 256;
/** Number of streams that are read in parallel. */
const SIDE_BY_SIDE = 32;

/** Reads stream by stream, which every store supports, and sorts the events in the order of the page. */
const read = async (store: Pick<EventStore, 'read'>, page: readonly IndexRow[]): Promise<RecordedEvent[]> => {
  const streams = [...Map.groupBy(page, ({ stream }) => stream).values()];
  const found = new Map<string, RecordedEvent>();
  for (let from = 0; from < streams.length; from += SIDE_BY_SIDE) {
    await Promise.all(streams.slice(from, from + SIDE_BY_SIDE).map((rows) => readStretch(store, rows, found)));
  }
  return page.map((row) => {
    const event = found.get(row.eventId);
    if (!event || event.stream !== row.stream || event.revision !== row.revision) throw new IndexDiffers(row);
    return { ...event, position: row.position };
  });
};

/** Reads one stream from the first of these events to the last. */
const readStretch = async (
  store: Pick<EventStore, 'read'>,
  rows: readonly IndexRow[],
  found: Map<string, RecordedEvent>,
): Promise<void> => {
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) return;
  for await (const event of store.read(first.stream, first.revision)) {
    if (event.revision <= last.revision) found.set(event.id, event);
    if (event.revision >= last.revision) return;
  }
};
