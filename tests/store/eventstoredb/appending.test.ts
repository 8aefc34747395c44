import { randomUUID } from 'node:crypto';
import { EventStoreDBClient } from '@eventstore/db-client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { EventStore } from '../../../events/store/port.ts';
import { split } from '../../../events/codec/parts.ts';
import { eventStoreDbStore } from '../../../events/store/eventstoredb.ts';
import { AppendTooLarge, MAX_APPEND_BYTES, OutcomeUnknown, StoreUnavailable, WrongExpectedRevision } from '../../../events/store/port.ts';
import { startEventStore } from '../../support/eventstoredb/server.ts';
import { event, events, jsonOf } from '../given.ts';
import { eventStoreDbLog } from '../logs/eventstoredb.ts';
import type { EventStoreDbLog } from '../logs/eventstoredb.ts';
import { all, failure, ids, insist } from '../seen.ts';

/** What an EventStoreDB and its client do to appends, each seen on a true server; and what becomes of it here. */

let log: EventStoreDbLog;
beforeEach(async () => {
  log = await eventStoreDbLog();
});
afterEach(() => log.close());

test.each(['none', 0n] as const)(
  'a retry after an unknown outcome does not write twice, after a restart neither (%s)',
  async (expected) => {
    const impatient = await connected({ timeoutMs: 300 });
    if (expected === 0n) await log.store.append('entry-s.1', events(1), 'none');
    const same = events(2);
    log.server.faults.next('append', { kind: 'written, silence' });
    expect(await failure(impatient.append('entry-s.1', same, expected))).toBeInstanceOf(OutcomeUnknown);

    const first = await log.join().append('entry-s.1', same, expected);
    await log.server.restart();

    expect(await log.join().append('entry-s.1', same, expected)).toEqual(first);
    expect(ids(await all(log.join().read('entry-s.1'))).slice(-2)).toEqual(ids(same));
  },
);

test.each(['written, cut', 'cut', 'written, timeout', 'timeout', 'not ready'] as const)(
  'an append that breaks off (%s) is sent again with the same ids, and written once',
  async (kind) => {
    log.server.faults.next('append', { kind });
    const same = events(2);

    expect((await log.store.append('entry-s.1', same, 'none')).revision).toBe(1n);
    expect(ids(await all(log.store.read('entry-s.1')))).toEqual(ids(same));
  },
);

test('an append to any revision is not sent again: after a restart the server would not know its ids', async () => {
  const same = events(1);
  log.server.faults.next('append', { kind: 'written, cut' });
  expect(await failure(log.store.append('entry-s.1', same, 'any'))).toBeInstanceOf(OutcomeUnknown);
  await log.server.restart();
  await log.join().append('entry-s.1', same, 'any');

  expect(await all(log.join().read('entry-s.1'))).toHaveLength(2);
});

test('one broken append stream harms no other append', async () => {
  const other = log.join();
  log.server.faults.when(({ method, stream }) => method === 'append' && stream === 'entry-s.7', { kind: 'written, timeout' }, 1);
  log.server.faults.when(({ method, stream }) => method === 'append' && stream === 'entry-s.9', { kind: 'cut' }, 1);
  const written = await Promise.all(
    Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? log.store : other).append(`entry-s.${n}`, events(1), 'none')),
  );

  expect(written.map(({ revision }) => revision)).toEqual(written.map(() => 0n));
  expect(await all(log.store.readAll('start'))).toHaveLength(20);
});

test('more appends and reads at once than a connection carries calls: none is forgotten', async () => {
  const streams = Array.from({ length: 300 }, (_, n) => `entry-s.${n}`);
  await Promise.all(streams.map((stream) => log.store.append(stream, events(1), 'none')));
  const read = await Promise.all(streams.map((stream) => all(log.store.read(stream))));

  expect(read.every(({ length }) => length === 1)).toBe(true);
});

test('what waits behind a silent server was not sent, and says so in time', async () => {
  const impatient = await connected({ timeoutMs: 400 });
  log.server.faults.when(({ method }) => method === 'append', { kind: 'silence' });
  const outcomes = await Promise.all(Array.from({ length: 150 }, (_, n) => failure(impatient.append(`entry-s.${n}`, events(1), 'none'))));

  expect(outcomes.some((error) => error instanceof OutcomeUnknown)).toBe(true);
  expect(outcomes.every((error) => error instanceof OutcomeUnknown || error instanceof StoreUnavailable)).toBe(true);
});

test('a conflict says what is there, and a refusal that is none is told apart by the ids that stand there', async () => {
  const first = events(2);
  await log.store.append('entry-s.1', first, 'none');
  expect(await failure(log.store.append('entry-s.1', events(1), 'none'))).toMatchObject({ name: 'WrongExpectedRevision', actual: 1n });

  log.server.faults.next('append', { kind: 'wrong revision' });
  expect((await log.store.append('entry-s.1', first, 'none')).revision).toBe(1n);
  expect(await all(log.store.read('entry-s.1'))).toHaveLength(2);

  log.server.faults.next('append', { kind: 'wrong revision' });
  expect(await failure(log.store.append('entry-s.2', events(1), 'none'))).toBeInstanceOf(WrongExpectedRevision);
});

test('an answer without a position, as for what was written long ago, is filled from the stream', async () => {
  const same = events(2);
  const first = await log.store.append('entry-s.1', same, 'none');
  log.server.faults.next('append', { kind: 'no position' });

  expect(await log.store.append('entry-s.1', same, 'none')).toEqual(first);
});

test('a conflict that was told while reading breaks off is no conflict with nothing', async () => {
  await log.store.append('entry-s.1', events(3), 'none');
  log.server.faults.when(({ method, stream }) => method === 'read' && stream !== undefined, { kind: 'after', events: 0, how: 'end' }, 1);

  expect(await failure(log.store.append('entry-s.1', events(1), 0n))).toMatchObject({ name: 'WrongExpectedRevision', actual: 2n });
});

test('a newer server, which counts metadata and types towards the size of an append', async () => {
  const newer = await startEventStore({ serverVersion: '25.0.1' });
  const store = eventStoreDbStore({ url: newer.url });
  const full = event({ data: jsonOf(MAX_APPEND_BYTES) });

  expect(await failure(store.append('entry-s.1', [full], 'none'))).toBeInstanceOf(AppendTooLarge);
  const parted = split([{ ...full, metadata: JSON.stringify({ commandId: randomUUID() }) }]);
  let expected: bigint | 'none' = 'none';
  for (const part of parted) expected = (await store.append('entry-s.1', part, expected)).revision;
  expect(parted.length).toBeGreaterThan(1);
  await store.close();
  await newer.stop();
});

test('a server that was set to take less in one append says how much', async () => {
  log.server.faults.maxAppendSize = 100_000;

  expect(await failure(log.store.append('entry-s.1', [event({ data: jsonOf(200_000) })], 'none'))).toMatchObject({
    name: 'AppendTooLarge',
    limit: 100_000,
  });
  expect(await all(log.store.read('entry-s.1'))).toEqual([]);
});

test('the server keeps our text and takes it for JSON, so that others can read it', async () => {
  const odd = event({ data: '{"b": 1.0,  "a":"é","10":0}', metadata: '{"at":  "now"}' });
  await log.store.append('entry-s.1', [odd], 'none');
  const client = EventStoreDBClient.connectionString(log.server.url);
  const seen = [];
  for await (const { event: recorded } of client.readStream('entry-s.1')) seen.push(recorded);
  await client.dispose();

  expect(seen).toMatchObject([{ isJson: true, data: { b: 1, a: 'é', '10': 0 }, metadata: { at: 'now' } }]);
  expect(await all(log.store.read('entry-s.1'))).toMatchObject([odd]);
});

test('names that the server keeps for itself are a mistake', async () => {
  expect(await failure(log.store.append('$ours', events(1), 'none'))).toBeInstanceOf(RangeError);
  expect(await failure(log.store.append('entry-s.1', events(1, { type: '$ours' }), 'none'))).toBeInstanceOf(RangeError);
});

const connected = async (options: { timeoutMs: number }): Promise<EventStore> => {
  const store = log.join(options);
  await insist(() => store.head());
  return store;
};
