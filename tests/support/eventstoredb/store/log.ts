import { recordSize, type StoredEvent } from './event.ts';

/** A fresh store begins with what the server notes for itself; its first event lies behind that. */
const BEFORE_FIRST_EVENT = 548n;

/** The records in the order of their commits. A position is where a record begins, so that there are gaps of the records' sizes. */
export class Log {
  readonly events: StoredEvent[] = [];
  readonly #bare = new Set<bigint>();
  #end = BEFORE_FIRST_EVENT;

  add(event: Omit<StoredEvent, 'position'>): StoredEvent {
    const stored = { ...event, position: this.#end };
    this.events.push(stored);
    this.#end += recordSize(event.stream, event);
    return stored;
  }

  /** A record without an event: an empty append, or a note of the server itself. */
  addBare(size: bigint): bigint {
    const position = this.#end;
    this.#bare.add(position);
    this.#end += size;
    return position;
  }

  /** The position of the next record. */
  get end(): bigint {
    return this.#end;
  }

  /** Index of the first event at or after the position. */
  indexAt(position: bigint): number {
    let low = 0;
    let high = this.events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.events[middle]?.position ?? 0n) < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  isPastEnd(position: bigint): boolean {
    return position >= this.#end;
  }

  isRecord(position: bigint): boolean {
    return this.#bare.has(position) || this.events[this.indexAt(position)]?.position === position;
  }
}
