import { setTimeout as pause } from 'node:timers/promises';
import { OutcomeUnknown, StoreUnavailable, WrongLog } from './port.ts';
import type { EventStore } from './port.ts';
import { reasonOf } from './reason.ts';
import { Signal } from '../async/signal.ts';
import { withTimeout } from '../async/timeout.ts';

export type GuardedStore = EventStore & {
  /** Why the log cannot be used at the moment; undefined: no trouble was noticed. */
  trouble(): string | undefined;
  /** Compares the log now, without waiting for the next round. @throws WrongLog; StoreUnavailable if that cannot be found out */
  recognise(): Promise<Recognised>;
  /** Raised when a log that was away answers again: whoever waits before trying again need not wait any longer. */
  readonly back: Signal;
};

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
/** How old the last comparison of a log that answers may be: while it is written into, and at rest. */
const COMPARE_MS = 2_000;
const AT_REST_MS = 10_000;

/**
 * A circuit breaker around any adapter, so that a silent log holds nobody up, and a wrong one is neither believed nor written into.
 *
 * - No append, read of a stream or lookup of the head waits longer than ANSWER_MS: an append then ends in OutcomeUnknown, everything
 *   else in StoreUnavailable.
 * - After a failure a single probe finds out whether the log is back, and whether it is the right one. Until then all other calls are
 *   refused at once, so that a queue of commands behind a dead log is answered as fast as a single one.
 * - A log that answers is compared every COMPARE_MS too while it is written into, and after a rest before the next append, because it may be
 *   exchanged without a broken connection.
 *
 * Reading the whole log and subscribing are not limited in time: the projections wait as long as the adapter does, and retry by themselves.
 */
export const withCircuitBreaker = (store: EventStore, recognition: Recognition = ANY_LOG): GuardedStore => {
  let away: StoreUnavailable | undefined;
  let probing = false;
  let begun: Promise<void> | undefined;
  let comparedAt = -Infinity;
  let wroteAt = -Infinity;
  const back = new Signal();
  const closed = new AbortController();
  const rest = (ms: number): Promise<unknown> => pause(ms, undefined, { signal: closed.signal, ref: false }).catch(() => undefined);

  const suspect = async (): Promise<void> => {
    if (probing) return;
    probing = true;
    while (!closed.signal.aborted) {
      try {
        await withTimeout(PROBE_MS, probe(), () => new StoreUnavailable(`no answer from the event log within ${PROBE_MS} ms`));
        const wasAway = away !== undefined;
        away = undefined;
        if (wasAway) back.raise();
        break;
      } catch (error) {
        leave(error);
        await rest(EVERY_MS * (0.5 + Math.random()));
      }
    }
    probing = false;
  };

  const probe = async (): Promise<void> => {
    await recognition.recognise(store);
    await store.head();
  };

  /** A wrong log that only falls silent is still the wrong one, until a probe is answered by the right one. */
  const leave = (error: unknown): void => {
    if (error instanceof WrongLog) away = error;
    else if (!(away instanceof WrongLog)) away = new StoreUnavailable(reasonOf(error));
    // The log that comes back may be another one, which was accepted and has no identity yet.
    begun = undefined;
  };

  const recognise = async (): Promise<Recognised> => {
    const asked = performance.now();
    try {
      const recognised = await recognition.recognise(store);
      comparedAt = asked;
      return recognised;
    } catch (error) {
      if (error instanceof WrongLog) {
        leave(error);
        void suspect();
      }
      throw error;
    }
  };

  const compareNowAndThen = async (): Promise<void> => {
    for (await rest(COMPARE_MS); !closed.signal.aborted; await rest(COMPARE_MS)) {
      const isDue = performance.now() - comparedAt > (wroteAt > comparedAt ? 0 : AT_REST_MS - COMPARE_MS);
      // What cannot be compared now is found out by the next call, or in the next round.
      if (isDue && away === undefined && !probing)
        await withTimeout(PROBE_MS, recognise(), () => new Error('no answer')).catch(() => undefined);
    }
  };
  if (recognition !== ANY_LOG) void compareNowAndThen();

  const refuseWhileAway = (): void => {
    refuseWrong();
    if (away !== undefined) throw new StoreUnavailable(away.message);
  };
  const refuseWrong = (): void => {
    if (away instanceof WrongLog) throw new WrongLog(away.message);
  };

  const silence = (): StoreUnavailable => new StoreUnavailable(`no answer from the event log within ${ANSWER_MS} ms`);

  const guard = async <Result>(asked: () => Promise<Result>, late: () => Error): Promise<Result> => {
    refuseWhileAway();
    try {
      return await withTimeout(ANSWER_MS, asked(), late);
    } catch (error) {
      if (error instanceof WrongLog) leave(error);
      if (error instanceof StoreUnavailable || error instanceof OutcomeUnknown) void suspect();
      throw error;
    }
  };

  const begin = async (): Promise<void> => {
    await recognise();
    await recognition.begin(store);
  };
  let comparing: Promise<unknown> | undefined;
  /** Nothing is written on the strength of an old comparison. */
  const comparedLately = async (): Promise<void> => {
    if (recognition !== ANY_LOG && performance.now() - comparedAt > 1.25 * COMPARE_MS) {
      comparing ??= recognise().finally(() => (comparing = undefined));
      await comparing;
    }
    wroteAt = performance.now();
  };
  const beginOnce = (): Promise<void> =>
    (begun ??= begin().catch((error: unknown) => {
      begun = undefined;
      throw error;
    }));

  return {
    tellsRepeats: store.tellsRepeats,

    append: (stream, events, expected) =>
      guard(
        async () => {
          await beginOnce();
          await comparedLately();
          return store.append(stream, events, expected);
        },
        () => new OutcomeUnknown(`no answer from the event log within ${ANSWER_MS} ms whether it wrote`),
      ),

    async *read(stream, from) {
      const events = store.read(stream, from)[Symbol.asyncIterator]();
      let ended = false;
      try {
        for (;;) {
          const next = await guard(() => events.next(), silence);
          if (next.done === true) break;
          yield next.value;
        }
        ended = true;
      } finally {
        // Not awaited: a silent log would not answer.
        if (!ended) void events.return?.().catch(() => undefined);
      }
    },

    head: () => guard(() => store.head(), silence),
    async *readAll(after, filter) {
      refuseWrong();
      for await (const event of store.readAll(after, filter)) {
        refuseWrong();
        yield event;
      }
    },
    async *subscribe(after, options) {
      refuseWrong();
      for await (const batch of store.subscribe(after, options)) {
        refuseWrong();
        yield batch;
      }
    },
    eventAt: (position) => guard(() => store.eventAt(position), silence),

    trouble: () => away?.message,
    recognise,
    back,

    async close() {
      closed.abort();
      await store.close();
    },
  };
};

const ANY_LOG: Recognition = { recognise: async () => 'same', begin: async () => undefined };
