import { setTimeout as pause } from 'node:timers/promises';
import type { Codec } from '../../events/codec/codec.ts';
import type { CommandMetadata } from '../../events/codec/event.ts';
import { eventId } from '../../events/codec/ids.ts';
import { split } from '../../events/codec/parts.ts';
import type { MarktrailEvent, RecordedEvent } from '../../events/registry.ts';
import { eventTypes } from '../../events/registry.ts';
import { MAX_APPEND_WEIGHT, weightWithin } from '../../events/store/check-append.ts';
import type { AppendResult, EventStore, ExpectedRevision, NewEvent, StreamId } from '../../events/store/port.ts';
import { AppendTooLarge, OutcomeUnknown } from '../../events/store/port.ts';
import { WrittenBefore } from './as-problem.ts';
import type { Fold } from './folds.ts';
import { Slice } from '../common/yield-to-event-loop.ts';

export type Decided = {
  readonly stream: StreamId;
  readonly schoolId: string;
  readonly decided: readonly MarktrailEvent[];
  readonly metadata: CommandMetadata;
};

export type Appended = {
  /** As they were written; reading them back later may differ where somebody was forgotten. */
  readonly events: readonly RecordedEvent[];
  /** Whether each is one event in the log; otherwise the log also holds parts of them. */
  readonly inOne: boolean;
};

/** Encodes decided events and writes them in as many appends as their size needs. An append is repeated until its outcome is known. */
export class Appender {
  readonly #store: Pick<EventStore, 'append' | 'read' | 'tellsRepeats'>;
  readonly #codec: Codec<typeof eventTypes>;
  readonly #patienceMs: number;
  /** The weight that the log accepts in one append, as far as is known. */
  #most = MAX_APPEND_WEIGHT;

  constructor(store: Pick<EventStore, 'append' | 'read' | 'tellsRepeats'>, codec: Codec<typeof eventTypes>, patienceMs: number) {
    this.#store = store;
    this.#codec = codec;
    this.#patienceMs = patienceMs;
  }

  /**
   * Appends at the revision of the fold.
   *
   * @throws WrongExpectedRevision, EventIdTaken, WrittenBefore when another writer was faster; AppendTooLarge if the log accepts too little
   *   for any part; OutcomeUnknown, StoreUnavailable
   */
  async append(fold: Fold<unknown>, { stream, schoolId, decided, metadata }: Decided): Promise<Appended> {
    const { commandId } = metadata;
    const ids = decided.map((_event, index) => eventId(commandId, index));
    const slice = new Slice();
    const encoded = await this.#codec.encode(schoolId, decided, ids, metadata);
    await slice.yield();
    const { appends, last } = await this.#inParts(stream, encoded, fold.revision ?? 'none', (fold.attempts.get(commandId) ?? 0) + 1);
    const { revision, position } = last;
    const events = decided.map((event, index) => ({
      ...event,
      id: ids[index] ?? '',
      stream,
      revision: revision - BigInt(decided.length - 1 - index),
      position,
      metadata: { ...metadata, schoolId, schemaVersion: eventTypes[event.type].version },
    }));
    return { events, inOne: appends.length === 1 && appends[0]?.length === events.length };
  }

  /**
   * In one append if the log accepts it. If it accepts less than assumed, the attempt ends, its parts are void, and the next attempt
   * continues after them with smaller ones.
   */
  async #inParts(
    stream: StreamId,
    encoded: readonly NewEvent[],
    from: ExpectedRevision,
    firstAttempt: number,
  ): Promise<{ readonly appends: readonly (readonly NewEvent[])[]; readonly last: AppendResult }> {
    let last: AppendResult | undefined;
    for (let attempt = firstAttempt; ; attempt += 1) {
      const most = this.#most;
      const appends = split(encoded, attempt, most);
      try {
        for (const events of appends) last = await this.#appendSurely(stream, events, last?.revision ?? from);
      } catch (error) {
        if (!(error instanceof AppendTooLarge) || weightWithin(error.limit) >= most || weightWithin(error.limit) < LEAST_WEIGHT)
          throw error;
        this.#most = Math.min(this.#most, weightWithin(error.limit));
        continue;
      }
      if (!last) throw new RangeError(`nothing to append to ${stream}`);
      const closing = appends.at(-1)?.at(-1);
      if (!this.#store.tellsRepeats && !(await this.#stands(stream, last.revision, closing))) throw new WrittenBefore();
      return { appends, last };
    }
  }

  /**
   * Repeats an append of unknown outcome with the same ids at the same revision, which cannot write twice.
   *
   * @throws WrittenBefore if its ids were already there
   */
  async #appendSurely(stream: StreamId, events: readonly NewEvent[], expected: ExpectedRevision): Promise<AppendResult> {
    const giveUpAt = performance.now() + this.#patienceMs;
    for (let attempt = 1; ; attempt++) {
      try {
        const result = await this.#store.append(stream, events, expected);
        // After the first attempt a repeat is our own.
        if (result.repeated && attempt === 1) throw new WrittenBefore();
        return result;
      } catch (error) {
        if (!(error instanceof OutcomeUnknown) || performance.now() > giveUpAt) throw error;
        await pause(Math.random() * 50 * attempt);
      }
    }
  }

  /**
   * Whether the event in the log is the one that was sent. A store that does not tell repeats accepts it even if another process has
   * written other content under the same ids; at least the time of the decision differs.
   */
  async #stands(stream: StreamId, revision: bigint, sent: NewEvent | undefined): Promise<boolean> {
    for await (const { id, data, metadata } of this.#store.read(stream, revision))
      return id === sent?.id && data === sent.data && metadata === sent.metadata;
    return false;
  }
}

/** Below this, a part's metadata would leave no room for data. */
const LEAST_WEIGHT = 16 * 1024;
