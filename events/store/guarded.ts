import { setTimeout as pause } from 'node:timers/promises';
import { OutcomeUnknown, StoreUnavailable } from './port.ts';
import type { EventStore } from './port.ts';
import { reasonOf } from './reason.ts';
import { within } from './within.ts';

export type GuardedStore = EventStore & {
  /** Why the log cannot be used just now; undefined: it can, as far as anybody has noticed. */
  trouble(): string | undefined;
};

export type GuardOptions = {
  /** How long one answer of the log may take. */
  readonly answerMs?: number;
  /** How long the log may take to say that it is there, and how often it is asked while it is not. */
  readonly probeMs?: number;
  readonly everyMs?: number;
};

/**
 * A store whose silence holds nobody up, whichever adapter it is.
 *
 * - No append, read of a stream or question for the head waits longer than `answerMs` for an answer: an append then ends in
 *   OutcomeUnknown, everything else in StoreUnavailable.
 * - After a failure one question at a time asks whether the log is there. Until it is, everybody else is refused at once: a queue of
 *   commands behind a dead log is answered as soon as a single one.
 *
 * Who reads the whole log or follows it (the projections) waits as long as the adapter lets him, and comes again by himself.
 */
export const guarded = (store: EventStore, { answerMs = 5_000, probeMs = 2_000, everyMs = 500 }: GuardOptions = {}): GuardedStore => {
  let away: string | undefined;
  let probing = false;
  const closed = new AbortController();

  const suspect = async (): Promise<void> => {
    if (probing) return;
    probing = true;
    while (!closed.signal.aborted) {
      try {
        await within(probeMs, store.head(), () => new StoreUnavailable(`no answer from the event log within ${probeMs} ms`));
        away = undefined;
        break;
      } catch (error) {
        away = reasonOf(error);
        await pause(everyMs * (0.5 + Math.random()), undefined, { signal: closed.signal, ref: false }).catch(() => undefined);
      }
    }
    probing = false;
  };

  const refuseWhileAway = (): void => {
    if (away !== undefined) throw new StoreUnavailable(away);
  };

  const silence = (): StoreUnavailable => new StoreUnavailable(`no answer from the event log within ${answerMs} ms`);

  const guard = async <Result>(asked: () => Promise<Result>, late: () => Error): Promise<Result> => {
    refuseWhileAway();
    try {
      return await within(answerMs, asked(), late);
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
        () => new OutcomeUnknown(`no answer from the event log within ${answerMs} ms whether it wrote`),
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
        // Not awaited: a silent one would not hear it.
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
