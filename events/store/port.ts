/**
 * The event store: an append-only log of streams, read by stream or as one sequence in commit order.
 * Every adapter keeps the promises below; `tests/store/event-store.ts` holds them to it.
 *
 * The store deals in text: an event's data and metadata are JSON that the codec made, and come back byte for byte.
 */
import { UUID_TEXT } from '../uuid.ts';

/** `{category}-{schoolId}` or `{category}-{schoolId}.{id}`, so that a school is a set of prefixes. */
export type StreamId = string;

/** Where an event lies in the commit order of this log. Belongs to the adapter: never write one into an event, a report or a link. */
export type Position = bigint;

export type NewEvent = {
  /** uuid, lower case; unique in the log */
  readonly id: string;
  readonly type: string;
  /** JSON text */
  readonly data: string;
  /** JSON text */
  readonly metadata: string;
};

/** An event in its stream: all that stays the same when a log is copied. */
export type StreamEvent = NewEvent & {
  readonly stream: StreamId;
  /** 0 for the first event of a stream, then without a gap */
  readonly revision: bigint;
};

export type RecordedEvent = StreamEvent & { readonly position: Position };

export type ExpectedRevision = bigint | 'none' | 'any';

/** Of the last event that the append wrote, or that it had written before if it was repeated. */
export type AppendResult = {
  readonly revision: bigint;
  readonly position: Position;
  /** The events were already in the log, and nothing was written. Only set by a store that `tellsRepeats`. */
  readonly repeated?: true;
};

/** Streams whose name starts with one of the prefixes. */
export type Filter = { readonly streamPrefixes: readonly string[] };

/**
 * What a subscription delivers at once. `position` is a checkpoint: every event up to it is in this batch or an earlier one
 * (it may lie beyond the last event if a filter skipped others). `live`: the subscription has caught up with the head.
 * A batch may be empty when only the checkpoint or `live` changed.
 */
export type SubscriptionBatch = { readonly events: readonly RecordedEvent[]; readonly position: Position; readonly live: boolean };

export interface EventStore {
  /** Whether an append reports that it was a repeat. If not, the caller must check afterwards that the events in the log are its own. */
  readonly tellsRepeats: boolean;

  /**
   * Appends all events or none. The same ids with the same `expected` again answer the first result and write nothing,
   * whatever has happened to the stream since; that is looked up before the revision is checked.
   *
   * If an id is elsewhere in the log (in another stream, or at another revision), memory and PostgreSQL refuse it with EventIdTaken.
   * EventStoreDB does not notice and writes it.
   *
   * `any` is for tests and tools only: no command appends with it.
   *
   * @throws WrongExpectedRevision, EventIdTaken, AppendTooLarge, StoreUnavailable (nothing was written), OutcomeUnknown (retry with the
   *   same ids)
   */
  append(stream: StreamId, events: readonly NewEvent[], expected: ExpectedRevision): Promise<AppendResult>;

  /** The stream's events from revision `from` on (default 0), in order. A missing stream is an empty stream. */
  read(stream: StreamId, from?: bigint): AsyncIterable<RecordedEvent>;

  /** All events after the position, in commit order; ends at the head as it was when reading got there. */
  readAll(after: Position | 'start', filter?: Filter): AsyncIterable<RecordedEvent>;

  /**
   * The event at exactly this position; undefined if there is none, for example beyond the end or in a log that was copied or restored.
   * Shows whether a checkpoint belongs to this log.
   */
  eventAt(position: Position): Promise<RecordedEvent | undefined>;

  /** Position of the newest event, 0n for an empty log. */
  head(): Promise<Position>;

  /**
   * Events after the position, then new ones as they are committed, until the signal aborts (then it ends quietly).
   * Never swallows a drop: it throws StoreUnavailable, and the caller subscribes again from its last handled position.
   */
  subscribe(after: Position | 'start', options: { filter?: Filter; signal: AbortSignal }): AsyncIterable<SubscriptionBatch>;

  close(): Promise<void>;
}

/** Bytes of event data (UTF-8) that one append may carry: EventStoreDB's limit, kept by every adapter. */
export const MAX_APPEND_BYTES = 1024 * 1024;

export class WrongExpectedRevision extends Error {
  override readonly name = 'WrongExpectedRevision';
  readonly stream: StreamId;
  readonly expected: ExpectedRevision;
  /** 'none': the stream does not exist */
  readonly actual: bigint | 'none';
  constructor(stream: StreamId, expected: ExpectedRevision, actual: bigint | 'none') {
    super(`${stream} is at revision ${actual}, not ${expected}`);
    this.stream = stream;
    this.expected = expected;
    this.actual = actual;
  }
}

/** One of the ids is already in the log, in another stream or not as part of this same append. */
export class EventIdTaken extends Error {
  override readonly name = 'EventIdTaken';
  constructor(stream: StreamId) {
    super(`an event id of this append to ${stream} is already taken`);
  }
}

export class AppendTooLarge extends Error {
  override readonly name = 'AppendTooLarge';
  /** What an append may weigh there: MAX_APPEND_BYTES, or less where a server was set so. */
  readonly limit: number;
  constructor(stream: StreamId, bytes: number, limit = MAX_APPEND_BYTES) {
    super(`an append of ${bytes} bytes to ${stream} is above the limit of ${limit}`);
    this.limit = limit;
  }
}

/** The store cannot be reached; nothing was written. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

/** There is no log where it should be: its tables are gone. */
export class LogMissing extends StoreUnavailable {
  constructor(options?: ErrorOptions) {
    super('the event log is not there', options);
  }
}

/**
 * The log is there, but it is not the one that belongs here, so it is neither read nor written. The message tells the operator what was
 * expected, what is there and what to do, without names of servers.
 */
export class WrongLog extends StoreUnavailable {}

/** The append may or may not have been written: repeat it with the same ids and the same expected revision. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';
}

/** The school in a stream's name; NO_SCHOOL for any other stream, which no command writes. */
export const schoolOf = (stream: StreamId): string => {
  if (!WITH_SCHOOL.test(stream)) return NO_SCHOOL;
  const from = stream.indexOf('-') + 1;
  return stream.slice(from, from + NO_SCHOOL.length);
};

export const NO_SCHOOL = '00000000-0000-0000-0000-000000000000';

const WITH_SCHOOL = new RegExp(`^[a-z]+-${UUID_TEXT}(?:\\.|$)`);
