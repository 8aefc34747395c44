import { checkAppend } from './check-append.ts';
import { parseAddress } from './eventstoredb/address.ts';
import { linksTo } from './eventstoredb/link.ts';
import { logReader, type Page, type Reader } from './eventstoredb/reader.ts';
import { watchLog } from './eventstoredb/watch.ts';
import { isReserved } from './eventstoredb/wire.ts';
import { logWriter } from './eventstoredb/writer.ts';
import { StoreUnavailable, type EventStore, type NewEvent, type Position, type StreamId } from './port.ts';

export { EventStoreStarting } from './eventstoredb/faults.ts';

export type EventStoreDbOptions = {
  /** `esdb://..`, `esdb+discover://..` or `unix:/path`: see address.ts */
  readonly url: string;
  /** How long an answer may take before an append ends in OutcomeUnknown and a read in StoreUnavailable. */
  readonly timeoutMs?: number;
  /** How often waiting subscribers poll, in case the subscription missed something. */
  readonly pollMs?: number;
  /** Compares the log of each new connection before anything else is done with it. @throws WrongLog */
  readonly recognise?: (log: Pick<EventStore, 'read' | 'eventAt' | 'head'>) => Promise<unknown>;
};

/**
 * The event log in a dedicated EventStoreDB (22.10 or newer). Connects when first needed, and again after a lost connection.
 *
 * A position is the commit position. The server's own events (`$..`) are skipped. Unlike the other adapters, this one does not notice an id
 * that is already elsewhere in the log (see `append` in port.ts).
 *
 * @throws WrongAddress
 */
export const eventStoreDbStore = ({
  url,
  timeoutMs = 10_000,
  pollMs = 500,
  recognise = async () => undefined,
}: EventStoreDbOptions): EventStore => {
  const address = parseAddress(url);
  const links = linksTo(address, timeoutMs, (link) => {
    const rawReader = logReader({ label: address.label, get: async () => link, close: () => undefined }, timeoutMs);
    return recognise({ ...rawReader, read: (stream, from = 0n) => rawReader.read(stream, from) });
  });
  const reader = logReader(links, timeoutMs);
  const watch = watchLog(links, reader.end, timeoutMs, pollMs);
  const writer = logWriter(links, reader, timeoutMs, watch.announce);

  return {
    tellsRepeats: false,

    async append(stream, events, expected) {
      checkAppend(stream, events);
      checkTexts(stream, events);
      return await writer.append(stream, events, expected);
    },

    read: (stream, from = 0n) => reader.read(stream, from),

    async *readAll(after, filter) {
      const isAtEnd = ending(reader);
      for (let cursor = after === 'start' ? 0n : after; ;) {
        const page = await reader.page(cursor, filter);
        yield* page.events;
        if (await isAtEnd(cursor, page)) return;
        cursor = page.cursor;
      }
    },

    eventAt: reader.eventAt,

    head: reader.head,

    async *subscribe(after, { filter, signal }) {
      let position = after === 'start' ? 0n : after;
      let cursor = position;
      const isAtEnd = ending(reader);
      for (let live: boolean | undefined; !signal.aborted;) {
        const page = await reader.sharedPage(cursor, filter);
        const caughtUp = await isAtEnd(cursor, page);
        if (signal.aborted) return;
        const { reach = position } = page;
        const news = reach > position || live !== caughtUp;
        const inVain = page.cursor === cursor;
        position = reach;
        cursor = page.cursor;
        live = caughtUp;
        if (news) yield { events: page.events, position, live };
        if (live) await watch.beyond(cursor, signal, inVain);
      }
    },

    async close() {
      watch.close();
      await writer.close();
      links.close();
    },
  };
};

/**
 * Whether a read has reached the end of the log. A read that the server breaks off looks the same, so the first page that seems to be the
 * last is compared with the position of the newest event.
 */
const ending = (reader: Reader): ((cursor: Position, page: Page) => Promise<boolean>) => {
  let end: Position | undefined;
  let inVain = 0;
  return async (cursor, page) => {
    if (page.more) return false;
    end ??= await reader.end();
    if (page.cursor >= end) return true;
    inVain = page.cursor === cursor ? inVain + 1 : 0;
    if (inVain === MOST_IN_VAIN)
      throw new StoreUnavailable(`the event store ends reads at position ${cursor}, although its events continue to ${end}`);
    return false;
  };
};
const MOST_IN_VAIN = 3;

/** Checks that are needed here because the server accepts any bytes. */
const checkTexts = (stream: StreamId, events: readonly NewEvent[]): void => {
  for (const { type, data, metadata } of events) {
    if (isReserved(stream) || isReserved(type))
      throw new RangeError(`names that begin with $ are reserved by EventStoreDB: ${stream}, ${type}`);
    for (const json of [data, metadata]) void JSON.parse(json);
  }
};
