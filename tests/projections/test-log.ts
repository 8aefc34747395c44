import { StoreUnavailable, type AppendResult, type Batch, type EventStore, type NewEvent, type Position, type RecordedEvent } from '../../events/store/port.ts';

/**
 * A log in memory whose subscriptions can be made to fail: to break off, and to hand over again what was handed over before. Positions have
 * gaps, as in a real one.
 */
export class TestLog implements EventStore {
  readonly events: RecordedEvent[] = [];
  #subscriptions = new Set<Subscription>();
  /** what readers of the log are told instead of events */
  away: Error | undefined;

  async append(stream: string, events: readonly NewEvent[]): Promise<AppendResult> {
    const recorded = events.map((event, i): RecordedEvent => {
      const before = this.events.filter((other) => other.stream === stream).length;
      return { ...event, stream, revision: BigInt(before + i), position: BigInt((this.events.length + i + 1) * 10) };
    });
    this.events.push(...recorded);
    for (const subscription of this.#subscriptions) subscription.hand(recorded);
    return { revision: recorded.at(-1)?.revision ?? 0n, position: recorded.at(-1)?.position ?? 0n };
  }

  async *read(stream: string, from = 0n): AsyncIterable<RecordedEvent> {
    yield* this.events.filter((event) => event.stream === stream && event.revision >= from);
  }

  async *readAll(after: Position | 'start'): AsyncIterable<RecordedEvent> {
    if (this.away) throw this.away;
    yield* this.#after(after);
  }

  async head(): Promise<Position> {
    if (this.away) throw this.away;
    return this.events.at(-1)?.position ?? 0n;
  }

  async *subscribe(after: Position | 'start', { signal }: { signal: AbortSignal }): AsyncIterable<Batch> {
    if (this.away) throw this.away;
    if (signal.aborted) return;
    const subscription = new Subscription(this.#after(after));
    const end = (): void => subscription.end();
    signal.addEventListener('abort', end);
    this.#subscriptions.add(subscription);
    try {
      yield* subscription.batches();
    } finally {
      this.#subscriptions.delete(subscription);
      signal.removeEventListener('abort', end);
    }
  }

  /** Every subscription breaks off. */
  drop(): void {
    for (const subscription of this.#subscriptions) subscription.end(new StoreUnavailable('the line was cut'));
  }

  /** Every subscription is handed the whole log once more. */
  repeat(): void {
    for (const subscription of this.#subscriptions) subscription.hand(this.events);
  }

  async close(): Promise<void> {}

  #after(after: Position | 'start'): RecordedEvent[] {
    return this.events.filter(({ position }) => after === 'start' || position > after);
  }
}

class Subscription {
  #waiting: RecordedEvent[];
  #wake: (() => void) | undefined;
  #ended = false;
  #error: Error | undefined;

  constructor(events: RecordedEvent[]) {
    this.#waiting = events;
  }

  hand(events: readonly RecordedEvent[]): void {
    this.#waiting.push(...events);
    this.#wake?.();
  }

  end(error?: Error): void {
    this.#ended = true;
    this.#error = error;
    this.#wake?.();
  }

  async *batches(): AsyncGenerator<Batch> {
    for (;;) {
      if (this.#error) throw this.#error;
      if (this.#ended) return;
      const events = this.#waiting;
      this.#waiting = [];
      yield { events, position: events.at(-1)?.position ?? 0n, live: true };
      if (this.#waiting.length === 0 && !this.#ended) await new Promise<void>((resolve) => { this.#wake = resolve; });
    }
  }
}
