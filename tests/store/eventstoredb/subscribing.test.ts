import { EventStoreDBClient } from '@eventstore/db-client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventStoreDbStore } from '../../../events/store/eventstoredb.ts';
import { StoreUnavailable } from '../../../events/store/port.ts';
import { startEventStore } from '../../support/eventstoredb/server.ts';
import { event, events } from '../given.ts';
import { eventStoreDbLog } from '../logs/eventstoredb.ts';
import type { EventStoreDbLog } from '../logs/eventstoredb.ts';
import { all, failure, follow, ids, insist } from '../seen.ts';

/** What an EventStoreDB and its client do to subscriptions and reads, each seen on a true server; and what becomes of it here. */

let log: EventStoreDbLog;
beforeEach(async () => {
  log = await eventStoreDbLog();
});
afterEach(() => log.close());

test('a checkpoint that is announced before its events were read does not lose them', async () => {
  const seen = follow(log.store, 'start');
  await seen.until(({ live }) => live);
  // The subscription tells of them at once; reading them takes its time.
  log.server.faults.when(({ method }) => method === 'read', { kind: 'slow', ms: 30 });
  const other = log.join();
  let last = 0n;
  for (let n = 0; n < 10; n += 1) ({ position: last } = await other.append(`entry-s.${n}`, events(50), 'none'));
  await seen.until(({ position }) => position >= last);
  await seen.end();
  log.server.faults.clear();

  const wanted = await all(log.store.readAll('start'));
  for (const [n, { position }] of seen.batches.entries()) {
    const given = seen.batches.slice(0, n + 1).flatMap((batch) => ids(batch.events));
    expect(given).toEqual(ids(wanted.filter((one) => one.position <= position)));
  }
});

test('a clean end of the subscription is a drop', async () => {
  log.server.faults.next('subscribe', { kind: 'after', events: 0, how: 'end' });
  const seen = follow(log.store, 'start');

  expect(await failure(seen.finished)).toBeInstanceOf(StoreUnavailable);
});

test('a reading that the server ends early, as if that were all, goes on to the end of the log', async () => {
  await log.store.append('entry-s.1', events(20), 'none');
  log.server.faults.next('read', { kind: 'after', events: 7, how: 'end' });
  expect(await all(log.store.readAll('start'))).toHaveLength(20);

  log.server.faults.next('read', { kind: 'after', events: 7, how: 'end' });
  const seen = follow(log.store, 'start');
  await seen.until(({ live }) => live);
  expect(seen.events).toHaveLength(20);
  await seen.end();

  log.server.faults.when(({ method }) => method === 'read', { kind: 'after', events: 1, how: 'end' });
  expect(String(await failure(all(log.store.readAll('start'))))).toContain('ends reads at position');
});

test('a server that breaks off while it is asked for the newest event has one all the same', async () => {
  const { position } = await log.store.append('entry-s.1', events(2), 'none');
  const client = EventStoreDBClient.connectionString(log.server.url);
  for (let n = 0; n < 5; n += 1) await client.setStreamMetadata('entry-s.1', { maxCount: 1000 + n });
  await client.dispose();
  const before = (count: number) => log.server.faults.next('read', { kind: 'after', events: count, how: 'end' });

  before(0);
  expect(await log.store.head()).toBe(position);
  before(1);
  before(2);
  expect(await log.join().head()).toBe(position);
});

test('a reading of a stream that the server ends early, as it does while it stops, goes on to the end of the stream', async () => {
  const wanted = events(20);
  await log.store.append('entry-s.1', wanted, 'none');
  for (const count of [0, 7]) {
    log.server.faults.when(({ stream }) => stream === 'entry-s.1', { kind: 'after', events: count, how: 'end' }, 1);
    expect(ids(await all(log.store.read('entry-s.1')))).toEqual(ids(wanted));
  }
});

test('a stream that was cut or deleted and begun anew is not taken for a shorter one', async () => {
  const client = EventStoreDBClient.connectionString(log.server.url);
  for (const cut of [{ truncateBefore: 2 }, { maxCount: 1 }]) {
    const stream = `entry-s.${Object.keys(cut).join()}`;
    await log.store.append(stream, events(3), 'none');
    await client.setStreamMetadata(stream, cut);
    expect(await failure(all(log.store.read(stream)))).toMatchObject({
      message: `${stream} is missing its events 0 to 1: it was truncated in EventStoreDB, which Marktrail never does`,
    });
    expect(await all(log.store.read(stream, 2n))).toHaveLength(1);
  }
  await log.store.append('entry-s.1', events(3), 'none');
  await client.deleteStream('entry-s.1');
  await client.dispose();
  await log.store.append('entry-s.1', events(1), 'none');

  expect(String(await failure(all(log.store.read('entry-s.1'))))).toContain('is missing its events 0 to 2');
  expect(await all(log.store.readAll('start'))).toHaveLength(10);
});

test('a stream that was deleted for ever is an error that says so, for who reads and for who appends', async () => {
  await log.store.append('entry-s.1', events(2), 'none');
  const client = EventStoreDBClient.connectionString(log.server.url);
  await client.tombstoneStream('entry-s.1');
  await client.dispose();

  expect(String(await failure(all(log.store.read('entry-s.1'))))).toContain('was deleted in EventStoreDB');
  expect(String(await failure(log.store.append('entry-s.1', events(1), 1n)))).toContain('was deleted in EventStoreDB');
  expect(await all(log.store.readAll('start'))).toHaveLength(2);
});

test('a server that fails at reading an event says the same as one that has none there: it is asked again', async () => {
  const { position } = await log.store.append('entry-s.1', events(1), 'none');
  log.server.faults.next('read', { kind: 'failed' });

  expect(await log.store.eventAt(position)).toMatchObject({ position });
});

test('a newer server: another word for a position of another log, and who is slow falls behind instead of being sent away', async () => {
  const newer = await startEventStore({ serverVersion: '25.0.1' });
  const store = eventStoreDbStore({ url: newer.url });
  const seen = follow(store, 'start');
  await seen.until(({ live }) => live);
  const burst = events(1000);
  const { position } = await insist(() => store.append('entry-s.1', burst, 'none'));
  await seen.until((batch) => batch.position >= position);
  await seen.end();
  expect(ids(seen.events)).toEqual(ids(burst));

  expect(await store.eventAt(position + 1n)).toBeUndefined();
  expect(await store.eventAt(position)).toMatchObject({ id: burst.at(-1)?.id });
  expect(String(await failure(all(store.readAll(position - 1n))))).toContain('may be a position of another log');
  await store.close();
  await newer.stop();
});

test('a subscriber slower than the writers is sent away by the server, and neither hears of it nor loses an event', async () => {
  log.server.faults.next('subscribe', { kind: 'after', events: 0, how: 'too slow' }, 3);
  const seen = follow(log.store, 'start');
  await seen.until(({ live }) => live);
  const burst = events(5000);
  const other = log.join();
  const { position } = await insist(() => other.append('entry-s.1', burst, 'none'));
  await seen.until((batch) => batch.position >= position);
  await seen.end();

  expect(ids(seen.events)).toEqual(ids(burst));
});

test('a subscription that falls silent without ending loses nothing: the end of the log is asked for besides', async () => {
  log.server.faults.next('subscribe', { kind: 'after', events: 0, how: 'silence' });
  const seen = follow(log.store, 'start');
  await seen.until(({ live }) => live);
  const { position } = await log.join().append('entry-s.1', events(2), 'none');

  await seen.until((batch) => batch.position >= position);
  await seen.end();
});

test('a log that was set back, as by a restored backup, is told to whoever stands beyond its end', async () => {
  const { position } = await log.store.append('entry-s.1', events(20), 'none');
  const restored = await startEventStore();
  const store = eventStoreDbStore({ url: restored.url });

  expect(await failure(follow(store, position).finished)).toMatchObject({
    name: 'StoreUnavailable',
    message: expect.stringContaining('set back') as string,
  });
  await store.close();
  await restored.stop();
});

test('a server that falls silent while a subscriber sleeps is noticed', async () => {
  const impatient = log.join({ timeoutMs: 500 });
  await insist(() => impatient.head());
  const seen = follow(impatient, 'start');
  await seen.until(({ live }) => live);
  log.server.faults.silence();

  expect(await failure(seen.finished)).toBeInstanceOf(StoreUnavailable);
});

test('a reading that breaks off or falls silent is never taken for the end of the log', async () => {
  await log.store.append('entry-s.1', events(20), 'none');
  const impatient = log.join({ timeoutMs: 300 });
  await insist(() => impatient.head());

  log.server.faults.next('read', { kind: 'after', events: 7, how: 'silence' });
  expect(await insist(() => all(impatient.readAll('start')))).toHaveLength(20);
  log.server.faults.next('read', { kind: 'after', events: 7, how: 'cut' });
  expect(await all(log.store.readAll('start'))).toHaveLength(20);
  log.server.faults.silence();
  expect(await failure(all(impatient.readAll('start')))).toBeInstanceOf(StoreUnavailable);
});

test('a process has one subscription, however many follow', async () => {
  let asked = 0;
  log.server.faults.when(({ method }) => method === 'subscribe' && ++asked < 0, { kind: 'silence' });
  const followers = Array.from({ length: 130 }, () => follow(log.store, 'start'));
  await Promise.all(followers.map((one) => one.until(({ live }) => live)));
  const { position } = await log.join().append('entry-s.1', events(1), 'none');
  await Promise.all(followers.map((one) => one.until((batch) => batch.position >= position)));
  await Promise.all(followers.map((one) => one.end()));

  expect(asked).toBe(1);
});

test('the server’s own events are left out, and count neither as head nor as position', async () => {
  const { position } = await log.store.append('entry-s.1', events(1), 'none');
  const client = EventStoreDBClient.connectionString(log.server.url);
  for (let n = 0; n < 50; n += 1) await client.setStreamMetadata('entry-s.1', { maxCount: 1000 + n });
  const seen = follow(log.store, 'start');
  await seen.until(({ live }) => live);
  await client.setStreamMetadata('entry-s.1', { maxCount: 9 });
  await client.dispose();

  expect(await log.store.head()).toBe(position);
  expect(await all(log.store.readAll('start'))).toHaveLength(1);
  const next = await log.store.append('entry-s.2', events(1), 'none');
  await seen.until((batch) => batch.position === next.position);
  await seen.end();
  expect(seen.batches.map((batch) => batch.position)).toEqual([position, next.position]);
  expect(await log.store.head()).toBe(next.position);
});

test('the newest event of ours is found behind whatever number of the server’s own stands there', async () => {
  const { position } = await log.store.append('entry-s.1', events(3), 'none');
  const client = EventStoreDBClient.connectionString(log.server.url);
  for (let n = 1; n <= 3; n += 1) {
    await client.setStreamMetadata('entry-s.1', { maxCount: 1000 + n });
    expect(await log.join().head()).toBe(position);
  }
  await client.dispose();
});

test('a position is one number: of an event, of a checkpoint of its subscription, 0 for the start; one of another log is refused', async () => {
  await log.store.append('entry-s.1', events(3), 'none');
  const [first, second] = await all(log.store.readAll('start'));

  expect(await all(log.store.readAll(0n))).toHaveLength(3);
  expect(ids(await all(log.store.readAll(first?.position ?? 0n))).at(0)).toBe(second?.id);
  expect(await failure(all(log.store.readAll((first?.position ?? 0n) + 1n)))).toBeInstanceOf(StoreUnavailable);
  expect(await log.store.eventAt((first?.position ?? 0n) + 1n)).toBeUndefined();
});

test('a page holds little more than 1 MiB, whatever the log holds', async () => {
  for (let n = 0; n < 8; n += 1) await log.store.append('entry-s.1', [event({ data: `"${'x'.repeat(700_000)}"` })], 'any');
  const seen = follow(log.store, 'start');
  await seen.until(({ live }) => live);
  await seen.end();

  expect(seen.events).toHaveLength(8);
  expect(Math.max(...seen.batches.map((batch) => batch.events.length))).toBe(2);
});
