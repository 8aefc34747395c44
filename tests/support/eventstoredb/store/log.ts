import { recordSize, type StoredEvent } from './event.ts';

/** A fresh store starts with the server's own records; its first event comes after them. */
const BEFORE_FIRST_EVENT = 548n;

/** The records in commit order. A position is the offset of a record in bytes, so positions have gaps. */
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
