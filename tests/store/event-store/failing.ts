import { beforeEach, describe, expect, test } from 'vitest';
import { OutcomeUnknown, StoreUnavailable } from '../../../events/store/port.ts';
import type { AppendResult, EventStore, Position, RecordedEvent } from '../../../events/store/port.ts';
import { events } from '../given.ts';
import type { OpenLog } from '../open-log.ts';
import { all, failure, follow, ids, insist, rising } from '../seen.ts';
import { limit } from '../../support/limits.ts';

/** What is promised when connections break, answers get lost, and everybody writes at once. */
export const failing = (opened: () => OpenLog): void => {
  let log: OpenLog;
  let store: EventStore;

  beforeEach(() => {
    log = opened();
    ({ store } = log);
  });

  describe('a store that fails', () => {
    test('no answer in time is OutcomeUnknown; the same append again is written once', async () => {
      const impatient = log.join({ timeoutMs: 1000 });
      await store.append('entry-s.1', events(1), 'none');
      await insist(() => all(impatient.read('entry-s.1')));
      const speak = await log.silence();
      const same = events(2);

      expect(await failure(impatient.append('entry-s.1', same, 0n))).toBeInstanceOf(OutcomeUnknown);
      await speak();

      const result = await insist(() => impatient.append('entry-s.1', same, 0n));
      expect(result.revision).toBe(2n);
      expect(await insist(() => impatient.append('entry-s.1', same, 0n))).toEqual(result);
      expect(ids(await all(store.readAll('start'))).slice(1)).toEqual(ids(same));
    });

    test('appends and reads work again after every connection was cut', async () => {
      await store.append('entry-s.1', events(1), 'none');
      await all(store.read('entry-s.1'));
      await log.cut();
      const same = events(1);

      expect((await insist(() => store.append('entry-s.1', same, 0n))).revision).toBe(1n);
      expect(await insist(() => all(store.read('entry-s.1')))).toHaveLength(2);
    });

    test('closed, it says that it is not there', async () => {
      const asleep = follow(store, 'start');
      await asleep.until(({ live }) => live);
      await store.close();

      expect(await failure(asleep.finished)).toBeInstanceOf(StoreUnavailable);
      expect(await failure(store.append('entry-s.1', events(1), 'none'))).toBeInstanceOf(StoreUnavailable);
      expect(await failure(all(store.read('entry-s.1')))).toBeInstanceOf(StoreUnavailable);
    });
  });

  test('16 writers in 4 processes, and a subscriber that restarts at random: no gap, no double, no disorder', async () => {
    const stores = [store, log.join(), log.join(), log.join()];
    const seen: RecordedEvent[] = [];
    let restarts = 0;
    /** Writers wait for it half way, so that the subscriber restarts however fast they are. */
    const restartedOften = Promise.withResolvers<void>();

    /** Each has a stream of its own and, every fourth time, one that all write to. */
    const write = async (n: number) => {
      const own = stores[n % stores.length] ?? store;
      for (let left = 100, revision: AppendResult['revision'] | 'none' = 'none'; left > 0;) {
        const batch = events(Math.min(left, 1 + Math.floor(Math.random() * 3)));
        left -= batch.length;
        if (left < 50) await restartedOften.promise;
        if (left % 4 === 0) await own.append('roster-s', batch, 'any');
        else ({ revision } = await own.append(`entry-s.${n}`, batch, revision));
      }
    };

    const subscribe = async () => {
      let position: Position = 0n;
      const done = (live: boolean) => live && seen.length >= 16 * 100;
      for (let live = false; !done(live); restarts += 1) {
        if (restarts > 3) restartedOften.resolve();
        let batchesLeft = restarts > 3 ? 1 + Math.floor(Math.random() * 5) : 1;
        for await (const batch of stores[restarts % stores.length]?.subscribe(position, { signal: AbortSignal.timeout(limit.wait) }) ??
          []) {
          seen.push(...batch.events);
          ({ position, live } = batch);
          batchesLeft -= 1;
          if (batchesLeft === 0 || done(live)) break;
        }
      }
    };

    await Promise.all([subscribe(), ...Array.from({ length: 16 }, (_, n) => write(n))]);

    expect(restarts).toBeGreaterThan(3);
    expect(ids(seen)).toEqual(ids(await all(store.readAll('start'))));
    expect(new Set(ids(seen)).size).toBe(1600);
    expect(rising(seen)).toBe(true);
    for (const stream of Map.groupBy(seen, (one) => one.stream).values()) {
      expect(stream.map(({ revision }) => revision)).toEqual(stream.map((_, n) => BigInt(n)));
    }
  });
};
