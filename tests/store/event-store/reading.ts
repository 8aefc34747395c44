import { beforeEach, describe, expect, test } from 'vitest';
import type { EventStore, RecordedEvent } from '../../../events/store/port.ts';
import { event, events, noise } from '../given.ts';
import type { OpenLog } from '../open-log.ts';
import { all, ids, rising } from '../seen.ts';

/** Streams and the whole log, as they are now. */
export const reading = (opened: () => OpenLog): void => {
  let log: OpenLog;
  let store: EventStore;

  beforeEach(() => {
    log = opened();
    ({ store } = log);
  });

  describe('read', () => {
    test('a missing stream is an empty stream', async () => {
      expect(await all(store.read('entry-s.1'))).toEqual([]);
    });

    test('gives the events of the stream in order, as they were written', async () => {
      const written = events(5);
      const { position } = await store.append('entry-s.1', written, 'none');
      await store.append('entry-s.10', events(2), 'none');

      const stored = await all(store.read('entry-s.1'));

      expect(stored).toMatchObject(written);
      expect(stored.map(({ stream, revision }) => `${stream}@${revision}`)).toEqual([0, 1, 2, 3, 4].map((n) => `entry-s.1@${n}`));
      expect(stored.at(-1)?.position).toBe(position);
    });

    test('from a revision on', async () => {
      const written = events(5);
      await store.append('entry-s.1', written, 'none');

      expect(ids(await all(store.read('entry-s.1', 3n)))).toEqual(ids(written.slice(3)));
      expect(await all(store.read('entry-s.1', 5n))).toEqual([]);
    });

    test('may be broken off early, as often as one likes', async () => {
      await store.append('entry-s.1', events(3), 'none');
      for (let round = 0; round < 20; round += 1) {
        for await (const { revision } of store.read('entry-s.1')) {
          expect(revision).toBe(0n);
          break;
        }
      }
    });

    test('streams longer than a page, and many at once', async () => {
      const lengths = Array.from({ length: 40 }, (_, n) => (n === 0 ? 1200 : n));
      await Promise.all(lengths.map(async (length, n) => length > 0 && (await store.append(`entry-s.${n}`, events(length), 'none'))));

      const read = await Promise.all(lengths.map((_, n) => all(store.read(`entry-s.${n}`, 1n))));

      expect(read.map(({ length }) => length)).toEqual(lengths.map((length) => Math.max(length - 1, 0)));
      expect(
        read.every((stored, n) => stored.every(({ stream, revision }, at) => stream === `entry-s.${n}` && revision === BigInt(at + 1))),
      ).toBe(true);
    });

    test('sees what was answered before it was asked', async () => {
      for (let n = 0; n < 50; n += 1) {
        // Under way, with an answer that is about to be too old.
        const earlier = [all(store.read('entry-s.1')), all(store.readAll('start')), store.head()];
        const { position } = await store.append('entry-s.1', events(1), 'any');
        const [own, everything, head] = await Promise.all([all(store.read('entry-s.1')), all(store.readAll('start')), store.head()]);
        expect([own.length, everything.length, head]).toEqual([n + 1, n + 1, position]);
        await Promise.all(earlier);
      }
    });
  });

  describe('readAll', () => {
    test('of an empty log is nothing, and its head is 0', async () => {
      expect(await all(store.readAll('start'))).toEqual([]);
      expect(await store.head()).toBe(0n);
    });

    test('gives all events in commit order and ends at the head', async () => {
      const written: RecordedEvent[] = [];
      for (const stream of ['entry-s.1', 'roster-s', 'entry-s.1', 'entry-t.1', 'roster-s']) {
        const { position } = await store.append(stream, events(2), 'any');
        written.push(...(await all(store.read(stream))).slice(-2));
        expect(await store.head()).toBe(position);
      }

      const stored = await all(store.readAll('start'));

      expect(stored).toEqual(written);
      expect(rising(stored)).toBe(true);
    });

    test('after a position, that one excluded', async () => {
      const first = await store.append('entry-s.1', events(2), 'none');
      const second = await store.append('entry-s.2', events(2), 'none');

      expect((await all(store.readAll(first.position))).map(({ stream }) => stream)).toEqual(['entry-s.2', 'entry-s.2']);
      expect(await all(store.readAll(second.position))).toEqual([]);
    });

    test('one event by its position, and none where none stands', async () => {
      const { position } = await store.append('entry-s.1', events(2), 'none');
      const stored = await all(store.readAll('start'));

      expect(await Promise.all(stored.map((one) => store.eventAt(one.position)))).toEqual(stored);
      expect(await store.eventAt(position + 1n)).toBeUndefined();
      expect(await store.eventAt(position + 1_000_000n)).toBeUndefined();
    });

    test('of the streams that start with a prefix', async () => {
      for (const stream of ['entry-s.1', 'entry-t.1', 'roster-s', 'entry-s.2', 'xentry-s.1', 'ENTRY-S.3']) {
        await store.append(stream, events(1), 'none');
      }

      const wanted = await all(store.readAll('start', { streamPrefixes: ['entry-s', 'roster-'] }));

      expect(wanted.map(({ stream }) => stream)).toEqual(['entry-s.1', 'roster-s', 'entry-s.2']);
      expect(await all(store.readAll('start', { streamPrefixes: [] }))).toEqual([]);
    });

    test('of a log longer than a page, in rows and in bytes', async () => {
      await store.append('entry-s.1', events(2500), 'none');
      for (let n = 0; n < 5; n += 1) await store.append('entry-s.2', [event({ data: noise(600_000) })], 'any');
      await store.append('entry-s.3', events(1), 'none');

      expect(await all(store.readAll('start'))).toHaveLength(2506);
      expect(await all(store.readAll('start', { streamPrefixes: ['entry-s.2'] }))).toHaveLength(5);
      expect(await all(store.readAll('start', { streamPrefixes: ['entry-s.3'] }))).toHaveLength(1);
      expect(rising(await all(store.readAll('start')))).toBe(true);
    });
  });
};
