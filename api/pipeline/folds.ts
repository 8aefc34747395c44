import type { Aggregate } from '../../events/aggregate.ts';
import type { Codec } from '../../events/codec/codec.ts';
import { partOf } from '../../events/codec/parts.ts';
import type { eventTypes, RecordedEvent } from '../../events/registry.ts';
import type { EventStore, StreamId } from '../../events/store/port.ts';

/** A stream as it adds up to now. */
export type Fold<State> = {
  state: State;
  /** Of the newest event; undefined: the stream is empty. */
  revision: bigint | undefined;
  /** Every command that the stream holds: a repeated one is answered from its events. */
  readonly commands: Map<string, { readonly revision: bigint; readonly bodyTag: string }>;
  /** Highest attempt of a command whose parts stand in the stream. */
  readonly attempts: Map<string, number>;
};

/**
 * Folds of the streams that commands went to lately, at most `most`. One from memory may be behind, as another process may have written:
 * what is decided on it counts only if its events can be appended at its revision, which proves that it was the newest. Two commands of one
 * stream must not fold at once (see queue.ts).
 */
export class Folds {
  readonly #cache = new Map<StreamId, Fold<unknown>>();
  readonly #store: EventStore;
  readonly #codec: Codec<typeof eventTypes>;
  readonly #most: number;

  constructor(store: EventStore, codec: Codec<typeof eventTypes>, most: number) {
    this.#store = store;
    this.#codec = codec;
    this.#most = most;
  }

  /** From memory, if it is there. */
  recent<State>(stream: StreamId, _aggregate: Aggregate<State, RecordedEvent>): Fold<State> | undefined {
    // A stream belongs to one kind of aggregate: whoever put the fold here had the same State.
    return this.#cache.get(stream) as Fold<State> | undefined;
  }

  /** With the tail of the stream read. */
  async newest<State>(stream: StreamId, aggregate: Aggregate<State, RecordedEvent>): Promise<Fold<State>> {
    const cached = this.recent(stream, aggregate);
    const fold: Fold<State> = cached ?? { state: aggregate.initial(), revision: undefined, commands: new Map(), attempts: new Map() };
    // A fold is changed in place: one that fails half way must not stay.
    this.#cache.delete(stream);
    const from = fold.revision === undefined ? 0n : fold.revision + 1n;
    for await (const events of this.#pages(stream, from, fold)) {
      for (const event of events) evolve(fold, aggregate, event);
    }
    this.#keep(stream, fold);
    return fold;
  }

  /** Takes in what was just appended at its revision, which was one event each, without parts. */
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

  /** Forgets what it holds of a stream, after an append whose outcome is not known. */
  drop(stream: StreamId): void {
    this.#cache.delete(stream);
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

  #keep(stream: StreamId, fold: Fold<unknown>): void {
    this.#cache.set(stream, fold);
    if (this.#cache.size <= this.#most) return;
    const [oldest] = this.#cache.keys();
    if (oldest !== undefined) this.#cache.delete(oldest);
  }
}

const evolve = <State>(fold: Fold<State>, aggregate: Aggregate<State, RecordedEvent>, event: RecordedEvent): void => {
  fold.state = aggregate.evolve(fold.state, event);
  const { commandId, bodyTag } = event.metadata;
  if (!fold.commands.has(commandId)) fold.commands.set(commandId, { revision: event.revision, bodyTag });
};

const PAGE = 200;

const readCommandId = (metadata: string): string => (JSON.parse(metadata) as { commandId: string }).commandId;
