import { checkAppend } from '../../events/store/check-append.ts';
import { EventIdTaken, OutcomeUnknown, StoreUnavailable, WrongExpectedRevision } from '../../events/store/port.ts';
import type {
  AppendResult,
  EventStore,
  ExpectedRevision,
  Filter,
  NewEvent,
  Position,
  RecordedEvent,
  StreamId,
} from '../../events/store/port.ts';

export type MemoryStore = EventStore & { readonly faults: MemoryFaults };

/** Faults of a remote store, for tests of its users. */
export type MemoryFaults = {
  /** Every subscription loses its connection. */
  cut(): void;
  /** Until the returned function is called, appends are written and their answers get lost: OutcomeUnknown. */
  silence(): () => void;
};

/** An in-memory event store, for tests. */
export const memoryStore = (): MemoryStore => {
  const log: RecordedEvent[] = [];
  const streams = new Map<StreamId, RecordedEvent[]>();
  const byId = new Map<string, RecordedEvent>();
  const waiters = new Set<() => void>();
  let cuts = 0;
  let silent = false;
  let closed = false;

  const checkOpen = () => {
    if (closed) throw new StoreUnavailable('the event store is closed');
  };

  const head = (): Position => log.at(-1)?.position ?? 0n;

  const append = (stream: StreamId, events: readonly NewEvent[], expected: ExpectedRevision): AppendResult => {
    checkAppend(stream, events);
    for (const { data, metadata } of events) for (const json of [data, metadata]) void JSON.parse(json);

    const repeated = events.map(({ id }) => byId.get(id)).filter((event) => event !== undefined);
    if (repeated.length > 0) return answerAgain(stream, events, expected, repeated);

    const existing = streams.get(stream) ?? [];
    const actual = existing.at(-1)?.revision ?? 'none';
    if (expected !== 'any' && expected !== actual) throw new WrongExpectedRevision(stream, expected, actual);

    for (const { id, type, data, metadata } of events) {
      const event = { id, type, data, metadata, stream, revision: BigInt(existing.length), position: head() + 1n };
      log.push(event);
      existing.push(event);
      byId.set(id, event);
    }
    streams.set(stream, existing);
    wakeAll();
    return resultOf(existing);
  };

  const after = (position: Position, filter?: Filter): RecordedEvent[] =>
    log.slice(Number(position)).filter((event) => !filter || filter.streamPrefixes.some((prefix) => event.stream.startsWith(prefix)));

  /** Waits until something is appended, the signal aborts, or a connection is cut. */
  const untilWoken = (signal: AbortSignal): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = () => resolve();
    waiters.add(wake);
    signal.addEventListener('abort', wake, { once: true });
    return promise.finally(() => {
      waiters.delete(wake);
      signal.removeEventListener('abort', wake);
    });
  };

  const wakeAll = () => {
    for (const wake of waiters) wake();
  };

  const cut = () => {
    cuts += 1;
    wakeAll();
  };

  return {
    tellsRepeats: true,

    async append(stream, events, expected) {
      checkOpen();
      const result = append(stream, events, expected);
      if (silent) throw new OutcomeUnknown('the answer got lost');
      return result;
    },

    async *read(stream, from = 0n) {
      checkOpen();
      yield* (streams.get(stream) ?? []).slice(Number(from));
    },

    async *readAll(position, filter) {
      checkOpen();
      yield* after(position === 'start' ? 0n : position, filter);
    },

    async eventAt(position) {
      checkOpen();
      return log[Number(position) - 1];
    },

    async head() {
      checkOpen();
      return head();
    },

    async *subscribe(start, { filter, signal }) {
      let position = start === 'start' ? 0n : start;
      const connectedAt = cuts;
      for (let first = true; !signal.aborted; first = false) {
        checkOpen();
        if (cuts > connectedAt) throw new StoreUnavailable('the connection was cut');
        const events = after(position, filter);
        const news = first || head() > position;
        if (head() > position) position = head();
        if (news) yield { events, position, live: true };
        if (head() <= position && cuts === connectedAt && !signal.aborted) await untilWoken(signal);
      }
    },

    async close() {
      closed = true;
      cut();
    },

    faults: {
      cut,
      silence() {
        silent = true;
        return () => {
          silent = false;
        };
      },
    },
  };
};

/** The append holds ids that are already in the log: accepted only if it is the same append again. */
const answerAgain = (
  stream: StreamId,
  events: readonly NewEvent[],
  expected: ExpectedRevision,
  repeated: readonly RecordedEvent[],
): AppendResult => {
  const first = expected === 'none' ? 0n : expected === 'any' ? (repeated[0]?.revision ?? 0n) : expected + 1n;
  const same =
    repeated.length === events.length && repeated.every((event, n) => event.stream === stream && event.revision === first + BigInt(n));
  if (!same) throw new EventIdTaken(stream);
  return { ...resultOf(repeated), repeated: true };
};

const resultOf = (events: readonly RecordedEvent[]): AppendResult => {
  const last = events.at(-1);
  if (!last) throw new RangeError('no events');
  return { revision: last.revision, position: last.position };
};
