import type { EventStore, Position, RecordedEvent } from '../../../events/store/port.ts';
import type { Ask } from '../projection.ts';

/** Where a school's history was cut: its last event that counts. */
export type Cut = { readonly position: Position; readonly eventId: string; readonly at: string };

/** An event's place, as the index of a school's events has it. */
export type IndexRow = { readonly position: Position; readonly eventId: string; readonly stream: string; readonly revision: bigint };

/** Finds one school's events without reading everybody's. `ask` reads the read models. */
export type SchoolIndex = {
  /** name of the projection that keeps it */
  readonly name: string;
  /**
   * The last event in the order of the log whose `at` is not later than the moment. What stands before it belongs to it, whatever its own
   * clock said: so one clock that runs ahead hides nothing that came after, and what is seen is always a state that the log went through.
   */
  cut(ask: Ask, schoolId: string, moment: string): Promise<Cut | undefined>;
  /** The next events of the school after a position, at most up to another, in the order of the log. */
  page(ask: Ask, schoolId: string, after: Position, upTo: Position, most: number): Promise<IndexRow[]>;
};

/** The index names an event that the log does not hold there: it belongs to another log, or is being rebuilt. */
export class IndexDiffers extends Error {
  override readonly name = 'IndexDiffers';
  constructor({ eventId, stream, revision }: IndexRow) {
    super(`the index says that ${eventId} is ${stream}, revision ${revision}, and the log does not`);
  }
}

/** A school's events in the order of the log, up to a position. While a page of them is worked on, the next is on its way. */
export async function* schoolEvents(
  store: Pick<EventStore, 'read'>,
  index: SchoolIndex,
  ask: Ask,
  schoolId: string,
  upTo: Position,
): AsyncGenerator<RecordedEvent> {
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
    // Awaited above, unless whoever reads has had enough by then.
    coming.catch(() => undefined);
    yield* page;
  }
}

/** Uploads of a year group are 125 kB each: two pages of nothing else are some 60 MB. */
const PAGE = 256;
/** Streams that are read at a time. */
const SIDE_BY_SIDE = 32;

/** Stream by stream, because that is what every log can do, and then in the order of the page. */
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

/** From the first of these events of one stream to the last. */
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
