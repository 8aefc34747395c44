import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AppendTooLarge, EventIdTaken, MAX_APPEND_BYTES, OutcomeUnknown, StoreUnavailable, WrongExpectedRevision } from '../../events/store/port.ts';
import type { AppendResult, Batch, EventStore, NewEvent, Position, RecordedEvent } from '../../events/store/port.ts';

/** An adapter with an empty log of its own, and the means to break it. */
export type OpenLog = {
  readonly store: EventStore;
  /** Another process on the same log. `timeoutMs`: how long it waits for an answer. The suite closes it. */
  join(options?: { timeoutMs: number }): EventStore;
  /** Breaks every connection to the log. */
  cut(): Promise<void>;
  /** From now on the log takes appends and does not answer, until the returned function is called. */
  silence(): Promise<() => Promise<void>>;
  close(): Promise<void>;
};

/** What every adapter of the event store promises; see events/store/port.ts. */
export const eventStoreContract = (name: string, open: () => Promise<OpenLog>): void => {
  describe(`event store: ${name}`, () => {
    let log: OpenLog;
    let store: EventStore;

    beforeEach(async () => {
      log = await open();
      store = log.store;
    });

    afterEach(() => log.close());

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
      ] as const)('expecting $expected of a stream with $existing events is refused, and says what is there', async ({ expected, existing, actual }) => {
        if (existing > 0) await store.append('entry-s.1', events(existing), 'none');

        const refusal = await failure(store.append('entry-s.1', events(1), expected));

        expect(refusal).toBeInstanceOf(WrongExpectedRevision);
        expect(refusal).toMatchObject({ stream: 'entry-s.1', expected, actual });
        expect(await all(store.read('entry-s.1'))).toHaveLength(existing);
      });

      test('one of two that expect the same revision is refused', async () => {
        const outcomes = await Promise.allSettled([
          store.append('entry-s.1', events(1), 'none'),
          log.join().append('entry-s.1', events(1), 'none'),
        ]);

        expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
        expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { name: 'WrongExpectedRevision', actual: 0n } });
      });

      test('writes all events or none', async () => {
        const taken = event();
        await store.append('entry-s.1', [taken], 'none');

        await failure(store.append('entry-s.2', [event(), taken, event()], 'none'));

        expect(await all(store.read('entry-s.2'))).toEqual([]);
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
      test.each(['none', 'any'] as const)('with the same ids and the same expected revision (%s) answers the first result', async (expected) => {
        const same = events(3);
        const first = await store.append('entry-s.1', same, expected);
        await store.append('entry-s.1', events(2), first.revision);
        await store.append('entry-s.2', events(2), 'none');

        expect(await store.append('entry-s.1', same, expected)).toEqual(first);
        expect(await all(store.readAll('start'))).toHaveLength(7);
      });

      test('does so at an exact revision, from another process', async () => {
        const same = events(2);
        await store.append('entry-s.1', events(1), 'none');
        const first = await store.append('entry-s.1', same, 0n);
        await store.append('entry-s.1', events(1), 2n);

        expect(await log.join().append('entry-s.1', same, 0n)).toEqual(first);
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
        { what: 'in another stream', stream: 'entry-s.2', expected: 'none' },
        { what: 'at another revision', stream: 'entry-s.1', expected: 1n },
        { what: 'at a revision that is wrong besides', stream: 'entry-s.1', expected: 9n },
      ] as const)('$what is refused: the id is taken', async ({ stream, expected }) => {
        const same = events(2);
        await store.append('entry-s.1', same, 'none');

        expect(await failure(store.append(stream, same, expected))).toBeInstanceOf(EventIdTaken);
        expect(await all(store.readAll('start'))).toHaveLength(2);
      });

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
        expect(await failure(store.append('entry-s.2', [event({ data: jsonOf(MAX_APPEND_BYTES + 1) })], 'none'))).toBeInstanceOf(AppendTooLarge);
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
        expect(stored.slice(0, -1).map(({ data }) => JSON.parse(data)).join('') === whole).toBe(true);
      });

      test('data and metadata keep every byte: order of keys, spaces, escapes, odd letters', async () => {
        const odd = event({ data: CROOKED_JSON, metadata: CROOKED_JSON, type: 'Ünüsual "type" \\ 🎓' });
        await store.append('entry-s.{"a,b"}\\é', [odd], 'none');

        expect(await all(store.read('entry-s.{"a,b"}\\é'))).toMatchObject([odd]);
        expect(await all(store.readAll('start'))).toMatchObject([odd]);
      });
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
        await Promise.all(lengths.map((length, n) => length && store.append(`entry-s.${n}`, events(length), 'none')));

        const read = await Promise.all(lengths.map((_, n) => all(store.read(`entry-s.${n}`, 1n))));

        expect(read.map(({ length }) => length)).toEqual(lengths.map((length) => Math.max(length - 1, 0)));
        expect(read.every((stored, n) => stored.every(({ stream, revision }, at) => stream === `entry-s.${n}` && revision === BigInt(at + 1)))).toBe(true);
      });

      test('sees what was answered before it was asked', async () => {
        for (let n = 0; n < 50; n += 1) {
          await store.append('entry-s.1', events(1), 'any');
          const [own, everything] = await Promise.all([all(store.read('entry-s.1')), all(store.readAll('start'))]);
          expect([own.length, everything.length]).toEqual([n + 1, n + 1]);
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
        await store.append('entry-s.1', events(5000), 'none');
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

        await log.cut();

        expect(await failure(seen.finished)).toBeInstanceOf(StoreUnavailable);
        const missed = await insist(() => store.append('entry-s.2', SOME_EVENTS, 'none'));
        const again = follow(store, seen.batches.at(-1)?.position ?? 'start', undefined, true);
        await again.until(({ position }) => position >= missed.position);
        expect(ids(again.events)).toEqual(ids(SOME_EVENTS));
        await again.end();
      });
    });

    describe('a store that fails', () => {
      test('no answer in time is OutcomeUnknown; the same append again is written once', async () => {
        const impatient = log.join({ timeoutMs: 300 });
        await impatient.append('entry-s.1', events(1), 'none');
        const speak = await log.silence();
        const same = events(2);

        expect(await failure(impatient.append('entry-s.1', same, 0n))).toBeInstanceOf(OutcomeUnknown);
        await speak();

        const result = await insist(() => impatient.append('entry-s.1', same, 0n));
        expect(result.revision).toBe(2n);
        expect(await impatient.append('entry-s.1', same, 0n)).toEqual(result);
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
      let written = 0;

      /** Each has a stream of his own and, every fourth time, one that all write to. */
      const write = async (n: number) => {
        const own = stores[n % stores.length] ?? store;
        for (let left = 100, revision: AppendResult['revision'] | 'none' = 'none'; left > 0; ) {
          const batch = events(Math.min(left, 1 + Math.floor(Math.random() * 3)));
          left -= batch.length;
          written += batch.length;
          if (left % 4 === 0) await own.append('roster-s', batch, 'any');
          else ({ revision } = await own.append(`entry-s.${n}`, batch, revision));
        }
      };

      const subscribe = async (finished: () => boolean) => {
        let position: Position = 0n;
        const done = (live: boolean) => live && finished() && seen.length >= written;
        for (let live = false; !done(live); restarts += 1) {
          let batchesLeft = 1 + Math.floor(Math.random() * 5);
          for await (const batch of stores[restarts % stores.length]?.subscribe(position, { signal: AbortSignal.timeout(50_000) }) ?? []) {
            seen.push(...batch.events);
            ({ position, live } = batch);
            batchesLeft -= 1;
            if (batchesLeft === 0 || done(live)) break;
          }
        }
      };

      let finished = false;
      const writing = Promise.all(Array.from({ length: 16 }, (_, n) => write(n))).finally(() => (finished = true));
      await Promise.all([writing, subscribe(() => finished)]);

      expect(written).toBe(1600);
      expect(restarts).toBeGreaterThan(3);
      expect(ids(seen)).toEqual(ids(await all(store.readAll('start'))));
      expect(new Set(ids(seen)).size).toBe(written);
      expect(rising(seen)).toBe(true);
      for (const stream of Map.groupBy(seen, (one) => one.stream).values()) {
        expect(stream.map(({ revision }) => revision)).toEqual(stream.map((_, n) => BigInt(n)));
      }
    });
  });
};

/** JSON that a parser would give back otherwise: order of keys, spaces, doubled keys, number forms, escapes and letters of all kinds. */
const CROOKED_JSON = String.raw`{"z":1,"a":[1.0, 1e2,-0],  "10":"x","2":"y","z":null,"s":"\"\\\/\b\f\n\r\t\u0041\u0000\ud800 é ß 𝄞 👩‍🏫 ‮ \u2028 {},'$1"}`;

const ONLY_S = { streamPrefixes: ['entry-s'] };

export const event = (parts: Partial<NewEvent> = {}): NewEvent => ({
  id: randomUUID(),
  type: 'MarksEntered',
  data: '{"mark":12}',
  metadata: '{"at":"2026-09-01T08:00:00.000Z"}',
  ...parts,
});

export const events = (count: number, parts: Partial<NewEvent> = {}): NewEvent[] => Array.from({ length: count }, () => event(parts));

const SOME_EVENTS = events(3);

/** JSON text of so many bytes, all ASCII but for the start. */
const jsonOf = (bytes: number, start = ''): string => {
  const text = JSON.stringify(start);
  return text.slice(0, -1) + 'x'.repeat(bytes - Buffer.byteLength(text)) + '"';
};

/** JSON text that does not compress. */
const noise = (bytes: number): string =>
  `"${Array.from({ length: bytes / 36 }, () => randomUUID()).join('')}"`;

export const ids = (list: readonly { readonly id: string }[]): string[] => list.map(({ id }) => id);

const rising = (list: readonly RecordedEvent[]): boolean =>
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
export const insist = async <T>(attempt: () => Promise<T>): Promise<T> => {
  for (let left = 20; ; left -= 1) {
    try {
      return await attempt();
    } catch (error) {
      if (left === 0 || !(error instanceof StoreUnavailable || error instanceof OutcomeUnknown)) throw error;
    }
  }
};

const nextBatch = async (store: EventStore, after: Position | 'start'): Promise<Batch> => {
  for await (const batch of store.subscribe(after, { signal: AbortSignal.timeout(20_000) })) return batch;
  return expect.fail('the subscription ended without a batch');
};

/** A subscription and what it has given so far. With `insisting`, a beginning that fails is tried again. */
export const follow = (store: EventStore, after: Position | 'start', filter?: { streamPrefixes: string[] }, insisting = false) => {
  const stop = new AbortController();
  const batches: Batch[] = [];
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
    async until(wanted: (batch: Batch) => boolean) {
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
