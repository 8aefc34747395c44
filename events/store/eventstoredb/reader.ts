import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { StoreUnavailable } from '../port.ts';
import type { Filter, Position, RecordedEvent, StreamId } from '../port.ts';
import { together } from '../together.ts';
import { isNoPlace, unavailable } from './faults.ts';
import { judged, Silent } from './link.ts';
import type { Link, Links } from './link.ts';
import { turns } from './turns.ts';
import { arrivedIn, isAll, readAllBefore, readAllFrom, readStream } from './wire.ts';
import type { Arrived } from './wire.ts';

/**
 * Some events after a cursor. `reach`: position of the newest event of ours up to which all wanted ones are in this page or an earlier one;
 * undefined where there was none. `cursor`: where the next page goes on; it passes the server's own events too.
 */
export type Page = {
  readonly events: readonly RecordedEvent[];
  readonly reach: Position | undefined;
  readonly cursor: Position;
  readonly more: boolean;
};

export type Reader = {
  read(stream: StreamId, from: bigint): AsyncGenerator<RecordedEvent>;
  /** At most so many events of the stream from the revision on, or its newest one. */
  some(stream: StreamId, from: bigint | 'newest', count: number): Promise<readonly RecordedEvent[]>;
  /** As the log is now. */
  page(cursor: Position, filter?: Filter): Promise<Page>;
  /** As the log is now or was a moment ago: subscribers that wake at the same place share one answer. */
  sharedPage(cursor: Position, filter?: Filter): Promise<Page>;
  eventAt(position: Position): Promise<RecordedEvent | undefined>;
  /** Of the newest event of ours, 0n for an empty log. */
  head(): Promise<Position>;
  /** Of the newest event at all. */
  end(): Promise<Position>;
};

/**
 * Reads in pages, bounded in events and bytes, each within the time-out: a log of any size passes through little memory, and nobody waits
 * for ever. What is filtered, is filtered here.
 */
export const logReader = (links: Links, timeoutMs: number): Reader => {
  const turn = turns(MOST_AT_ONCE, timeoutMs);

  /**
   * Hands over what arrives, until the server has no more or `take` answers that it is enough.
   *
   * @param hasSome whether what arrived until the time was over is worth keeping: thrown away, a server that is slow, not silent, would be
   *   asked for the same again and again
   */
  const arrivals = (
    link: Link,
    request: ReadReq,
    take: (arrived: Arrived) => 'enough' | void,
    hasSome: () => boolean = () => false,
  ): Promise<Arrival> => {
    const { promise, resolve, reject } = Promise.withResolvers<Arrival>();
    let end: Arrival = 'seems all';
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

  /** Once more where the server did not lead or the connection was lost: reading twice does no harm. */
  const reading = async <T>(work: (link: Link) => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt += 1) {
      const link = await links.get();
      try {
        return await turn(() => work(link));
      } catch (error) {
        const { kind } = judged(link, error);
        if (kind === 'deleted') throw new Error('the stream was deleted in EventStoreDB, which Marktrail never does', { cause: error });
        const goesOn =
          kind === 'not-leader' || kind === 'away' || (kind === 'broken' && !link.client.isConnected() && !(error instanceof Silent));
        if (!goesOn || attempt >= MOST_ATTEMPTS) throw error instanceof Silent ? silent(links, error) : unavailable(links.label, error);
      }
    }
  };

  /** Newest first. Nothing at all is answered by a server that breaks off, too: it is asked again. */
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
      throw new Error(`${stream} lacks its events ${missing}: it was cut in EventStoreDB, which Marktrail never does`);
    return answer;
  };

  const page = (cursor: Position, filter?: Filter): Promise<Page> =>
    reading(async (link) => {
      const events: RecordedEvent[] = [];
      let [reach, next, seen, bytes]: [Position | undefined, Position, number, number] = [undefined, cursor, 0, 0];
      const take = (arrived: Arrived) => {
        seen += 1;
        // The one that stands at the cursor comes along.
        if (arrived.position <= cursor) return undefined;
        next = arrived.position;
        if (!arrived.isOwn) return undefined;
        reach = arrived.position;
        if (isWanted(arrived, filter)) bytes += addTo(events, arrived);
        return bytes < PAGE_BYTES ? undefined : 'enough';
      };
      const end = await arrivals(link, readAllFrom(cursor, PAGE_EVENTS), take, () => next > cursor).catch((error: unknown) => {
        if (!isNoPlace(error)) throw error;
        throw new StoreUnavailable(`${links.label} cannot be read from position ${cursor} on: perhaps it is one of another log`, {
          cause: error,
        });
      });
      return { events, reach, cursor: next, more: end === 'some' || seen === PAGE_EVENTS };
    });

  /** The server's own events at the end of the log are looked through once. */
  let searched: { readonly link?: Link; readonly to: Position; readonly head: Position } = { to: 0n, head: 0n };

  const head = together(Infinity, async (asked: readonly null[]) => {
    const newest = await findHead();
    return asked.map(() => newest);
  });

  const findHead = async (): Promise<Position> => {
    const link = await links.get();
    // Over another connection it may be another log: one that was restored, say.
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
        if (!isNoPlace(error)) throw error;
      });
      return found;
    });

  const underWay = new Map<string, Promise<Page>>();

  return {
    async *read(stream, from) {
      for (let next = from, seemed = false; ;) {
        const { events, end, next: after } = await tail(stream, next);
        yield* events;
        // Where it only seems to be all, it is when nothing comes behind it.
        if (end === 'all' || (seemed && end === 'seems all' && after === next)) return;
        seemed = end === 'seems all';
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

    // Twice, before anybody concludes that the log is another one.
    eventAt: async (position) => (position <= 0n ? undefined : ((await lookAt(position)) ?? (await lookAt(position)))),

    head: () => head(null),

    end: async () => (await before('end', 1))[0]?.position ?? 0n,
  };
};

/** What came of a reading: not all that was asked for; all, as far as one can see; all, and the server says so. */
type Arrival = 'some' | 'seems all' | 'all';

/** With the appends, the bell and a greeting: below the hundred that a connection carries. */
const MOST_AT_ONCE = 32;
const MOST_ATTEMPTS = 3;

const PAGE_BYTES = 1024 * 1024;
const PAGE_EVENTS = 2000;
const TAIL_EVENTS = 500;

/** Answers its size. */
const addTo = (events: RecordedEvent[], arrived: Arrived): number => {
  const event = arrived.recorded();
  events.push(event);
  return event.data.length + event.metadata.length;
};

const isWanted = ({ stream }: Arrived, filter: Filter | undefined): boolean =>
  !filter || filter.streamPrefixes.some((prefix) => stream.startsWith(prefix));

const silent = ({ label }: Links, cause: Silent): StoreUnavailable => new StoreUnavailable(`${label} does not answer`, { cause });
