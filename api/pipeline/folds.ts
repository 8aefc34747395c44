import type { Aggregate } from '../../events/aggregate.ts';
import type { Codec } from '../../events/codec/codec.ts';
import { partOf } from '../../events/codec/parts.ts';
import type { eventTypes, RecordedEvent } from '../../events/registry.ts';
import type { EventStore, StreamId } from '../../events/store/port.ts';

/** The state of a stream. */
export type Fold<State> = {
  state: State;
  /** Of the newest event; undefined: the stream is empty. */
  revision: bigint | undefined;
  /** Every command in the stream: a repeated one is answered from its events. */
  readonly commands: Map<string, { readonly revision: bigint; readonly bodyTag: string }>;
  /** The highest attempt of each command with parts in the stream. */
  readonly attempts: Map<string, number>;
  /** When the newest event happened, in ms since 1970; undefined: the stream is empty. */
  at?: number;
};

/** The most that is kept: a command takes about 300 bytes, and a sitting of an afternoon has thousands. */
export type MostKept = { readonly streams: number; readonly commands: number };

/**
 * Folds of the streams that were used last. A fold in memory may be outdated, because another process may have written: a
 * decision on it only counts if its events can be appended at its revision, which proves that it was up to date. Two commands on one stream
 * must not fold at the same time (see queue.ts).
 */
export class Folds {
  readonly #cache = new Map<string, Fold<unknown>>();
  readonly #store: EventStore;
  readonly #codec: Codec<typeof eventTypes>;
  readonly #most: MostKept;

  constructor(store: EventStore, codec: Codec<typeof eventTypes>, most: MostKept) {
    this.#store = store;
    this.#codec = codec;
    this.#most = most;
  }

  /** From memory, if it is there. */
  recent<State>(stream: StreamId, aggregate: Aggregate<State, RecordedEvent>): Fold<State> | undefined {
    const key = keyOf(stream, aggregate);
    const fold = this.#cache.get(key);
    if (!fold) return undefined;
    this.#cache.delete(key);
    this.#cache.set(key, fold);
    // Safe: a stream belongs to one kind of aggregate, so a fold of this variant was stored with the same State.
    return fold as Fold<State>;
  }

  /** Reads the tail of the stream. */
  async newest<State>(stream: StreamId, aggregate: Aggregate<State, RecordedEvent>): Promise<Fold<State>> {
    const cached = this.recent(stream, aggregate);
    const fold: Fold<State> = cached ?? { state: aggregate.initial(), revision: undefined, commands: new Map(), attempts: new Map() };
    // A fold is changed in place, so one that fails halfway must not be kept.
    const key = keyOf(stream, aggregate);
    this.#cache.delete(key);
    const from = fold.revision === undefined ? 0n : fold.revision + 1n;
    for await (const events of this.#pages(stream, from, fold)) {
      for (const event of events) evolve(fold, aggregate, event);
    }
    this.#keep(key, fold);
    return fold;
  }

  /** Applies events that were just appended at its revision, without parts. */
  advance<State>(fold: Fold<State>, aggregate: Aggregate<State, RecordedEvent>, appended: readonly RecordedEvent[]): void {
    for (const event of appended) {
      evolve(fold, aggregate, event);
      fold.revision = event.revision;
    }
  }

  /** The events of one command in a stream. */
  async eventsOf(stream: StreamId, commandId: string, from: bigint): Promise<RecordedEvent[]> {
    const recorded = [];
    for await (const event of this.#store.read(stream, from)) {
      if (readCommandId(event.metadata) !== commandId) break;
      recorded.push(event);
    }
    return this.#codec.decode(recorded, (name, revision) => this.#store.read(name, revision));
  }

  /** Drops a stream from memory, after an append of unknown outcome. */
  drop(stream: StreamId): void {
    for (const key of this.#cache.keys()) if (key === stream || key.startsWith(`${stream} `)) this.#cache.delete(key);
  }

  async *#pages(stream: StreamId, from: bigint, fold: Fold<unknown>): AsyncIterable<RecordedEvent[]> {
    let page = [];
    for await (const event of this.#store.read(stream, from)) {
      const part = partOf(event);
      if (part) fold.attempts.set(part.commandId, Math.max(part.attempt, fold.attempts.get(part.commandId) ?? 0));
      fold.revision = event.revision;
      page.push(event);
      if (page.length < PAGE) continue;
      yield await this.#decode(page);
      page = [];
    }
    if (page.length > 0) yield await this.#decode(page);
  }

  #decode(page: Parameters<Codec<typeof eventTypes>['decode']>[0]): Promise<RecordedEvent[]> {
    return this.#codec.decode(page, (name, revision) => this.#store.read(name, revision));
  }

  #keep(key: string, fold: Fold<unknown>): void {
    this.#cache.set(key, fold);
    let commands = 0;
    for (const kept of this.#cache.values()) commands += kept.commands.size;
    for (const [oldest, { commands: held }] of this.#cache) {
      if (oldest === key || (this.#cache.size <= this.#most.streams && commands <= this.#most.commands)) return;
      this.#cache.delete(oldest);
      commands -= held.size;
    }
  }
}

const keyOf = (stream: StreamId, { variant }: Pick<Aggregate<unknown, never>, 'variant'>): string =>
  variant === undefined ? stream : `${stream} ${variant}`;

const evolve = <State>(fold: Fold<State>, aggregate: Aggregate<State, RecordedEvent>, event: RecordedEvent): void => {
  fold.state = aggregate.evolve(fold.state, event);
  const { commandId, bodyTag, at } = event.metadata;
  fold.at = Date.parse(at);
  if (!fold.commands.has(commandId)) fold.commands.set(commandId, { revision: event.revision, bodyTag });
};

const PAGE = 200;

const readCommandId = (metadata: string): string => (JSON.parse(metadata) as { commandId: string }).commandId;
