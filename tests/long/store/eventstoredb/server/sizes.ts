import { binaryEvent, jsonEvent } from '@eventstore/db-client';
import { expect, test } from 'vitest';
import { all, event, events, failure, ids, type Given } from './given.ts';

const LIMIT = 1_048_576;
const bytes = (count: number) => binaryEvent({ type: 't', data: new Uint8Array(count) });

/** What one append may hold. */
export const sizes = (given: () => Given): void => {
  test('the data of an append fills the limit exactly; metadata does not count', async () => {
    const { client } = given();
    await client.appendToStream('a', bytes(LIMIT));
    await client.appendToStream('a', [bytes(LIMIT - 7), jsonEvent({ type: 't', data: { n: 1 }, metadata: { x: 'x'.repeat(200_000) } })]);
    const [first] = await all(client.readStream('a', { maxCount: 1 }));
    expect((first?.event?.data as Uint8Array | undefined)?.length).toBe(LIMIT);
  });

  test.each([
    ['one event', [bytes(LIMIT + 8)]],
    ['ten together', Array.from({ length: 10 }, () => bytes(900_000))],
  ])('above it nothing is written, and the connection stays: %s', async (_, appended) => {
    const { client } = given();
    const refused = await failure(client.appendToStream('a', appended));
    expect(refused).toMatchObject({
      type: 'maximum-append-size-exceeded',
      maxAppendSize: LIMIT,
      code: 3,
      message: '3 INVALID_ARGUMENT: Maximum Append Size of 1048576 Exceeded.',
    });
    expect(await client.appendToStream('a', event(0))).toMatchObject({ nextExpectedRevision: 0n });
  });

  test('a message above 16 MiB ends the call, not the client', async () => {
    const { client } = given();
    expect(await failure(client.appendToStream('a', bytes(17 * 1024 * 1024)))).toMatchObject({
      type: 'unknown',
      code: 8,
      message: '8 RESOURCE_EXHAUSTED: Received message exceeds the maximum configured message size.',
    });
    expect(await client.appendToStream('a', event(0))).toMatchObject({ nextExpectedRevision: 0n });
  });

  test('10,000 small events go in one append', async () => {
    expect(await given().client.appendToStream('a', events(ids(10_000)), { deadline: 200_000 })).toMatchObject({
      nextExpectedRevision: 9_999n,
    });
  });
};
