import { memoryStore } from '../support/memory-store.ts';
import type { AppendResult, SubscriptionBatch, EventStore, NewEvent, Position, RecordedEvent } from '../../events/store/port.ts';

/** The log in memory, and what may go wrong with a log: it can be away, break off, and hand over again what it handed over before. */
export class TestLog implements EventStore {
  readonly tellsRepeats = true;
  #log = memoryStore();
  events: RecordedEvent[] = [];
  /** what readers of the log are told instead of events */
  away: Error | undefined;
  #repeating = false;

  async append(stream: string, events: readonly NewEvent[]): Promise<AppendResult> {
    const result = await this.#log.append(stream, events, 'any');
    for await (const event of this.#log.readAll(this.events.at(-1)?.position ?? 'start')) this.events.push(event);
    return result;
  }

  read(stream: string, from?: bigint): AsyncIterable<RecordedEvent> {
    return this.#log.read(stream, from);
  }

  async *readAll(after: Position | 'start'): AsyncIterable<RecordedEvent> {
    this.#checkHere();
    yield* this.#log.readAll(after);
  }

  async eventAt(position: Position): Promise<RecordedEvent | undefined> {
    this.#checkHere();
    return this.#log.eventAt(position);
  }

  async head(): Promise<Position> {
    this.#checkHere();
    return this.#log.head();
  }

  async *subscribe(after: Position | 'start', options: { signal: AbortSignal }): AsyncIterable<SubscriptionBatch> {
    this.#checkHere();
    for await (const batch of this.#log.subscribe(after, options)) {
      yield this.#repeating ? { ...batch, events: this.events.filter(({ position }) => position <= batch.position) } : batch;
      this.#repeating = false;
    }
  }

  /** Every subscription breaks off. */
  drop(): void {
    this.#log.faults.cut();
  }

  /** It holds what the other holds: as after a restore. */
  replaceBy(other: TestLog): void {
    const former = this.#log;
    this.#log = other.#log;
    this.events = other.events;
    former.faults.cut();
  }

  /** The next batch brings everything that came before once more. */
  repeat(): void {
    this.#repeating = true;
  }

  close(): Promise<void> {
    return this.#log.close();
  }

  #checkHere(): void {
    if (this.away) throw this.away;
  }
}
