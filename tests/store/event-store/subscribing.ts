import { beforeEach, describe, expect, test } from 'vitest';
import { StoreUnavailable } from '../../../events/store/port.ts';
import type { EventStore } from '../../../events/store/port.ts';
import { events } from '../given.ts';
import type { OpenLog } from '../open-log.ts';
import { all, failure, follow, ids, insist, nextBatch } from '../seen.ts';

/** The log as it grows. */
export const subscribing = (opened: () => OpenLog): void => {
  let log: OpenLog;
  let store: EventStore;

  beforeEach(() => {
    log = opened();
    ({ store } = log);
  });

  describe('subscribe', () => {
    test('to an empty log says at once that it has caught up', async () => {
      expect(await nextBatch(store, 'start')).toEqual({ events: [], position: 0n, live: true });
    });

    test('gives what is there, then what comes, with a checkpoint and the mark of having caught up in each batch', async () => {
      const before = events(3);
      const { position } = await store.append('entry-s.1', before, 'none');
      const seen = follow(store, 'start');
      await seen.until(({ live }) => live);

      expect(ids(seen.events)).toEqual(ids(before));
      expect(seen.batches.at(-1)).toMatchObject({ position, live: true });

      const after = events(2);
      const second = await store.append('entry-s.2', after, 'none');
      await seen.until((batch) => batch.position >= second.position);

      expect(ids(seen.events)).toEqual(ids([...before, ...after]));
      expect(seen.batches.at(-1)?.position).toBe(second.position);
      await seen.end();
    });

    test('is not live before it has given everything', async () => {
      const many = events(5000);
      await insist(() => store.append('entry-s.1', many, 'none'));
      const seen = follow(store, 'start');
      await seen.until(({ live }) => live);

      expect(seen.events).toHaveLength(5000);
      expect(seen.batches.findIndex(({ live }) => live)).toBe(seen.batches.length - 1);
      await seen.end();
    });

    test('every checkpoint is a place to go on from: no event is lost, none comes twice', async () => {
      for (let n = 0; n < 6; n += 1) await store.append(`entry-${'st'[n % 2]}.${n}`, events(n + 1), 'none');
      const wanted = ids(await all(store.readAll('start', ONLY_S)));
      const seen = follow(store, 'start', ONLY_S);
      await seen.until(({ live }) => live);
      await seen.end();

      for (const [n, { position }] of seen.batches.entries()) {
        const given = seen.batches.slice(0, n + 1).flatMap((batch) => ids(batch.events));
        expect([...given, ...ids(await all(store.readAll(position, ONLY_S)))]).toEqual(wanted);
      }
    });

    test('with a filter gives only what is wanted, and its checkpoint passes the rest', async () => {
      await store.append('entry-s.1', events(1), 'none');
      const seen = follow(store, 'start', ONLY_S);
      await seen.until(({ live }) => live);
      const others = await store.append('entry-t.1', events(3), 'none');
      await seen.until(({ position }) => position >= others.position);

      expect(seen.events.map(({ stream }) => stream)).toEqual(['entry-s.1']);
      expect(seen.batches.at(-1)).toEqual({ events: [], position: others.position, live: true });
      await seen.end();
    });

    test('after a position, that one excluded', async () => {
      const { position } = await store.append('entry-s.1', events(2), 'none');
      const wanted = events(1);
      await store.append('entry-s.2', wanted, 'none');

      expect(ids((await nextBatch(store, position)).events)).toEqual(ids(wanted));
    });

    test('hears of what another process appends', async () => {
      const seen = follow(store, 'start');
      await seen.until(({ live }) => live);
      const { position } = await log.join().append('entry-s.1', events(1), 'none');

      await seen.until((batch) => batch.position === position);
      await seen.end();
    });

    test('ends quietly when it is aborted, asleep or at work', async () => {
      await store.append('entry-s.1', events(3), 'none');
      const asleep = follow(store, 'start');
      await asleep.until(({ live }) => live);
      await asleep.end();

      const atOnce = new AbortController();
      for await (const _ of store.subscribe('start', { signal: atOnce.signal })) atOnce.abort();
      for await (const _ of store.subscribe('start', { signal: AbortSignal.abort() })) throw new Error('aborted before it began');
    });

    test('throws when the connection is lost, and goes on from the last position without a gap', async () => {
      await store.append('entry-s.1', events(2), 'none');
      const seen = follow(store, 'start');
      await seen.until(({ live }) => live);

      let lost = false;
      const loss = failure(seen.finished).finally(() => (lost = true));
      while (!lost) await log.cut(); // once more if it was only just connecting

      expect(await loss).toBeInstanceOf(StoreUnavailable);
      const meanwhile = events(3);
      const missed = await insist(() => store.append('entry-s.2', meanwhile, 'none'));
      const again = follow(store, seen.batches.at(-1)?.position ?? 'start', undefined, true);
      await again.until(({ position }) => position >= missed.position);
      expect(ids(again.events)).toEqual(ids(meanwhile));
      await again.end();
    });
  });
};

const ONLY_S = { streamPrefixes: ['entry-s'] };
