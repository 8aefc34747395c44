import { setTimeout as pause } from 'node:timers/promises';
import type { Codec } from '../../events/codec/codec.ts';
import type { CommandMetadata } from '../../events/codec/event.ts';
import { eventId } from '../../events/codec/ids.ts';
import { split } from '../../events/codec/parts.ts';
import type { MarktrailEvent, RecordedEvent } from '../../events/registry.ts';
import { eventTypes } from '../../events/registry.ts';
import { MAX_APPEND_WEIGHT, weightWithin } from '../../events/store/append-weight.ts';
import type { AppendResult, EventStore, ExpectedRevision, NewEvent, StreamId } from '../../events/store/port.ts';
import { AppendTooLarge, OutcomeUnknown } from '../../events/store/port.ts';
import { WrittenBefore } from './as-problem.ts';
import type { Fold } from './folds.ts';

export type Decided = {
  readonly stream: StreamId;
  readonly schoolId: string;
  readonly decided: readonly MarktrailEvent[];
  readonly metadata: CommandMetadata;
};

export type Appended = {
  /** As they were written: what is read back differs only where somebody was forgotten. */
  readonly events: readonly RecordedEvent[];
  /** Each is one event of the log; otherwise parts of them stand there too. */
  readonly inOne: boolean;
};

/** Writes what was decided: encoded, in as many appends as its size needs, each sent until its outcome is known. */
export class Appender {
  readonly #store: Pick<EventStore, 'append' | 'read' | 'tellsRepeats'>;
  readonly #codec: Codec<typeof eventTypes>;
  readonly #patienceMs: number;
  /** What an append may weigh, as far as the log has told. */
  #most = MAX_APPEND_WEIGHT;

  constructor(store: Pick<EventStore, 'append' | 'read' | 'tellsRepeats'>, codec: Codec<typeof eventTypes>, patienceMs: number) {
    this.#store = store;
    this.#codec = codec;
    this.#patienceMs = patienceMs;
  }

  /**
   * Behind what the fold knows of the stream.
   *
   * @throws WrongExpectedRevision, EventIdTaken, WrittenBefore where somebody was there first; AppendTooLarge where the log takes too little
   *   for any part; OutcomeUnknown, StoreUnavailable
   */
  async append(fold: Fold<unknown>, { stream, schoolId, decided, metadata }: Decided): Promise<Appended> {
    const { commandId } = metadata;
    const ids = decided.map((_event, index) => eventId(commandId, index));
    const encoded = await this.#codec.encode(schoolId, decided, ids, metadata);
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
   * In one append where the log takes that much. Where it takes less than was thought, the attempt ends there, and its parts mean nothing;
   * the next one goes on behind them with smaller ones.
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
   * An append whose outcome is not known is sent again, the same ids at the same revision: that cannot write twice.
   *
   * @throws WrittenBefore where its ids stood there already
   */
  async #appendSurely(stream: StreamId, events: readonly NewEvent[], expected: ExpectedRevision): Promise<AppendResult> {
    const giveUpAt = performance.now() + this.#patienceMs;
    for (let attempt = 1; ; attempt++) {
      try {
        const result = await this.#store.append(stream, events, expected);
        // Sent again because no answer came, a repeat is our own.
        if (result.repeated && attempt === 1) throw new WrittenBefore();
        return result;
      } catch (error) {
        if (!(error instanceof OutcomeUnknown) || performance.now() > giveUpAt) throw error;
        await pause(Math.random() * 50 * attempt);
      }
    }
  }

  /**
   * Whether the event stands there as it was sent. A store that does not tell repeats takes for it what another process has written under
   * the same ids, whatever that says; the time of its decision is another one at least.
   */
  async #stands(stream: StreamId, revision: bigint, sent: NewEvent | undefined): Promise<boolean> {
    for await (const { id, data, metadata } of this.#store.read(stream, revision))
      return id === sent?.id && data === sent.data && metadata === sent.metadata;
    return false;
  }
}

/** Less than this leaves too little room in a part beside its envelope. */
const LEAST_WEIGHT = 16 * 1024;
