import { StoreUnavailable } from '../port.ts';
import type { Filter, Position, RecordedEvent, StreamId } from '../port.ts';
import { isUnknownPosition } from './faults.ts';
import type { Link, Links } from './link.ts';
import { MOST_ATTEMPTS, pageReader } from './pages.ts';
import type { Arrival, ReadPage } from './pages.ts';
import { readAllBefore, readAllFrom, readStream } from './wire.ts';
import type { Arrived } from './wire.ts';
import { batched } from '../../async/batcher.ts';

/**
 * Some events after a cursor. `reach`: position of our newest event in the page; all requested events up to there are in this page or an
 * earlier one; undefined if it has none of ours. `cursor`: where the next page continues, counting the server's own events too.
 */
export type Page = {
  readonly events: readonly RecordedEvent[];
  readonly reach: Position | undefined;
  readonly cursor: Position;
  readonly more: boolean;
};

export type Reader = {
  read(stream: StreamId, from: bigint): AsyncGenerator<RecordedEvent>;
  /** At most `count` events of the stream from the revision on, or its newest one. */
  some(stream: StreamId, from: bigint | 'newest', count: number): Promise<readonly RecordedEvent[]>;
  /** The log as it is now. */
  page(cursor: Position, filter?: Filter): Promise<Page>;
  /** The log as it is now or was a moment ago: subscribers that wake up at the same position share one answer. */
  sharedPage(cursor: Position, filter?: Filter): Promise<Page>;
  eventAt(position: Position): Promise<RecordedEvent | undefined>;
  /** Position of our newest event, 0n for an empty log. */
  head(): Promise<Position>;
  /** Position of the newest event, the server's own included. */
  end(): Promise<Position>;
};

/**
 * Reads in pages that are limited in events and bytes, each within the time-out, so that a log of any size needs little memory. Filters are
 * applied here, not by the server.
 */
export const logReader = (links: Links, timeoutMs: number): Reader => {
  const readPage = pageReader(links, timeoutMs);
  const underWay = new Map<string, Promise<Page>>();

  const tail = async (stream: StreamId, from: bigint): Promise<{ events: RecordedEvent[]; next: bigint; end: Arrival }> => {
    let missing: string | undefined;
    const answer = await readPage(async (arrivals) => {
      const events: RecordedEvent[] = [];
      let [next, seen, bytes] = [from, 0, 0];
      missing = undefined;
      const take = (arrived: Arrived) => {
        if (arrived.revision !== next) missing = `${next} to ${arrived.revision - 1n}`;
        if (missing !== undefined) return 'enough';
        seen += 1;
        next = arrived.revision + 1n;
        if (arrived.isOwn) bytes += addTo(events, arrived);
        return bytes < PAGE_BYTES ? undefined : 'enough';
      };
      const end = await arrivals(readStream(stream, from, TAIL_EVENTS), take, () => next > from);
      return { events, next, end: seen === TAIL_EVENTS ? ('some' as const) : end };
    });
    if (missing !== undefined)
      throw new Error(`${stream} is missing its events ${missing}: it was truncated in EventStoreDB, which Marktrail never does`);
    return answer;
  };

  const page = (cursor: Position, filter?: Filter): Promise<Page> =>
    readPage(async (arrivals) => {
      const events: RecordedEvent[] = [];
      let [reach, next, seen, bytes]: [Position | undefined, Position, number, number] = [undefined, cursor, 0, 0];
      const take = (arrived: Arrived) => {
        seen += 1;
        // The event at the cursor is included.
        if (arrived.position <= cursor) return undefined;
        next = arrived.position;
        if (!arrived.isOwn) return undefined;
        reach = arrived.position;
        if (isWanted(arrived, filter)) bytes += addTo(events, arrived);
        return bytes < PAGE_BYTES ? undefined : 'enough';
      };
      const end = await arrivals(readAllFrom(cursor, PAGE_EVENTS), take, () => next > cursor).catch((error: unknown) => {
        if (!isUnknownPosition(error)) throw error;
        throw new StoreUnavailable(`${links.label} cannot be read from position ${cursor} on, which may be a position of another log`, {
          cause: error,
        });
      });
      return { events, reach, cursor: next, more: end === 'some' || seen === PAGE_EVENTS };
    });

  const lookAt = (position: Position): Promise<RecordedEvent | undefined> =>
    readPage(async (arrivals) => {
      let found: RecordedEvent | undefined;
      await arrivals(readAllFrom(position, 1), (arrived) => {
        if (arrived.position === position && arrived.isOwn) found = arrived.recorded();
      }).catch((error: unknown) => {
        if (!isUnknownPosition(error)) throw error;
      });
      return found;
    });

  return {
    async *read(stream, from) {
      for (let next = from, wasMaybeAll = false; ;) {
        const { events, end, next: after } = await tail(stream, next);
        yield* events;
        // 'maybe all' is confirmed if the next read returns nothing.
        if (end === 'all' || (wasMaybeAll && end === 'maybe all' && after === next)) return;
        wasMaybeAll = end === 'maybe all';
        next = after;
      }
    },

    async some(stream, from, count) {
      for (let attempt = 1; ; attempt += 1) {
        const events: RecordedEvent[] = [];
        const end = await readPage((arrivals) => {
          events.length = 0;
          return arrivals(readStream(stream, from, count), (arrived) => void addTo(events, arrived));
        });
        if (end === 'all' || events.length === count || attempt === MOST_ATTEMPTS) return events;
      }
    },

    page,

    sharedPage(cursor, filter) {
      const key = JSON.stringify([String(cursor), filter?.streamPrefixes]);
      const shared = underWay.get(key) ?? page(cursor, filter).finally(() => underWay.delete(key));
      underWay.set(key, shared);
      return shared;
    },

    // Asked twice before concluding that this is another log.
    eventAt: async (position) => (position <= 0n ? undefined : ((await lookAt(position)) ?? (await lookAt(position)))),

    ...logEnd(links, readPage, PAGE_EVENTS),
  };
};

const PAGE_BYTES = 1024 * 1024;
const PAGE_EVENTS = 2000;
const TAIL_EVENTS = 500;

/** Returns the size of the event. */
const addTo = (events: RecordedEvent[], arrived: Arrived): number => {
  const event = arrived.recorded();
  events.push(event);
  return event.data.length + event.metadata.length;
};

const isWanted = ({ stream }: Arrived, filter: Filter | undefined): boolean =>
  !filter || filter.streamPrefixes.some((prefix) => stream.startsWith(prefix));

/** Where the log ends, with our own newest event (`head`) and with the server's (`end`). */
const logEnd = (links: Links, readPage: ReadPage, mostEvents: number) => {
  /** How far back the server's own events at the end of the log have been searched, so that each is read only once. */
  let searched: { readonly link?: Link; readonly to: Position; readonly head: Position } = { to: 0n, head: 0n };

  const lookBefore = (position: Position | 'end', count: number): Promise<Arrived[]> =>
    readPage(async (arrivals) => {
      const list: Arrived[] = [];
      await arrivals(readAllBefore(position, count), (arrived) => void list.push(arrived));
      return list;
    });
  /** Newest first. An interrupted read may also return nothing, so an empty answer is asked for again. */
  const before = async (position: Position | 'end', count: number): Promise<Arrived[]> => {
    const list = await lookBefore(position, count);
    return list.length > 0 ? list : await lookBefore(position, count);
  };

  const findHead = async (): Promise<Position> => {
    const link = await links.get();
    // Another connection may lead to another log, such as a restored one.
    const earlier = searched.link === link ? searched : { to: 0n, head: 0n };
    let from: Position | 'end' = 'end';
    let end: Position | undefined;
    for (let count = 1; ; count = Math.min(count * 32, mostEvents)) {
      const list: Arrived[] = await before(from, count);
      const [first] = list;
      const last = list.at(-1);
      end ??= first?.position ?? 0n;
      const ours = list.find(({ isOwn, position }) => isOwn || position <= earlier.to);
      if (!ours && last) {
        from = last.position;
        continue;
      }
      const newest = !ours ? 0n : ours.isOwn ? ours.position : earlier.head;
      searched = { link, to: end, head: newest };
      return newest;
    }
  };
  const head = batched(Infinity, async (requests: readonly null[]) => {
    const newest = await findHead();
    return requests.map(() => newest);
  });

  return {
    head: (): Promise<Position> => head(null),
    end: async (): Promise<Position> => (await before('end', 1))[0]?.position ?? 0n,
  };
};
