import { setTimeout as pause } from 'node:timers/promises';
import { OutcomeUnknown, StoreUnavailable, WrongLog } from './port.ts';
import type {
  AppendResult,
  EventStore,
  ExpectedRevision,
  Filter,
  NewEvent,
  Position,
  RecordedEvent,
  StreamId,
  SubscriptionBatch,
} from './port.ts';
import { reasonOf } from './reason.ts';
import { Signal } from '../async/signal.ts';
import { withTimeout } from '../async/timeout.ts';

/** `moved`: the same log, but its events have other positions than where the read models were built. */
export type Recognised = 'same' | 'moved';

/** How the log that belongs here is told from another one. */
export type Recognition = {
  /** @throws WrongLog */
  readonly recognise: (log: Pick<EventStore, 'read' | 'eventAt' | 'head'>) => Promise<Recognised>;
  /** Called before the first append, with a log that was recognised: gives it an identity if it has none. */
  readonly begin: (log: Pick<EventStore, 'read' | 'append'>) => Promise<void>;
};

/** How long one answer of the log may take. */
const ANSWER_MS = 5_000;
/** How long the log may take to answer the probe that finds out whether it is back, and how often it is probed. */
const PROBE_MS = 2_000;
const EVERY_MS = 500;
/** How old the last comparison of a log that answers may be: while it is written to, and at rest. */
const COMPARE_MS = 2_000;
const AT_REST_MS = 10_000;

/** A wrong log that falls silent is still the wrong one, until a probe is answered by the right one. */
type State =
  | { readonly name: 'answering' }
  | { readonly name: 'away'; readonly error: StoreUnavailable }
  | { readonly name: 'wrong'; readonly error: WrongLog };

/**
 * A circuit breaker around any adapter, so that a silent log holds nobody up, and a wrong one is neither believed nor written to.
 *
 * - No append, read of a stream or lookup of the head waits longer than ANSWER_MS: an append then ends in OutcomeUnknown, everything
 *   else in StoreUnavailable.
 * - After a failure a single probe finds out whether the log is back, and whether it is the right one. While it is away all other calls are
 *   refused at once, so that a queue of commands behind a dead log is answered as fast as a single one.
 * - A log that answers is also compared every COMPARE_MS while it is written to, and after a rest before the next append, because it may be
 *   exchanged without a broken connection.
 *
 * Reading the whole log and subscribing are not limited in time: the projections wait as long as the adapter does, and retry by themselves.
 */
export class CircuitBreaker implements EventStore {
  readonly tellsRepeats: boolean;
  /** Raised when a log that was away answers again: whoever waits before trying again need not wait any longer. */
  readonly recovery = new Signal();
  readonly #store: EventStore;
  /** Undefined: any log is the right one. */
  readonly #recognition: Recognition | undefined;
  readonly #closed = new AbortController();
  #state: State = { name: 'answering' };
  #isProbing = false;
  #begun: Promise<void> | undefined;
  #comparing: Promise<unknown> | undefined;
  #comparedAt = -Infinity;
  #wroteAt = -Infinity;

  constructor(store: EventStore, recognition?: Recognition) {
    this.tellsRepeats = store.tellsRepeats;
    this.#store = store;
    this.#recognition = recognition;
    if (recognition) void this.#compareRegularly();
  }

  append(stream: StreamId, events: readonly NewEvent[], expected: ExpectedRevision): Promise<AppendResult> {
    return this.#guard(
      async () => {
        await this.#beginOnce();
        await this.#requireRecentComparison();
        return this.#store.append(stream, events, expected);
      },
      () => new OutcomeUnknown(`no answer from the event log within ${ANSWER_MS} ms whether it wrote`),
    );
  }

  async *read(stream: StreamId, from?: bigint): AsyncGenerator<RecordedEvent> {
    const events = this.#store.read(stream, from)[Symbol.asyncIterator]();
    let isAtEnd = false;
    try {
      for (;;) {
        const next = await this.#guard(() => events.next());
        if (next.done === true) break;
        yield next.value;
      }
      isAtEnd = true;
    } finally {
      // Not awaited: a silent log would not answer.
      if (!isAtEnd) void events.return?.().catch(() => undefined);
    }
  }

  async *readAll(after: Position | 'start', filter?: Filter): AsyncGenerator<RecordedEvent> {
    yield* this.#unlessWrong(this.#store.readAll(after, filter));
  }

  async *subscribe(after: Position | 'start', options: Parameters<EventStore['subscribe']>[1]): AsyncGenerator<SubscriptionBatch> {
    yield* this.#unlessWrong(this.#store.subscribe(after, options));
  }

  head(): Promise<Position> {
    return this.#guard(() => this.#store.head());
  }

  eventAt(position: Position): Promise<RecordedEvent | undefined> {
    return this.#guard(() => this.#store.eventAt(position));
  }

  /** Why the log cannot be used at the moment; undefined: no trouble was noticed. */
  trouble(): string | undefined {
    return this.#state.name === 'answering' ? undefined : this.#state.error.message;
  }

  /** Compares the log now, without waiting for the next round. @throws WrongLog; StoreUnavailable if that cannot be found out */
  readonly recognise = async (): Promise<Recognised> => {
    const startedAt = performance.now();
    try {
      const recognised = (await this.#recognition?.recognise(this.#store)) ?? 'same';
      this.#comparedAt = startedAt;
      return recognised;
    } catch (error) {
      if (error instanceof WrongLog) this.#suspect(error);
      throw error;
    }
  };

  async close(): Promise<void> {
    this.#closed.abort();
    await this.#store.close();
  }

  async #guard<Result>(call: () => Promise<Result>, late = silence): Promise<Result> {
    this.#refuseWrong();
    if (this.#state.name === 'away') throw new StoreUnavailable(this.#state.error.message, { cause: this.#state.error.cause });
    try {
      return await withTimeout(ANSWER_MS, call(), late);
    } catch (error) {
      if (error instanceof StoreUnavailable || error instanceof OutcomeUnknown) this.#suspect(error);
      throw error;
    }
  }

  async *#unlessWrong<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
    this.#refuseWrong();
    for await (const item of items) {
      this.#refuseWrong();
      yield item;
    }
  }

  #refuseWrong(): void {
    if (this.#state.name === 'wrong') throw new WrongLog(this.#state.error.message);
  }

  /** A wrong log is refused at once; any other failure, once the probe fails too. */
  #suspect(error: Error): void {
    if (error instanceof WrongLog) this.#leave(error);
    if (!this.#isProbing) void this.#probe();
  }

  #leave(error: unknown): void {
    if (error instanceof WrongLog) this.#state = { name: 'wrong', error };
    else if (this.#state.name !== 'wrong') this.#state = { name: 'away', error: new StoreUnavailable(reasonOf(error), { cause: error }) };
    // The log that comes back may be another one, which was accepted and has no identity yet.
    this.#begun = undefined;
  }

  async #probe(): Promise<void> {
    this.#isProbing = true;
    const answer = async (): Promise<void> => {
      await this.#recognition?.recognise(this.#store);
      await this.#store.head();
    };
    while (!this.#closed.signal.aborted) {
      try {
        await withTimeout(PROBE_MS, answer(), () => new StoreUnavailable(`no answer from the event log within ${PROBE_MS} ms`));
        const wasAway = this.#state.name !== 'answering';
        this.#state = { name: 'answering' };
        if (wasAway) this.recovery.raise();
        break;
      } catch (error) {
        this.#leave(error);
        await this.#rest(EVERY_MS * (0.5 + Math.random()));
      }
    }
    this.#isProbing = false;
  }

  async #compareRegularly(): Promise<void> {
    for (await this.#rest(COMPARE_MS); !this.#closed.signal.aborted; await this.#rest(COMPARE_MS)) {
      const isDue = performance.now() - this.#comparedAt > (this.#wroteAt > this.#comparedAt ? 0 : AT_REST_MS - COMPARE_MS);
      // What cannot be compared now is found out by the next call, or in the next round.
      if (isDue && this.#state.name === 'answering' && !this.#isProbing)
        await withTimeout(PROBE_MS, this.recognise(), () => new Error('no answer')).catch(() => undefined);
    }
  }

  /** Nothing is written on the strength of an old comparison. */
  async #requireRecentComparison(): Promise<void> {
    if (this.#recognition && performance.now() - this.#comparedAt > 1.25 * COMPARE_MS) {
      this.#comparing ??= this.recognise().finally(() => (this.#comparing = undefined));
      await this.#comparing;
    }
    this.#wroteAt = performance.now();
  }

  #beginOnce(): Promise<void> {
    return (this.#begun ??= this.#begin().catch((error: unknown) => {
      this.#begun = undefined;
      throw error;
    }));
  }

  async #begin(): Promise<void> {
    await this.recognise();
    await this.#recognition?.begin(this.#store);
  }

  async #rest(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.#closed.signal, ref: false }).catch(() => undefined);
  }
}

const silence = (): Error => new StoreUnavailable(`no answer from the event log within ${ANSWER_MS} ms`);
