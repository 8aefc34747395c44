import { ANY, NO_STREAM, STREAM_EXISTS, WrongExpectedVersionError } from '@eventstore/db-client';
import { expect, test } from 'vitest';
import { all, event, events, failure, ids, numbers, type Given } from './given.ts';

/** Sections 1 to 3: what the server is, and what an append answers. */
export const appending = (given: () => Given): void => {
  test('says its version and what it can do', async () => {
    const { client } = given();
    const { serverVersion } = await (client as unknown as { capabilities: Promise<{ serverVersion: string }> }).capabilities;
    expect(serverVersion).toBe('23.10.6');
  });

  test('a position is an offset in the log: the first is 733, and each event takes the bytes of its record', async () => {
    const { client } = given();
    const [first, second] = [await client.appendToStream('ab', event(0)), await client.appendToStream('ab', event(1))];
    expect(first).toEqual({ success: true, nextExpectedRevision: 0n, position: { commit: 733n, prepare: 733n } });
    expect(second.position).toEqual({ commit: 833n, prepare: 833n });
  });

  test('answers revision and position of the last event', async () => {
    const { client } = given();
    const done = await client.appendToStream('a', events(ids(3)), { expectedRevision: NO_STREAM });
    expect(done.nextExpectedRevision).toBe(2n);
    expect((await all(client.readStream('a'))).at(-1)?.event?.position).toEqual(done.position);
  });

  test.each([
    ['none', NO_STREAM, { expectedVersion: 'no_stream', actualVersion: 6n }],
    ['3', 3n, { expectedVersion: 3n, actualVersion: 6n }],
    ['100', 100n, { expectedVersion: 100n, actualVersion: 6n }],
  ] as const)('a stream at 6 is not at %s', async (_, expectedRevision, refusal) => {
    const { client } = given();
    await client.appendToStream('a', events(ids(7)));
    const appended = client.appendToStream('a', event(7), { expectedRevision });
    await expect(appended).rejects.toBeInstanceOf(WrongExpectedVersionError);
    expect(await failure(appended)).toMatchObject({ type: 'wrong-expected-version', streamName: 'a', ...refusal });
  });

  test.each([ANY, STREAM_EXISTS, 6n] as const)('a stream at 6 takes %s', async (expectedRevision) => {
    const { client } = given();
    await client.appendToStream('a', events(ids(7)));
    expect(await client.appendToStream('a', event(7), { expectedRevision })).toMatchObject({ nextExpectedRevision: 7n });
  });

  test.each([STREAM_EXISTS, 0n] as const)('a missing stream does not take %s', async (expectedRevision) => {
    const { client } = given();
    const refused = await failure(client.appendToStream('a', event(0), { expectedRevision }));
    expect(refused).toMatchObject({ expectedVersion: expectedRevision, actualVersion: 'no_stream' });
  });

  test('no events at all: accepted, and a missing stream stays missing', async () => {
    const { client } = given();
    expect(await client.appendToStream('a', [])).toMatchObject({ success: true, nextExpectedRevision: 0n });
    expect(await failure(all(client.readStream('a')))).toMatchObject({ type: 'stream-not-found' });
    await client.appendToStream('a', events(ids(7)));
    expect(await client.appendToStream('a', [], { expectedRevision: 6n })).toMatchObject({ nextExpectedRevision: 6n });
    expect(await failure(client.appendToStream('a', [], { expectedRevision: NO_STREAM }))).toMatchObject({
      actualVersion: 6n,
    });
  });

  test('50 at once keep the order of the calls, and can be read as soon as they are answered', async () => {
    const { client } = given();
    await client.appendToStream('b', event(0));
    const appends = Array.from({ length: 50 }, (_, n) => client.appendToStream('a', event(n)));
    const revisions = (await Promise.all(appends)).map(({ nextExpectedRevision }) => nextExpectedRevision);
    expect(revisions).toEqual(Array.from({ length: 50 }, (_, n) => BigInt(n)));
    expect(await numbers(client.readStream('a'))).toEqual(Array.from({ length: 50 }, (_, n) => n));
  });

  test('of two with the same revision one wins', async () => {
    const { client } = given();
    await client.appendToStream('a', event(0));
    const race = await Promise.allSettled([1, 2].map((n) => client.appendToStream('a', event(n), { expectedRevision: 0n })));
    expect(race.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(await numbers(client.readStream('a'))).toEqual([0, 1]);
  });

  test('takes names of all kinds', async () => {
    const { client } = given();
    for (const name of ['$mine', '$$mine', 'Prüfung 11 – „Mathe“ 𝄞', 'x'.repeat(2_000)]) {
      await client.appendToStream(name, event(0, undefined, '$mine'));
      expect((await all(client.readStream(name)))[0]?.event).toMatchObject({ streamId: name, type: '$mine' });
    }
  });

  test.each([
    ['stream without a name', '', event(0)],
    ['type without a name', 'a', event(0, undefined, '')],
    ['id that is no uuid', 'a', event(0, 'none')],
  ])('a %s is not recognised', async (_, stream, appended) => {
    const refused = await failure(given().client.appendToStream(stream, appended));
    expect(refused).toMatchObject({ type: 'unknown', code: 2 });
  });

  test('ids come back in lower case', async () => {
    const { client } = given();
    const [id = ''] = ids(1);
    await client.appendToStream('a', event(0, id.toUpperCase()));
    expect((await all(client.readStream('a')))[0]?.event?.id).toBe(id);
  });
};
