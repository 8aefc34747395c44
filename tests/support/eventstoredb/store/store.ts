import { randomUUID } from 'node:crypto';
import { END_OF_STREAM, recordSize, ticks, type ProposedEvent, type StoredEvent } from './event.ts';
import { Log } from './log.ts';

export type Expected = bigint | 'no_stream' | 'any' | 'stream_exists';

export type Appended =
  /** `end`: the append is committed once this many events are. `recognised`: a repeat, nothing was written. */
  | { kind: 'appended'; revision: bigint | 'no_stream'; position: bigint; end: number; recognised: boolean }
  | { kind: 'wrong'; actual: bigint | 'no_stream' }
  | { kind: 'deleted' };

/** One write to the journal; everything else follows from the order of entries. */
export type Entry =
  | { kind: 'events'; stream: string; events: readonly ProposedEvent[]; created: bigint }
  | { kind: 'tombstone'; stream: string; created: bigint; id: string }
  | { kind: 'bare'; size: bigint };

type Stream = {
  /** indexes into the log, by revision */
  readonly events: number[];
  tombstone?: number;
};

/** Settings of a stream, from its metadata stream `$$name`. */
type Settings = { $tb?: bigint; $maxCount?: number };

/**
 * Streams, expected revisions and repeated appends like EventStoreDB 23.10, without time-outs or connections. An append is visible to the
 * store at once, and to readers once the owner has committed it.
 */
export class Store {
  readonly log = new Log();
  readonly #streams = new Map<string, Stream>();
  readonly #settings = new Map<string, Settings>();
  /** Where each event id was written last; lost at every restart, as on the server. */
  readonly #ids = new Map<string, number>();
  readonly #journal: (entry: Entry) => void;

  /** @param journal receives each entry, in order, before anything else happens */
  constructor(journal: (entry: Entry) => void = () => undefined) {
    this.#journal = journal;
  }

  /** First start on an empty directory. */
  begin(): void {
    const data = '{"$maxAge":2592000,"$acl":{"$r":"$ops","$w":[],"$d":[],"$mr":[],"$mw":[]}}';
    this.#write({ kind: 'events', stream: '$$$scavenges', events: [metadataEvent(data)], created: ticks() });
  }

  /** Start on existing data: forgets the event ids and uses a little of the log, like a true server. */
  resume(): void {
    this.#ids.clear();
    this.#write({ kind: 'bare', size: 278n });
  }

  append(name: string, events: readonly ProposedEvent[], expected: Expected): Appended {
    const known = this.#check(name, events, expected);
    if (known === 'wrong') return { kind: 'wrong', actual: this.lastRevision(name) };
    if (known === 'deleted') return { kind: 'deleted' };
    if (known !== 'new') {
      return { kind: 'appended', revision: known.revision, position: known.position, end: this.#indexOf(known) + 1, recognised: true };
    }

    if (events.length === 0) {
      const position = this.#write({ kind: 'bare', size: recordSize(name) });
      return { kind: 'appended', revision: this.lastRevision(name), position, end: this.log.events.length, recognised: false };
    }
    const wasDeleted = this.#isSoftDeleted(name);
    const first = BigInt(this.#streams.get(name)?.events.length ?? 0);
    const position = this.#write({ kind: 'events', stream: name, events, created: ticks() });
    const end = this.log.events.length;
    if (wasDeleted) this.#set(name, { $tb: first });
    return { kind: 'appended', revision: first + BigInt(events.length) - 1n, position, end, recognised: false };
  }

  /** Soft delete: the stream reads as missing until the next append. */
  delete(name: string, expected: Expected): Appended {
    return this.#close(name, expected, () => this.#set(name, { $tb: END_OF_STREAM }));
  }

  /** Tombstone: the stream cannot be used again. */
  tombstone(name: string, expected: Expected): Appended {
    return this.#close(name, expected, () => this.#write({ kind: 'tombstone', stream: name, created: ticks(), id: randomUUID() }));
  }

  lastRevision(name: string): bigint | 'no_stream' {
    const count = this.#streams.get(name)?.events.length ?? 0;
    return count === 0 ? 'no_stream' : BigInt(count - 1);
  }

  /** The stream in the log: indexes by revision, the first revision visible to readers, and its tombstone. */
  stream(name: string): { events: readonly number[]; first: number; tombstone: number | undefined } | undefined {
    const stream = this.#streams.get(name);
    if (!stream) return undefined;
    const { $tb = 0n, $maxCount = Infinity } = this.#settings.get(name) ?? {};
    if ($tb === END_OF_STREAM && stream.tombstone === undefined) return undefined;
    return { events: stream.events, first: Math.max(Number($tb), stream.events.length - $maxCount, 0), tombstone: stream.tombstone };
  }

  /** Replays an entry of the journal at the next start. */
  replay(entry: Entry): void {
    this.#apply(entry);
  }

  /** `new`: to be written; an event: the last event of the append that this one repeats. */
  #check(name: string, events: readonly ProposedEvent[], expected: Expected): 'new' | 'wrong' | 'deleted' | StoredEvent {
    const stream = this.#streams.get(name);
    if (stream?.tombstone !== undefined) return 'deleted';
    if (expected === 'stream_exists') {
      if (this.#isSoftDeleted(name)) return 'deleted';
      if (!stream) return 'wrong';
    }
    if (expected === 'any' || expected === 'stream_exists') return this.#checkIds(name, events);

    const last = (stream?.events.length ?? 0) - 1;
    const after = expected === 'no_stream' ? -1 : Number(expected);
    if (after > last) return 'wrong';
    if (after === last) return 'new';
    // Only the event right after the expected revision is compared, so that this survives restarts and later events.
    for (const [n, { id }] of events.entries()) {
      if (this.log.events[stream?.events[after + 1 + n] ?? -1]?.id === id) continue;
      return n === 0 && expected === 'no_stream' && this.#isSoftDeleted(name) ? 'new' : 'wrong';
    }
    return this.log.events[stream?.events[after + events.length] ?? -1] ?? 'wrong';
  }

  /** The first id decides whether this is a repeat; if it is, all others must be known too. */
  #checkIds(name: string, events: readonly ProposedEvent[]): 'new' | 'wrong' | StoredEvent {
    let found: StoredEvent | undefined;
    for (const { id } of events) {
      const stored = this.log.events[this.#ids.get(id) ?? -1];
      if (stored?.stream !== name) return found ? 'wrong' : 'new';
      found = stored;
    }
    return found ?? 'new';
  }

  #close(name: string, expected: Expected, write: () => bigint): Appended {
    const stream = this.#streams.get(name);
    if (stream?.tombstone !== undefined) return { kind: 'deleted' };
    const actual = this.lastRevision(name);
    const fits = typeof expected === 'bigint' ? expected === actual : expected !== 'no_stream';
    if (actual === 'no_stream' || !fits) return { kind: 'wrong', actual };
    const position = write();
    return { kind: 'appended', revision: actual, position, end: this.log.events.length, recognised: false };
  }

  #isSoftDeleted(name: string): boolean {
    return this.#settings.get(name)?.$tb === END_OF_STREAM;
  }

  #set(name: string, { $tb }: { $tb: bigint }): bigint {
    const { $maxCount } = this.#settings.get(name) ?? {};
    const data = `{${$maxCount === undefined ? '' : `"$maxCount":${$maxCount},`}"$tb":${$tb}}`;
    return this.#write({ kind: 'events', stream: `$$${name}`, events: [metadataEvent(data)], created: ticks() });
  }

  /** @returns the position of the last event */
  #write(entry: Entry): bigint {
    this.#journal(entry);
    return this.#apply(entry);
  }

  #apply(entry: Entry): bigint {
    if (entry.kind === 'bare') return this.log.addBare(entry.size);
    const stream = this.#streams.get(entry.stream) ?? { events: [] };
    this.#streams.set(entry.stream, stream);
    if (entry.kind === 'tombstone') {
      stream.tombstone = this.log.events.length;
      return this.log.add({ ...TOMBSTONE, id: entry.id, stream: entry.stream, created: entry.created }).position;
    }
    let position = 0n;
    for (const event of entry.events) {
      this.#ids.set(event.id, this.log.events.length);
      stream.events.push(this.log.events.length);
      const revision = BigInt(stream.events.length - 1);
      position = this.log.add({ ...event, stream: entry.stream, revision, created: entry.created }).position;
    }
    const last = entry.events.at(-1);
    if (entry.stream.startsWith('$$') && last) this.#settings.set(entry.stream.slice(2), settingsIn(last.data));
    return position;
  }

  #indexOf(event: StoredEvent): number {
    return this.log.indexAt(event.position);
  }
}

const JSON_TYPE = 'application/json';
const NOTHING = new Uint8Array();
const TOMBSTONE = {
  type: '$streamDeleted',
  revision: END_OF_STREAM,
  contentType: 'application/octet-stream',
  data: NOTHING,
  metadata: NOTHING,
} as const;

const metadataEvent = (data: string): ProposedEvent => ({
  id: randomUUID(),
  type: '$metadata',
  contentType: JSON_TYPE,
  data: Buffer.from(data),
  metadata: NOTHING,
});

/** Parsed as text, because JSON.parse would round the `$tb` of a deleted stream. */
const settingsIn = (data: Uint8Array): Settings => {
  const text = Buffer.from(data).toString();
  const [tb, maxCount] = ['$tb', '$maxCount'].map((name) => text.match(new RegExp(`"\\${name}"\\s*:\\s*(\\d+)`))?.[1]);
  return { ...(tb ? { $tb: BigInt(tb) } : {}), ...(maxCount ? { $maxCount: Number(maxCount) } : {}) };
};
