import { EventStoreDBClient, NO_STREAM } from '@eventstore/db-client';
import { expect, test } from 'vitest';
import { parseAddress } from '../../../../../events/store/eventstoredb/address.ts';
import { openClient } from '../../../../../events/store/eventstoredb/client.ts';
import { appendMessages } from '../../../../../events/store/eventstoredb/wire.ts';
import { startEventStore } from '../../../../support/eventstoredb/server.ts';
import { spawnEventStore } from '../../../../support/eventstoredb/spawned.ts';
import { temporaryDataDir } from '../../../../support/marktrail.ts';
import { all, event, events, failure, Heard, ids, numbers, reconnected, type Given } from './given.ts';

/** Sections 11, 12 and 15, and the faults that a test may order. */
export const failing = (given: () => Given): void => {
  test('killed: subscriptions hear one error and nothing more; appends fail at once while it is away', async () => {
    const { client, server } = given();
    const heard = new Heard(client.subscribeToAll());
    await heard.until('caughtUp');
    await server.stop();
    await heard.until('error');
    expect(heard.error).toMatchObject({ type: 'unavailable', code: 14 });
    await expect(failure(client.appendToStream('a', event(0)))).resolves.toMatchObject({ code: 14 });
    await server.restart();
    expect(await reconnected(() => client.appendToStream('a', event(0)))).toMatchObject({ nextExpectedRevision: 0n });
    expect(heard.said.filter((word) => ['end', 'error', 'EV#0'].includes(word))).toEqual(['error']);
  });

  test('while it starts it is not ready', async () => {
    const { client, server } = given();
    await client.appendToStream('a', event(0));
    server.faults.notReady();
    const refused = { type: 'unavailable', code: 14, message: '14 UNAVAILABLE: Server Is Not Ready' };
    expect(await failure(client.appendToStream('a', event(1)))).toMatchObject(refused);
    expect(await failure(all(client.readStream('a')))).toMatchObject(refused);
    server.faults.clear();
    expect(await numbers(client.readStream('a'))).toEqual([0]);
  });

  test('silent, it answers nothing; an append gives up by itself, and nothing of it is written', async () => {
    const { client, server } = given();
    await client.appendToStream('a', event(0));
    server.faults.silence();
    const refused = await failure(client.appendToStream('a', event(1), { deadline: 300 }));
    expect(refused).toMatchObject({ type: 'deadline-exceeded', code: 4 });
    // The server hears a moment later that it was given up.
    await new Promise((later) => setTimeout(later, 600));
    server.faults.clear();
    expect(await numbers(client.readStream('a'))).toEqual([0]);
  });

  const append = (id: string) => given().client.appendToStream('a', event(0, id), { expectedRevision: NO_STREAM, deadline: 20_000 });

  test.each([
    ['cut', 0],
    ['timeout', 0],
    ['wrong revision', 0],
    ['not ready', 0],
    ['written, cut', 1],
    ['written, timeout', 1],
  ] as const)('%s: %i written, and the same again is written once', async (kind, written) => {
    const { client, server } = given();
    await client.appendToStream('b', event(0));
    const [id = ''] = ids(1);
    server.faults.next('append', { kind });
    await expect(append(id)).rejects.toThrow();
    const found = await reconnected(() => all(client.readAll()));
    expect(found.filter(({ event: recorded }) => recorded?.streamId === 'a')).toHaveLength(written);
    expect(await reconnected(() => append(id))).toMatchObject({ nextExpectedRevision: 0n });
    expect(await numbers(client.readStream('a'))).toEqual([0]);
  });

  test.each(['silence', 'written, silence'] as const)('an append that meets %s is not answered', async (kind) => {
    const { client, server } = given();
    // Connects, so that the deadline below is not spent on that.
    await client.appendToStream('b', event(0));
    server.faults.next('append', { kind });
    const refused = await failure(client.appendToStream('a', event(0), { deadline: 3_000 }));
    expect(refused).toMatchObject({ type: 'deadline-exceeded' });
    const written = (await all(client.readAll())).filter(({ event: recorded }) => recorded?.streamId === 'a');
    expect(written).toHaveLength(kind === 'silence' ? 0 : 1);
  });

  test.each(['end', 'cut', 'too slow'] as const)('a subscription that breaks after three events: %s', async (how) => {
    const { client, server } = given();
    await client.appendToStream('a', events(ids(5)));
    server.faults.next('subscribe', { kind: 'after', events: 3, how });
    const heard = new Heard(client.subscribeToAll());
    await heard.until(how === 'end' ? 'end' : 'error');
    const said = heard.said.filter((word) => word.startsWith('EV'));
    expect(said).toEqual(['EV#$metadata', 'EV#0', 'EV#1'].slice(0, said.length));
    if (how !== 'cut') expect(said).toHaveLength(3);
    const next = new Heard(client.subscribeToAll());
    await next.until('caughtUp');
    expect(next.error).toBeUndefined();
    await next.stop();
  });

  test('half of a read, then the connection is cut', async () => {
    const { client, server } = given();
    await client.appendToStream('a', events(ids(5)));
    server.faults.next('read', { kind: 'after', events: 3, how: 'cut' });
    expect(await failure(all(client.readStream('a')))).toMatchObject({ type: 'unavailable' });
  });

  test('a subscription may begin earlier than it was asked to', async () => {
    const { client, server } = given();
    await client.appendToStream('a', events(ids(5)));
    const { position } = (await all(client.readStream('a')))[3]?.event ?? {};
    server.faults.next('subscribe', { kind: 'earlier', events: 2 });
    const heard = new Heard(client.subscribeToAll(position ? { fromPosition: position } : {}));
    expect(await heard.until('EV#4')).toEqual(['confirmation', 'EV#2', 'EV#3', 'EV#4']);
    await heard.stop();
  });

  test.each(['given up', 'cut'] as const)('an append that is %s half way is none', async (how) => {
    const { client, server } = given();
    const half = await openClient(parseAddress(server.url));
    await half.features(5_000);
    const proposed = ids(2000).map((id) => ({ id, type: 't', data: '{"n":1}', metadata: '{}' }));
    const call = half.append(appendMessages('a', proposed, 'none'), 5_000, () => undefined);
    await new Promise((later) => setTimeout(later, 5));
    if (how === 'cut') server.cut();
    else call.cancel();
    await reconnected(() => client.appendToStream('after', event(0)));
    expect([2, 2002]).toContain(server.size);
    half.close();
  });

  test('a follower names the leader to who requires it', async () => {
    const { client, server } = given();
    server.faults.leader = { host: '127.0.0.1', port: 2113 };
    const refused = await failure(client.appendToStream('a', event(0), { requiresLeader: true }));
    expect(refused).toMatchObject({ type: 'not-leader', leader: { address: '127.0.0.1', port: 2113 } });
  });

  test('it may say that it is of another version, and listen on a socket in the file system', async () => {
    const directory = temporaryDataDir();
    const server = await startEventStore({ socket: `${directory.path}/log.sock`, serverVersion: '5.0.11' });
    const client = new EventStoreDBClient({ endpoint: server.url }, { insecure: true });
    const { serverVersion } = await (client as unknown as { capabilities: Promise<{ serverVersion: string }> }).capabilities;
    expect(serverVersion).toBe('5.0.11');
    expect(await client.appendToStream('a', event(0))).toMatchObject({ nextExpectedRevision: 0n });
    await client.dispose();
    await server.stop();
    directory.remove();
  });

  test('told to demand credentials, it refuses a wrong password', async () => {
    const server = await startEventStore({ credentials: { username: 'admin', password: 'right' } });
    const right = EventStoreDBClient.connectionString(server.url);
    expect(await right.appendToStream('a', event(0))).toMatchObject({ nextExpectedRevision: 0n });
    const wrong = EventStoreDBClient.connectionString(server.url.replace(':right@', ':wrong@'));
    expect(await failure(wrong.appendToStream('a', event(1)))).toMatchObject({ type: 'access-denied', code: 16 });
    expect(await failure(all(wrong.readAll()))).toMatchObject({ type: 'access-denied', code: 16 });
    const nobody = EventStoreDBClient.connectionString(server.url.replace('admin:right@', ''));
    expect(await failure(all(nobody.readAll()))).toMatchObject({ type: 'access-denied', code: 7 });
    await Promise.all([right, wrong, nobody].map((client) => client.dispose()));
    await server.stop();
  });

  test('with a directory, what was answered survives SIGKILL of its process: all of it, once, in its place', async () => {
    const directory = temporaryDataDir();
    let server = await spawnEventStore(directory.path);
    const client = new EventStoreDBClient({ endpoint: server.url }, { insecure: true });
    const answered: { n: number; revision: bigint; position: bigint }[] = [];
    let isOver = false;
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let n = 0; !isOver; n++) {
        await client.appendToStream(`w${writer}`, event(n)).then(
          ({ nextExpectedRevision, position }) => answered.push({ n, revision: nextExpectedRevision, position: position?.commit ?? 0n }),
          () => (isOver = true),
        );
      }
    });
    while (answered.length < 200) await new Promise((later) => setTimeout(later, 5));
    await server.kill();
    await Promise.all(writers);

    server = await spawnEventStore(directory.path);
    const found = await reconnected(() => all(client.readAll()));
    const numbersAt = new Map(found.map(({ event: recorded }) => [recorded?.position?.commit, recorded]));
    for (const { n, revision, position } of answered) expect(numbersAt.get(position)).toMatchObject({ data: { n }, revision });
    expect(found.length - 1 - answered.length).toBeLessThanOrEqual(8);
    expect(await client.appendToStream('after', event(0))).toMatchObject({ nextExpectedRevision: 0n });
    await client.dispose();
    await server.kill();
    directory.remove();
  });
};
