import type { EventStore, Position, RecordedEvent, SubscriptionBatch } from '../../../events/store/port.ts';
import { START } from '../building/checkpoint.ts';

/** A part of the log that is applied in one transaction: all events after `after`, up to `position`. Never empty. */
export type Batch = {
  readonly after: Position;
  readonly events: readonly RecordedEvent[];
  /** position of the last event */
  readonly position: Position;
  readonly lastId: string;
};

/**
 * The maximum in memory and in one transaction, however much the store delivers at once. Saves of one cell; while a build catches up two
 * batches are decoded at a time.
 */
const MOST_EVENTS = 2000;
/**
 * Of data: with uploads of marks this may be 100,000 rows, which a projection handles in chunks. What events say about themselves is short.
 */
const MOST_CHARACTERS = 1024 * 1024;

/** Divides what a subscription delivers at once. */
export function* batchesOf(received: Pick<SubscriptionBatch, 'events'>, after: Position): Generator<Batch> {
  const splitter = new BatchSplitter(after);
  for (const event of received.events) {
    const full = splitter.add(event);
    if (full) yield full;
  }
  const rest = splitter.rest();
  if (rest) yield rest;
}

/**
 * What the log holds after a position, in the pages in which it is read: event by event, each would pass through three generators, which
 * wait for it.
 */
export async function* pagesAfter(store: Pick<EventStore, 'subscribe'>, after: Position): AsyncGenerator<readonly RecordedEvent[]> {
  const { signal } = new AbortController();
  for await (const { events, live } of store.subscribe(after === START ? 'start' : after, { signal })) {
    yield events;
    if (live) return;
  }
}

/** Divides the events of pages. */
export async function* batchesIn(pages: AsyncIterable<readonly RecordedEvent[]>, after: Position): AsyncGenerator<Batch> {
  const splitter = new BatchSplitter(after);
  for await (const page of pages) {
    for (const event of page) {
      const full = splitter.add(event);
      if (full) yield full;
    }
  }
  const rest = splitter.rest();
  if (rest) yield rest;
}

/** Divides events into batches, and drops repeated ones. */
class BatchSplitter {
  #after: Position;
  #last: Position;
  #events: RecordedEvent[] = [];
  #characters = 0;

  constructor(after: Position) {
    this.#after = after;
    this.#last = after;
  }

  add(event: RecordedEvent): Batch | undefined {
    if (event.position <= this.#last) return undefined;
    this.#last = event.position;
    this.#events.push(event);
    this.#characters += event.data.length;
    return this.#events.length >= MOST_EVENTS || this.#characters >= MOST_CHARACTERS ? this.rest() : undefined;
  }

  rest(): Batch | undefined {
    const batch = batchOf(this.#events, this.#after);
    if (batch) {
      this.#after = batch.position;
      this.#events = [];
      this.#characters = 0;
    }
    return batch;
  }
}

export const batchOf = (events: readonly RecordedEvent[], after: Position): Batch | undefined => {
  const last = events.at(-1);
  return last && { after, events, position: last.position, lastId: last.id };
};

/** Both halves of a batch, to find the event that cannot be applied. Undefined if it has only one event. */
export const halves = ({ events, after }: Batch): readonly [Batch, Batch] | undefined => {
  const middle = Math.ceil(events.length / 2);
  const first = batchOf(events.slice(0, middle), after);
  const second = first && batchOf(events.slice(middle), first.position);
  return first && second && [first, second];
};
