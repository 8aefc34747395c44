import { BACKWARDS, END, FORWARDS, START, binaryEvent, jsonEvent, type Position } from '@eventstore/db-client';
import { beforeEach, describe, expect, test } from 'vitest';
import { all, event, events, failure, ids, numbers, type Given } from './given.ts';

const NOT_IN_ALL = { type: 'unknown', code: 2, message: '2 UNKNOWN: Unexpected ReadAllResult: Error' };
const NOT_IN_STREAM = { type: 'unknown', code: 2, message: '2 UNKNOWN: Unexpected ReadStreamResult: Error' };
const THREW = { type: 'unknown', code: 2, message: '2 UNKNOWN: Exception was thrown by handler.' };

/** Sections 6, 8 and 10: positions, streams, and what an event looks like when it comes back. */
export const reading = (given: () => Given): void => {
  test('a fresh store holds one event, of its own', async () => {
    const [only, ...others] = await all(given().client.readAll());
    expect(others).toEqual([]);
    expect(only?.event).toMatchObject({
      streamId: '$$$scavenges',
      type: '$metadata',
      revision: 0n,
      position: { commit: 548n, prepare: 548n },
      data: { $maxAge: 2_592_000, $acl: { $r: '$ops', $w: [], $d: [], $mr: [], $mw: [] } },
    });
  });

  describe('positions of 0 to 4', () => {
    let positions: Position[];
    beforeEach(async () => {
      await given().client.appendToStream('a', events(ids(5)));
      positions = (await all(given().client.readStream('a'))).map(
        ({ event: recorded }) => recorded?.position ?? { commit: 0n, prepare: 0n },
      );
    });
    const at = (n: number): Position => positions[n] ?? { commit: 0n, prepare: 0n };
    const read = (fromPosition: Position | typeof START | typeof END, direction: typeof FORWARDS | typeof BACKWARDS = FORWARDS) =>
      given().client.readAll({ fromPosition, direction });

    test('forwards with the position, backwards without it', async () => {
      expect(await numbers(read(at(3)))).toEqual([3, 4]);
      expect(await numbers(read(at(3), BACKWARDS))).toEqual([2, 1, 0, '$metadata']);
      expect(await numbers(read(END))).toEqual([]);
      expect(await numbers(read(END, BACKWARDS))).toEqual([4, 3, 2, 1, 0, '$metadata']);
      expect(await numbers(given().client.readAll({ maxCount: 2 }))).toEqual(['$metadata', 0]);
    });

    test('the prepare position may be left at 0; 0/0 is the start', async () => {
      expect(await numbers(read({ commit: at(3).commit, prepare: 0n }))).toEqual([3, 4]);
      expect(await numbers(read({ commit: 0n, prepare: 0n }))).toEqual(['$metadata', 0, 1, 2, 3, 4]);
    });

    test('backwards with the prepare position at 0 the event directly before is left out, as the server’s source has it', async () => {
      expect(await numbers(read({ commit: at(3).commit, prepare: 0n }, BACKWARDS))).toEqual([1, 0, '$metadata']);
    });

    test.each([FORWARDS, BACKWARDS] as const)('where no record begins, %s', async (direction) => {
      const [commit, prepare] = [at(3).commit + 1n, at(3).prepare];
      expect(await failure(all(read({ commit, prepare: commit }, direction)))).toMatchObject(NOT_IN_ALL);
      expect(await failure(all(read({ commit, prepare }, direction)))).toMatchObject(NOT_IN_ALL);
      expect(await failure(all(read({ commit: prepare, prepare: prepare + 1n }, direction)))).toMatchObject(THREW);
    });

    test('past the end there is nothing', async () => {
      expect(await numbers(read({ commit: 1_000_000n, prepare: 1_000_000n }))).toEqual([]);
    });
  });

  test('a missing stream is told as such', async () => {
    const refused = { type: 'stream-not-found', streamName: 'nope', message: 'nope not found', code: undefined };
    expect(await failure(all(given().client.readStream('nope')))).toMatchObject(refused);
    const backwards = given().client.readStream('nope', { direction: BACKWARDS, fromRevision: END });
    expect(await failure(all(backwards))).toMatchObject(refused);
  });

  test('a stream is read from a revision on, with it, in both directions', async () => {
    const { client } = given();
    await client.appendToStream('a', events(ids(7)));
    expect(await numbers(client.readStream('a', { fromRevision: 5n }))).toEqual([5, 6]);
    expect(await numbers(client.readStream('a', { fromRevision: 1n, maxCount: 2 }))).toEqual([1, 2]);
    expect(await numbers(client.readStream('a', { fromRevision: 7n }))).toEqual([]);
    expect(await numbers(client.readStream('a', { fromRevision: 1_000n }))).toEqual([]);
    const backwards = { direction: BACKWARDS } as const;
    expect(await numbers(client.readStream('a', { ...backwards, fromRevision: END, maxCount: 3 }))).toEqual([6, 5, 4]);
    expect(await numbers(client.readStream('a', { ...backwards, fromRevision: 2n }))).toEqual([2, 1, 0]);
    expect(await numbers(client.readStream('a', { ...backwards, fromRevision: START }))).toEqual([0]);
    expect(await numbers(client.readStream('a', { ...backwards, fromRevision: 1_000n }))).toEqual([6, 5, 4, 3, 2, 1, 0]);
    expect(await failure(all(client.readStream('a', { fromRevision: END })))).toMatchObject(NOT_IN_STREAM);
    expect(await failure(all(client.readStream('a', { maxCount: 0 })))).toMatchObject(NOT_IN_STREAM);
  });

  test('a reader may break off, and a slow one is waited for', async () => {
    const { client } = given();
    await client.appendToStream('a', events(ids(3_000)));
    for await (const { event: recorded } of client.readStream('a')) if (recorded?.revision === 10n) break;
    const seen: bigint[] = [];
    for await (const { event: recorded } of client.readStream('a')) {
      seen.push(recorded?.revision ?? -1n);
      if (seen.length % 500 === 0) await new Promise((later) => setTimeout(later, 20));
    }
    expect(seen).toEqual(Array.from({ length: 3_000 }, (_, n) => BigInt(n)));
  });

  test.each([
    ['none', undefined, undefined],
    ['empty', {}, {}],
    ['an object', { $correlationId: 'x', who: 'é' }, { $correlationId: 'x', who: 'é' }],
    ['bytes', new Uint8Array([1, 2, 255]), Buffer.from([1, 2, 255])],
    ['bytes that are JSON', new Uint8Array(Buffer.from('{"a":1}')), { a: 1 }],
  ])('metadata: %s', async (_, metadata, back) => {
    const { client } = given();
    await client.appendToStream('a', jsonEvent({ type: 't', data: {}, ...(metadata ? { metadata } : {}) }));
    const found = (await all(client.readStream('a')))[0]?.event?.metadata;
    expect(found instanceof Uint8Array ? Buffer.from(found) : found).toEqual(back);
  });

  test('data comes back as JSON or as bytes, with the time of its commit', async () => {
    const { client } = given();
    const before = Date.now();
    await client.appendToStream('a', [
      jsonEvent({ type: 't', data: { n: [1, null, 'ß'] } }),
      binaryEvent({ type: 'b', data: Buffer.from('{"n":1}') }),
    ]);
    const [json, binary] = (await all(client.readStream('a'))).map(({ event: recorded }) => recorded);
    expect(json).toMatchObject({ isJson: true, data: { n: [1, null, 'ß'] } });
    expect(binary?.isJson).toBe(false);
    expect(Buffer.from((binary?.data ?? []) as Uint8Array).toString()).toBe('{"n":1}');
    expect((json?.created ?? new Date(0)).getTime()).toBeGreaterThanOrEqual(before);
    expect((json?.created ?? new Date(0)).getTime()).toBeLessThanOrEqual(Date.now());
  });

  test('a link is followed where that is asked for', async () => {
    const { client } = given();
    await client.appendToStream('orig', event(7));
    await client.appendToStream('links', binaryEvent({ type: '$>', data: Buffer.from('0@orig') }));
    const [followed] = await all(client.readStream('links', { resolveLinkTos: true }));
    expect(followed?.event).toMatchObject({ streamId: 'orig', data: { n: 7 } });
    expect(followed?.link).toMatchObject({ streamId: 'links', type: '$>' });
    const [raw] = await all(client.readStream('links'));
    expect(raw?.event).toMatchObject({ streamId: 'links', type: '$>' });
    expect(raw?.link).toBeUndefined();
  });
};
