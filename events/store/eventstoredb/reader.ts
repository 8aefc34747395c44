import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { StoreUnavailable } from '../port.ts';
import type { Filter, Position, RecordedEvent, StreamId } from '../port.ts';
import { batched } from '../../async/batcher.ts';
import { isUnknownPosition, unavailable } from './faults.ts';
import { faultOf, Silent } from './link.ts';
import type { Link, Links } from './link.ts';
import { semaphore } from '../../async/semaphore.ts';
import { arrivedIn, isAll, readAllBefore, readAllFrom, readStream } from './wire.ts';
import type { Arrived } from './wire.ts';

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
  const turn = semaphore(MOST_AT_ONCE, timeoutMs, () => new Silent(timeoutMs));

  /**
   * Passes events to `take` until the server has no more or `take` returns 'enough'.
   *
   * @param hasSome whether to keep what arrived before the time-out: otherwise a slow server would be asked for the same events again and
   *   again
   */
  const arrivals = (
    link: Link,
    request: ReadReq,
    take: (arrived: Arrived) => 'enough' | void,
    hasSome: () => boolean = () => false,
  ): Promise<Arrival> => {
    const { promise, resolve, reject } = Promise.withResolvers<Arrival>();
    let end: Arrival = 'maybe all';
    const call = link.client.read(request, timeoutMs * 2, {
      on(message) {
        if (isAll(message)) end = 'all';
        const arrived = arrivedIn(message);
        if (!arrived || take(arrived) !== 'enough') return;
        call.cancel();
        resolve('some');
      },
      ended: (error) => (error ? reject(error) : resolve(end)),
    });
    const timer = setTimeout(() => {
      call.cancel();
      if (hasSome()) return resolve('some');
      link.retire();
      reject(new Silent(timeoutMs));
    }, timeoutMs);
    return promise.finally(() => clearTimeout(timer));
  };

  /** Retries if the server was not the leader or the connection was lost: reading twice does no harm. */
  const reading = async <T>(work: (link: Link) => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt += 1) {
      const link = await links.get();
      try {
        return await turn(() => work(link));
      } catch (error) {
        const { kind } = faultOf(link, error);
        if (kind === 'deleted') throw new Error('the stream was deleted in EventStoreDB, which Marktrail never does', { cause: error });
        const isTransient =
          kind === 'not-leader' || kind === 'away' || (kind === 'broken' && !link.client.isConnected() && !(error instanceof Silent));
        if (!isTransient || attempt >= MOST_ATTEMPTS)
          throw error instanceof Silent ? silent(links, error) : unavailable(links.label, error);
      }
    }
  };

  /** Newest first. An interrupted read may also return nothing, so an empty answer is asked for again. */
  const before = async (position: Position | 'end', count: number): Promise<Arrived[]> => {
    const list = await lookBefore(position, count);
    return list.length > 0 ? list : await lookBefore(position, count);
  };
  const lookBefore = (position: Position | 'end', count: number): Promise<Arrived[]> =>
    reading(async (link) => {
      const list: Arrived[] = [];
      await arrivals(link, readAllBefore(position, count), (arrived) => void list.push(arrived));
      return list;
    });

  const tail = async (stream: StreamId, from: bigint): Promise<{ events: RecordedEvent[]; next: bigint; end: Arrival }> => {
    let missing: string | undefined;
    const answer = await reading(async (link) => {
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
      const end = await arrivals(link, readStream(stream, from, TAIL_EVENTS), take, () => next > from);
      return { events, next, end: seen === TAIL_EVENTS ? ('some' as const) : end };
    });
    if (missing !== undefined)
      throw new Error(`${stream} is missing its events ${missing}: it was truncated in EventStoreDB, which Marktrail never does`);
    return answer;
  };

  const page = (cursor: Position, filter?: Filter): Promise<Page> =>
    reading(async (link) => {
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
      const end = await arrivals(link, readAllFrom(cursor, PAGE_EVENTS), take, () => next > cursor).catch((error: unknown) => {
        if (!isUnknownPosition(error)) throw error;
        throw new StoreUnavailable(`${links.label} cannot be read from position ${cursor} on, which may be a position of another log`, {
          cause: error,
        });
      });
      return { events, reach, cursor: next, more: end === 'some' || seen === PAGE_EVENTS };
    });

  /** How far back the server's own events at the end of the log have been searched, so that each is read only once. */
  let searched: { readonly link?: Link; readonly to: Position; readonly head: Position } = { to: 0n, head: 0n };

  const head = batched(Infinity, async (asked: readonly null[]) => {
    const newest = await findHead();
    return asked.map(() => newest);
  });

  const findHead = async (): Promise<Position> => {
    const link = await links.get();
    // Another connection may lead to another log, such as a restored one.
    const known = searched.link === link ? searched : { to: 0n, head: 0n };
    let from: Position | 'end' = 'end';
    let end: Position | undefined;
    for (let count = 1; ; count = Math.min(count * 32, PAGE_EVENTS)) {
      const list: Arrived[] = await before(from, count);
      const [first] = list;
      const last = list.at(-1);
      end ??= first?.position ?? 0n;
      const own = list.find(({ isOwn, position }) => isOwn || position <= known.to);
      if (!own && last) {
        from = last.position;
        continue;
      }
      const newest = !own ? 0n : own.isOwn ? own.position : known.head;
      searched = { link, to: end, head: newest };
      return newest;
    }
  };

  const lookAt = (position: Position): Promise<RecordedEvent | undefined> =>
    reading(async (link) => {
      let found: RecordedEvent | undefined;
      await arrivals(link, readAllFrom(position, 1), (arrived) => {
        if (arrived.position === position && arrived.isOwn) found = arrived.recorded();
      }).catch((error: unknown) => {
        if (!isUnknownPosition(error)) throw error;
      });
      return found;
    });

  const underWay = new Map<string, Promise<Page>>();

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
        const end = await reading((link) => {
          events.length = 0;
          return arrivals(link, readStream(stream, from, count), (arrived) => void addTo(events, arrived));
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

    head: () => head(null),

    end: async () => (await before('end', 1))[0]?.position ?? 0n,
  };
};

/** How a read ended: not everything was read; everything, unless the server broke off; everything, confirmed by the server. */
type Arrival = 'some' | 'maybe all' | 'all';

/** Together with appends, the subscription and a first read this stays below the hundred calls that a connection carries. */
const MOST_AT_ONCE = 32;
const MOST_ATTEMPTS = 3;

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

const silent = ({ label }: Links, cause: Silent): StoreUnavailable => new StoreUnavailable(`${label} does not answer`, { cause });
