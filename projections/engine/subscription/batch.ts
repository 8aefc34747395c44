import type { Batch, Position, RecordedEvent } from '../../../events/store/port.ts';

/** A part of the log that is applied in one transaction: all events after `after`, up to `position`. Never empty. */
export type Slice = {
  readonly after: Position;
  readonly events: readonly RecordedEvent[];
  /** position of the last event */
  readonly position: Position;
  readonly lastId: string;
};

/**
 * The maximum in memory and in one transaction, however much the store delivers at once: a thousand saves of one cell. With uploads of
 * marks this may be 100,000 rows, which a projection handles in batches.
 */
const MOST_EVENTS = 1000;
const MOST_CHARACTERS = 1024 * 1024;

/** Slices of a subscription's batch. */
export function* slicesOf(batch: Pick<Batch, 'events'>, after: Position): Generator<Slice> {
  const cutter = new Cutter(after);
  for (const event of batch.events) {
    const full = cutter.add(event);
    if (full) yield full;
  }
  const rest = cutter.rest();
  if (rest) yield rest;
}

/** Slices of the events of `readAll`. */
export async function* slicesIn(events: AsyncIterable<RecordedEvent>, after: Position): AsyncGenerator<Slice> {
  const cutter = new Cutter(after);
  for await (const event of events) {
    const full = cutter.add(event);
    if (full) yield full;
  }
  const rest = cutter.rest();
  if (rest) yield rest;
}

/** Divides events into slices, and drops repeated ones. */
class Cutter {
  #after: Position;
  #last: Position;
  #events: RecordedEvent[] = [];
  #characters = 0;

  constructor(after: Position) {
    this.#after = after;
    this.#last = after;
  }

  add(event: RecordedEvent): Slice | undefined {
    if (event.position <= this.#last) return undefined;
    this.#last = event.position;
    this.#events.push(event);
    this.#characters += event.data.length + event.metadata.length;
    return this.#events.length >= MOST_EVENTS || this.#characters >= MOST_CHARACTERS ? this.rest() : undefined;
  }

  rest(): Slice | undefined {
    const slice = sliceOf(this.#events, this.#after);
    if (slice) {
      this.#after = slice.position;
      this.#events = [];
      this.#characters = 0;
    }
    return slice;
  }
}

export const sliceOf = (events: readonly RecordedEvent[], after: Position): Slice | undefined => {
  const last = events.at(-1);
  return last && { after, events, position: last.position, lastId: last.id };
};

/** Both halves of a slice, to find the event that cannot be applied. Undefined if it has only one event. */
export const halves = ({ events, after }: Slice): readonly [Slice, Slice] | undefined => {
  const middle = Math.ceil(events.length / 2);
  const first = sliceOf(events.slice(0, middle), after);
  const second = first && sliceOf(events.slice(middle), first.position);
  return first && second && [first, second];
};
