import { expect } from 'vitest';
import { OutcomeUnknown, StoreUnavailable } from '../../events/store/port.ts';
import type { SubscriptionBatch, EventStore, Position, RecordedEvent } from '../../events/store/port.ts';
import { limit } from '../support/limits.ts';

export const ids = (list: readonly { readonly id: string }[]): string[] => list.map(({ id }) => id);

export const rising = (list: readonly RecordedEvent[]): boolean =>
  list.every(({ position }, n) => n === 0 || position > (list[n - 1]?.position ?? position));

export const all = async <T>(source: AsyncIterable<T>): Promise<T[]> => {
  const list: T[] = [];
  for await (const one of source) list.push(one);
  return list;
};

/** The error that the promise ends in. */
export const failure = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => expect.fail(`should have failed, but gave ${String(value)}`),
    (error: unknown) => error,
  );

/** As a caller does: again, with the same ids, for as long as the store cannot be reached or did not answer. */
export const insist = async <T>(attempt: () => Promise<T>, attempts = 20): Promise<T> => {
  for (let left = attempts; ; left -= 1) {
    try {
      return await attempt();
    } catch (error) {
      if (left === 0 || !(error instanceof StoreUnavailable || error instanceof OutcomeUnknown)) throw error;
    }
  }
};

export const nextBatch = async (store: EventStore, after: Position | 'start'): Promise<SubscriptionBatch> => {
  for await (const batch of store.subscribe(after, { signal: AbortSignal.timeout(limit.wait) })) return batch;
  return expect.fail('the subscription ended without a batch');
};

/** A subscription and what it has given so far. With `insisting`, a beginning that fails is tried again. */
export const follow = (store: EventStore, after: Position | 'start', filter?: { streamPrefixes: string[] }, insisting = false) => {
  const stop = new AbortController();
  const batches: SubscriptionBatch[] = [];
  let look = () => {};

  const run = async () => {
    for await (const batch of store.subscribe(after, { signal: stop.signal, ...(filter && { filter }) })) {
      batches.push(batch);
      look();
    }
  };
  const finished = insisting ? insist(run) : run();
  finished.catch(() => {});

  return {
    batches,
    finished,
    get events() {
      return batches.flatMap((batch) => batch.events);
    },
    /** Waits for a batch, from now or before, of which this is true. */
    async until(wanted: (batch: SubscriptionBatch) => boolean) {
      const found = new Promise<void>((resolve) => {
        look = () => batches.some(wanted) && resolve();
        look();
      });
      await Promise.race([found, finished.then(() => expect.fail('the subscription ended'))]);
    },
    async end() {
      stop.abort();
      await finished;
    },
  };
};
