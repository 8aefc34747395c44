import { setTimeout as pause } from 'node:timers/promises';
import { OutcomeUnknown, StoreUnavailable } from './port.ts';
import type { EventStore } from './port.ts';
import { reasonOf } from './reason.ts';
import { within } from './within.ts';

export type GuardedStore = EventStore & {
  /** Why the log cannot be used at the moment; undefined: no trouble was noticed. */
  trouble(): string | undefined;
};

/** How long one answer of the log may take. */
const ANSWER_MS = 5_000;
/** How long the log may take to answer the probe that finds out whether it is back, and how often it is probed. */
const PROBE_MS = 2_000;
const EVERY_MS = 500;

/**
 * A circuit breaker around any adapter, so that a silent log holds nobody up.
 *
 * - No append, read of a stream or question for the head waits longer than ANSWER_MS: an append then ends in OutcomeUnknown, everything
 *   else in StoreUnavailable.
 * - After a failure a single probe finds out whether the log is back. Until then all other calls are refused at once, so that a queue of
 *   commands behind a dead log is answered as fast as a single one.
 *
 * Reading the whole log and subscribing are not limited: the projections wait as long as the adapter does, and retry by themselves.
 */
export const guarded = (store: EventStore): GuardedStore => {
  let away: string | undefined;
  let probing = false;
  const closed = new AbortController();

  const suspect = async (): Promise<void> => {
    if (probing) return;
    probing = true;
    while (!closed.signal.aborted) {
      try {
        await within(PROBE_MS, store.head(), () => new StoreUnavailable(`no answer from the event log within ${PROBE_MS} ms`));
        away = undefined;
        break;
      } catch (error) {
        away = reasonOf(error);
        await pause(EVERY_MS * (0.5 + Math.random()), undefined, { signal: closed.signal, ref: false }).catch(() => undefined);
      }
    }
    probing = false;
  };

  const refuseWhileAway = (): void => {
    if (away !== undefined) throw new StoreUnavailable(away);
  };

  const silence = (): StoreUnavailable => new StoreUnavailable(`no answer from the event log within ${ANSWER_MS} ms`);

  const guard = async <Result>(asked: () => Promise<Result>, late: () => Error): Promise<Result> => {
    refuseWhileAway();
    try {
      return await within(ANSWER_MS, asked(), late);
    } catch (error) {
      if (error instanceof StoreUnavailable || error instanceof OutcomeUnknown) void suspect();
      throw error;
    }
  };

  return {
    tellsRepeats: store.tellsRepeats,

    append: (stream, events, expected) =>
      guard(
        () => store.append(stream, events, expected),
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
    readAll: (after, filter) => store.readAll(after, filter),
    subscribe: (after, options) => store.subscribe(after, options),
    eventAt: (position) => guard(() => store.eventAt(position), silence),

    trouble: () => away,

    async close() {
      closed.abort();
      await store.close();
    },
  };
};
