import { beforeEach, describe, expect, test } from 'vitest';
import { AppendTooLarge, EventIdTaken, MAX_APPEND_BYTES, WrongExpectedRevision } from '../../../events/store/port.ts';
import type { AppendResult, EventStore } from '../../../events/store/port.ts';
import { CROOKED_JSON, event, events, jsonOf } from '../given.ts';
import type { OpenLog } from '../open-log.ts';
import { all, failure } from '../seen.ts';

/** What may be appended, and what a repeated append answers. */
export const appending = (opened: () => OpenLog): void => {
  let log: OpenLog;
  let store: EventStore;

  beforeEach(() => {
    log = opened();
    ({ store } = log);
  });

  describe('append', () => {
    test('to a stream that does not exist, and to one at an exact revision', async () => {
      const first = await store.append('entry-s.1', events(2), 'none');
      const second = await store.append('entry-s.1', events(1), first.revision);

      expect([first.revision, second.revision]).toEqual([1n, 2n]);
      expect(second.position).toBeGreaterThan(first.position);
    });

    test('to any revision', async () => {
      expect((await store.append('entry-s.1', events(1), 'any')).revision).toBe(0n);
      expect((await store.append('entry-s.1', events(1), 'any')).revision).toBe(1n);
    });

    test.each([
      { expected: 'none', existing: 2, actual: 1n },
      { expected: 0n, existing: 2, actual: 1n },
      { expected: 2n, existing: 2, actual: 1n },
      { expected: 0n, existing: 0, actual: 'none' },
    ] as const)(
      'expecting $expected of a stream with $existing events is refused, and says what is there',
      async ({ expected, existing, actual }) => {
        if (existing > 0) await store.append('entry-s.1', events(existing), 'none');

        const refusal = await failure(store.append('entry-s.1', events(1), expected));

        expect(refusal).toBeInstanceOf(WrongExpectedRevision);
        expect(refusal).toMatchObject({ stream: 'entry-s.1', expected, actual });
        expect(await all(store.read('entry-s.1'))).toHaveLength(existing);
      },
    );

    test('one of two that expect the same revision is refused', async () => {
      const outcomes = await Promise.allSettled([
        store.append('entry-s.1', events(1), 'none'),
        log.join().append('entry-s.1', events(1), 'none'),
      ]);

      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
        reason: { name: 'WrongExpectedRevision', actual: 0n },
      });
    });

    test('writes all events or none', async () => {
      await failure(store.append('entry-s.1', [event(), event({ data: '{"mark":' }), event()], 'none'));

      expect(await all(store.read('entry-s.1'))).toEqual([]);
    });

    test('nothing is a mistake', async () => {
      expect(await failure(store.append('entry-s.1', [], 'none'))).toBeInstanceOf(RangeError);
    });

    test('what is no JSON is a mistake, and does not disturb others', async () => {
      const outcomes = await Promise.allSettled([
        store.append('entry-s.1', events(1), 'none'),
        store.append('entry-s.2', [event({ data: '{"mark":' })], 'none'),
        store.append('entry-s.3', events(1), 'none'),
      ]);

      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(await all(store.readAll('start'))).toHaveLength(2);
    });
  });

  describe('append again', () => {
    test.each(['none', 'any'] as const)(
      'with the same ids and the same expected revision (%s) answers the first result',
      async (expected) => {
        const same = events(3);
        const first = await store.append('entry-s.1', same, expected);
        await store.append('entry-s.1', events(2), first.revision);
        await store.append('entry-s.2', events(2), 'none');

        expect(await store.append('entry-s.1', same, expected)).toEqual(asRepeat(store, first));
        expect(await all(store.readAll('start'))).toHaveLength(7);
      },
    );

    test('does so at an exact revision, from another process', async () => {
      const same = events(2);
      await store.append('entry-s.1', events(1), 'none');
      const first = await store.append('entry-s.1', same, 0n);
      await store.append('entry-s.1', events(1), 2n);

      expect(await log.join().append('entry-s.1', same, 0n)).toEqual(asRepeat(store, first));
      expect(await all(store.read('entry-s.1'))).toHaveLength(4);
    });

    test('while the first is still under way writes once', async () => {
      const same = events(2);
      const other = log.join();
      const results = await Promise.all([store, store, other, other].map((one) => one.append('entry-s.1', same, 'none')));

      expect(new Set(results.map(({ position }) => position)).size).toBe(1);
      expect(await all(store.read('entry-s.1'))).toHaveLength(2);
    });

    test('keeps the first body', async () => {
      const first = event({ data: '{"mark":1}' });
      await store.append('entry-s.1', [first], 'none');
      await store.append('entry-s.1', [{ ...first, data: '{"mark":2}' }], 'none');

      expect((await all(store.read('entry-s.1'))).map(({ data }) => data)).toEqual(['{"mark":1}']);
    });

    test('with only the first of its events answers where that one stands', async () => {
      const same = events(3);
      await store.append('entry-s.1', same, 'none');

      expect((await store.append('entry-s.1', same.slice(0, 2), 'none')).revision).toBe(1n);
    });

    test('with more events than the first time is refused', async () => {
      const same = events(2);
      await store.append('entry-s.1', same, 'none');

      expect(await failure(store.append('entry-s.1', [...same, event()], 'none'))).toBeInstanceOf(EventIdTaken);
      expect(await all(store.read('entry-s.1'))).toHaveLength(2);
    });

    test.each([
      { what: 'in another stream', stream: 'entry-s.2', expected: 'none', elsewhere: 'written' },
      { what: 'at another revision', stream: 'entry-s.1', expected: 1n, elsewhere: 'written' },
      { what: 'at a revision that is wrong besides', stream: 'entry-s.1', expected: 9n, elsewhere: 'refused' },
    ] as const)(
      '$what is refused: the id is taken; by a log that does not know it, $elsewhere',
      async ({ stream, expected, elsewhere }) => {
        const same = events(2);
        await store.append('entry-s.1', same, 'none');
        const isWritten = !log.idsAreUnique && elsewhere === 'written';

        if (isWritten) await store.append(stream, same, expected);
        else
          expect(await failure(store.append(stream, same, expected))).toBeInstanceOf(
            log.idsAreUnique ? EventIdTaken : WrongExpectedRevision,
          );
        expect(await all(store.readAll('start'))).toHaveLength(isWritten ? 4 : 2);
      },
    );

    test('in another order is refused', async () => {
      const same = events(2);
      await store.append('entry-s.1', same, 'none');

      expect(await failure(store.append('entry-s.1', same.toReversed(), 'none'))).toBeInstanceOf(EventIdTaken);
    });

    test('an id twice in one append is refused', async () => {
      const twice = event();

      expect(await failure(store.append('entry-s.1', [twice, twice], 'none'))).toBeInstanceOf(EventIdTaken);
    });
  });

  describe('size', () => {
    test('1 MiB of data is taken, one byte more is not; bytes count, not letters', async () => {
      const full = events(2, { data: jsonOf(MAX_APPEND_BYTES / 2) });
      const inLetters = event({ data: `"${'é'.repeat(MAX_APPEND_BYTES / 2)}"` });

      expect((await store.append('entry-s.1', full, 'none')).revision).toBe(1n);
      expect(await failure(store.append('entry-s.2', [event({ data: jsonOf(MAX_APPEND_BYTES + 1) })], 'none'))).toBeInstanceOf(
        AppendTooLarge,
      );
      expect(await failure(store.append('entry-s.2', [inLetters], 'none'))).toBeInstanceOf(AppendTooLarge);
      expect(await all(store.read('entry-s.2'))).toEqual([]);
    });

    test('3 MB in parts come back byte for byte', async () => {
      const whole = jsonOf(3_000_000, CROOKED_JSON);
      const parts = whole.match(/[^]{1,200000}/gu) ?? [];
      let last: AppendResult | undefined;
      for (const part of parts) {
        last = await store.append('entry-s.1', [event({ type: 'Part', data: JSON.stringify(part) })], last?.revision ?? 'none');
      }
      await store.append('entry-s.1', [event({ type: 'Closed', metadata: `{"parts":${parts.length}}` })], last?.revision ?? 'none');

      const stored = await all(store.read('entry-s.1'));

      expect(stored.map(({ type }) => type)).toEqual([...parts.map(() => 'Part'), 'Closed']);
      expect(
        stored
          .slice(0, -1)
          .map(({ data }) => JSON.parse(data))
          .join('') === whole,
      ).toBe(true);
    });

    test('data and metadata keep every byte: order of keys, spaces, escapes, odd letters', async () => {
      const odd = event({ data: CROOKED_JSON, metadata: CROOKED_JSON, type: 'Ünüsual "type" \\ 🎓' });
      await store.append('entry-s.{"a,b"}\\é', [odd], 'none');

      expect(await all(store.read('entry-s.{"a,b"}\\é'))).toMatchObject([odd]);
      expect(await all(store.readAll('start'))).toMatchObject([odd]);
    });
  });
};

/** What the same append answers again. */
const asRepeat = ({ tellsRepeats }: EventStore, first: AppendResult): AppendResult => (tellsRepeats ? { ...first, repeated: true } : first);
