import { setTimeout as pause } from 'node:timers/promises';
import type { Codec } from '../../events/codec/codec.ts';
import type { CommandMetadata } from '../../events/codec/event.ts';
import { eventId } from '../../events/codec/ids.ts';
import { split } from '../../events/codec/parts.ts';
import type { MarktrailEvent, RecordedEvent } from '../../events/registry.ts';
import { eventTypes } from '../../events/registry.ts';
import type { AppendResult, EventStore, ExpectedRevision, NewEvent, StreamId } from '../../events/store/port.ts';
import { OutcomeUnknown } from '../../events/store/port.ts';
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
  readonly #store: Pick<EventStore, 'append' | 'tellsRepeats'>;
  readonly #codec: Codec<typeof eventTypes>;
  readonly #patienceMs: number;
  /** Streams to which an append is on its way, for all that is known: it may come to stand there after their tail was read. */
  readonly #inDoubt = new Set<StreamId>();

  constructor(store: Pick<EventStore, 'append' | 'tellsRepeats'>, codec: Codec<typeof eventTypes>, patienceMs: number) {
    this.#store = store;
    this.#codec = codec;
    this.#patienceMs = patienceMs;
  }

  /**
   * Behind what the fold knows of the stream.
   *
   * @throws WrongExpectedRevision, EventIdTaken, WrittenBefore where somebody was there first; OutcomeUnknown, StoreUnavailable
   */
  async append(fold: Fold<unknown>, { stream, schoolId, decided, metadata }: Decided): Promise<Appended> {
    const { commandId } = metadata;
    const ids = decided.map((_event, index) => eventId(commandId, index));
    const encoded = await this.#codec.encode(schoolId, decided, ids, metadata);
    const appends = split(encoded, (fold.attempts.get(commandId) ?? 0) + 1);
    let expected: ExpectedRevision = fold.revision ?? 'none';
    let last: AppendResult | undefined;
    for (const events of appends) {
      last = await this.#appendSurely(stream, events, expected);
      if (last.repeated) throw new WrittenBefore();
      expected = last.revision;
    }
    if (!last) return { events: [], inOne: true };
    // What stands in the log may be what was decided then, which a store that does not tell repeats takes for this.
    if (this.#inDoubt.delete(stream) && !this.#store.tellsRepeats) throw new WrittenBefore();
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

  /** An append whose outcome is not known is sent again, the same ids at the same revision: that cannot write twice. */
  async #appendSurely(stream: StreamId, events: readonly NewEvent[], expected: ExpectedRevision): Promise<AppendResult> {
    const giveUpAt = performance.now() + this.#patienceMs;
    for (let attempt = 1; ; attempt++) {
      try {
        const result = await this.#store.append(stream, events, expected);
        // Sent again because no answer came, a repeat is our own.
        return attempt === 1 ? result : { revision: result.revision, position: result.position };
      } catch (error) {
        if (!(error instanceof OutcomeUnknown)) throw error;
        if (performance.now() > giveUpAt) {
          this.#inDoubt.add(stream);
          throw error;
        }
        await pause(Math.random() * 50 * attempt);
      }
    }
  }
}
