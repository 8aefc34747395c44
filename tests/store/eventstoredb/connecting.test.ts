import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventStoreDbStore } from '../../../events/store/eventstoredb.ts';
import { OutcomeUnknown, StoreUnavailable } from '../../../events/store/port.ts';
import { startEventStore } from '../../support/eventstoredb/server.ts';
import { limit } from '../../support/limits.ts';
import { Wire } from '../../faults/wire.ts';
import { events } from '../given.ts';
import { eventStoreDbLog } from '../logs/eventstoredb.ts';
import type { EventStoreDbLog } from '../logs/eventstoredb.ts';
import { all, failure, ids, insist } from '../seen.ts';

/** Connections that are lost, refused, silent, or lead to the wrong one. */

let log: EventStoreDbLog;
beforeEach(async () => {
  log = await eventStoreDbLog();
});
afterEach(() => log.close());

test('a server that is killed and comes back: appends say that it is away, then go on, and nothing is lost or doubled', async () => {
  const before = events(2);
  await log.store.append('entry-s.1', before, 'none');
  await log.server.stop();
  const same = events(2);
  // Whether the first went out before the connection was seen to be gone, nobody knows.
  await failure(log.join({ timeoutMs: 500 }).append('entry-s.1', same, 1n));
  expect(await failure(log.store.append('entry-s.1', same, 1n))).toBeInstanceOf(StoreUnavailable);
  expect(await failure(all(log.store.read('entry-s.1')))).toBeInstanceOf(StoreUnavailable);
  await log.server.restart();

  expect((await insist(() => log.store.append('entry-s.1', same, 1n))).revision).toBe(3n);
  expect(ids(await all(log.store.read('entry-s.1')))).toEqual(ids([...before, ...same]));
});

test('a server that is still starting is asked again', async () => {
  log.server.faults.notReady();
  expect(await failure(log.store.append('entry-s.1', events(1), 'none'))).toMatchObject({
    name: 'StoreUnavailable',
    message: expect.stringContaining('does not answer yet') as string,
  });
  log.server.faults.clear();

  expect((await log.store.append('entry-s.1', events(1), 'none')).revision).toBe(0n);
});

test('a connection that falls silent is given up and another is made', async () => {
  const impatient = log.join({ timeoutMs: 300 });
  const first = events(1);
  await insist(() => impatient.append('entry-s.1', first, 'none'));
  let greeted = 0;
  log.server.faults.when(({ method }) => method === 'features' && ++greeted < 0, { kind: 'silence' });
  log.server.faults.next('read', { kind: 'silence' });
  expect(await failure(all(impatient.read('entry-s.1')))).toBeInstanceOf(StoreUnavailable);

  expect(await insist(() => all(impatient.read('entry-s.1')))).toHaveLength(1);
  // More often on a machine that is slower than the time-out.
  expect(greeted).toBeGreaterThanOrEqual(1);
});

test('a connection that somebody on the way has forgotten is left for a new one, not for that of another store', async () => {
  const wire = await Wire.to(log.server.url);
  const store = eventStoreDbStore({ url: wire.url, timeoutMs: 500 });
  const neighbour = eventStoreDbStore({ url: wire.url });
  const [first, next] = [events(1), events(1)];
  await insist(() => store.append('entry-s.1', first, 'none'));
  await neighbour.head();
  wire.forget();
  expect(await failure(store.append('entry-s.1', next, 0n))).toBeInstanceOf(OutcomeUnknown);

  expect((await insist(() => store.append('entry-s.1', next, 0n))).revision).toBe(1n);
  await store.close();
  await neighbour.close();
  wire.close();
});

test('a follower sends appends to its leader', async () => {
  const leader = await startEventStore();
  const { hostname, port } = new URL(leader.url.replace('esdb:', 'http:'));
  log.server.faults.leader = { host: hostname, port: Number(port) };
  const same = events(1);

  expect((await log.store.append('entry-s.1', same, 'none')).revision).toBe(0n);
  const there = eventStoreDbStore({ url: leader.url });
  expect(ids(await all(there.read('entry-s.1')))).toEqual(ids(same));
  await there.close();
  await leader.stop();
});

test('a leader that cannot be reached is named', async () => {
  log.server.faults.leader = { host: '127.0.0.1', port: 1 };

  expect(await failure(log.store.head())).toMatchObject({
    name: 'StoreUnavailable',
    message: expect.stringMatching(/^127\.0\.0\.1:\d+, led by 127\.0\.0\.1:1, cannot be reached/) as string,
  });
});

test('a node that has lost its leader is waited for, and nothing is concluded from what it says', async () => {
  const { position } = await log.store.append('entry-s.1', events(1), 'none');
  log.server.faults.leader = 'unknown';
  for (const ask of [() => log.store.eventAt(position), () => log.store.head(), () => log.store.append('entry-s.1', events(1), 0n)]) {
    expect(await failure(ask())).toMatchObject({
      name: expect.stringMatching(/StoreUnavailable|OutcomeUnknown/) as string,
      message: expect.not.stringContaining('another log') as string,
    });
  }
  log.server.faults.leader = undefined;

  expect(await insist(() => log.store.eventAt(position))).toMatchObject({ position });
});

test('a node of a cluster that is cut off from the others says that it is not ready, for ever: another one is found', async () => {
  const nodes = [log.server, await startEventStore()] as const;
  const places = nodes.map(({ url }) => ({ host: '127.0.0.1', port: Number(new URL(url.replace('esdb:', 'http:')).port) }));
  const [first, second] = places.map((place) => ({ ...place, state: 'leader', isAlive: true }) as const);
  if (!first || !second) throw new Error('two nodes');
  for (const { faults } of nodes) faults.members = [first, { ...second, state: 'follower' }];
  const cluster = eventStoreDbStore({ url: `esdb://${places.map(({ host, port }) => `${host}:${port}`).join()}?tls=false` });
  await cluster.append('entry-s.1', events(1), 'none');
  expect(nodes.map(({ size }) => size)).toEqual([2, 1]);

  nodes[0].faults.notReady();
  nodes[0].faults.members = [
    { ...first, state: 'unknown' },
    { ...second, isAlive: false },
  ];
  nodes[1].faults.members = [{ ...first, isAlive: false }, second];
  expect((await insist(() => cluster.append('entry-s.2', events(1), 'none'))).revision).toBe(0n);
  expect(nodes.map(({ size }) => size)).toEqual([2, 2]);
  await cluster.close();
  await nodes[1].stop();
});

test.each([
  ['21.10.9', 'an EventStoreDB 21.10.9: 22.10 or newer is required'],
  ['21.6.0', 'an EventStoreDB before 21.10: 22.10 or newer is required'],
])('a server that is too old (%s) is refused by name, not used until something is missing', async (serverVersion, said) => {
  const old = await startEventStore({ serverVersion });
  const store = eventStoreDbStore({ url: old.url });

  expect(await failure(store.head())).toMatchObject({ name: 'StoreUnavailable', message: expect.stringContaining(said) as string });
  await store.close();
  await old.stop();
});

test('over TLS with a user name and a password; a wrong one, or none, is refused in a sentence that does not repeat it', async () => {
  const credentials = { username: 'marktrail', password: 'p@ss:w/rd' };
  const secure = await startEventStore({ credentials });
  const store = eventStoreDbStore({ url: secure.url });
  await store.append('entry-s.1', events(2), 'none');
  expect(await all(store.readAll('start'))).toHaveLength(2);
  await store.close();

  for (const login of ['marktrail:guessed@', '']) {
    const stranger = eventStoreDbStore({ url: secure.url.replace(/\/\/.*@/, `//${login}`) });
    for (const ask of [() => stranger.head(), () => stranger.append('entry-s.1', events(1), 1n)]) {
      const error = await failure(ask());
      expect(error).toBeInstanceOf(StoreUnavailable);
      expect(String(error)).toContain('rejects the user name or password');
      expect(String(error)).not.toContain('guessed');
    }
    await stranger.close();
  }
  const unencrypted = eventStoreDbStore({ url: secure.url.replace(/\?.*/, '?tls=false'), timeoutMs: 2_000 });
  expect(await failure(unencrypted.head())).toBeInstanceOf(StoreUnavailable);
  await unencrypted.close();
  await secure.stop();
});

test('over a socket instead of a port', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'marktrail-socket-'));
  const server = await startEventStore({ socket: join(directory, 'log') });
  const store = eventStoreDbStore({ url: server.url });
  await store.append('entry-s.1', events(1), 'none');

  expect(await all(store.readAll('start'))).toHaveLength(1);
  await store.close();
  await server.stop();
  rmSync(directory, { recursive: true });
});

test('a store that was closed lets its process end, and one that failed does not end it', async () => {
  const script = `
    import { eventStoreDbStore } from './events/store/eventstoredb.ts';
    const away = eventStoreDbStore({ url: 'esdb://127.0.0.1:1?tls=false', timeoutMs: 500 });
    await away.head().catch((error) => console.log(error.name));
    await away.close();
    const store = eventStoreDbStore({ url: process.env.LOG });
    const stop = new AbortController();
    for await (const { live } of store.subscribe('start', { signal: stop.signal })) if (live) stop.abort();
    await store.close();
    console.log('done');
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module-typescript', '-e', script], {
    env: { ...process.env, LOG: log.server.url },
    timeout: limit.wait,
  });

  expect(stdout.trim().split('\n')).toEqual(['StoreUnavailable', 'done']);
});
