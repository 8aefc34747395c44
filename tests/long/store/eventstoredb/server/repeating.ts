import { ANY, NO_STREAM, STREAM_EXISTS } from '@eventstore/db-client';
import { beforeEach, expect, test } from 'vitest';
import { event, events, failure, ids, numbers, reconnected, type Given } from './given.ts';

/** The same append again. The stream i holds the ids a and b at 0 and 1, and c is new. */
export const repeating = (given: () => Given): void => {
  const [a = '', b = '', c = ''] = ids(3);
  const append = (which: string[], expectedRevision: bigint | typeof ANY | typeof NO_STREAM | typeof STREAM_EXISTS) =>
    given().client.appendToStream('i', events(which), { expectedRevision });
  let first: Awaited<ReturnType<typeof append>>;

  beforeEach(async () => {
    first = await append([a, b], NO_STREAM);
  });

  test.each([
    ['all, none', [a, b], NO_STREAM, 1n],
    ['the beginning, none', [a], NO_STREAM, 0n],
    ['the end, 0', [b], 0n, 1n],
    ['all, any', [a, b], ANY, 1n],
    ['the end, any', [b], ANY, 1n],
    ['all, exists', [a, b], STREAM_EXISTS, 1n],
  ] as const)('is answered as before: %s', async (_, which, expected, revision) => {
    const again = await append([...which], expected);
    expect(again).toMatchObject({ success: true, nextExpectedRevision: revision });
    if (revision === 1n) expect(again.position).toEqual(first.position);
    expect(await numbers(given().client.readStream('i'))).toEqual([0, 1]);
  });

  test.each([
    ['all, 0', [a, b], 0n, { expectedVersion: 0n, actualVersion: 1n }],
    ['all and one more, none', [a, b, c], NO_STREAM, { expectedVersion: 'no_stream', actualVersion: 1n }],
    ['the end and one more, any', [b, c], ANY, { expectedVersion: 'any', actualVersion: 1n }],
  ] as const)('is refused: %s', async (_, which, expected, refusal) => {
    expect(await failure(append([...which], expected))).toMatchObject({ type: 'wrong-expected-version', ...refusal });
    expect(await numbers(given().client.readStream('i'))).toEqual([0, 1]);
  });

  test.each([
    ['all, at the current revision', [a, b], 1n, [0, 1, 0, 1]],
    ['a new one first, any', [c, b], ANY, [0, 1, 0, 1]],
  ] as const)('is written again: %s', async (_, which, expected, numbersAfter) => {
    await append([...which], expected);
    expect(await numbers(given().client.readStream('i'))).toEqual(numbersAfter);
  });

  test('after later events and a restart, a revision still recognises it; any and exists do not', async () => {
    const { client, server } = given();
    await append([c], 1n);
    await server.restart();
    expect(await reconnected(() => append([a, b], NO_STREAM))).toEqual(first);
    expect(await append([b], 0n)).toMatchObject({ nextExpectedRevision: 1n });
    expect(await append([a], ANY)).toMatchObject({ nextExpectedRevision: 3n });
    expect(await append([b], STREAM_EXISTS)).toMatchObject({ nextExpectedRevision: 4n });
    expect(await numbers(client.readStream('i'))).toHaveLength(5);
  });

  test('the same id with another body keeps the first; in another stream, or twice in one append, it is written', async () => {
    const { client } = given();
    await client.appendToStream('i', [event(7, a), event(8, b)], { expectedRevision: NO_STREAM });
    await client.appendToStream('j', [event(9, a), event(9, a)]);
    expect(await numbers(client.readStream('i'))).toEqual([0, 1]);
    expect(await numbers(client.readStream('j'))).toEqual([9, 9]);
  });

  test('in flight twice, one is rejected after a while; later it is recognised', async () => {
    const { client } = given();
    const [id = ''] = ids(1);
    const appends = [0, 0].map((n) => client.appendToStream('k', event(n, id), { expectedRevision: NO_STREAM }));
    const answers = await Promise.allSettled(appends);
    const [won] = answers.filter(({ status }) => status === 'fulfilled');
    expect(won).toMatchObject({ value: { nextExpectedRevision: 0n } });
    const lost = answers.filter(({ status }) => status === 'rejected');
    expect(lost).toMatchObject([{ reason: { type: 'timeout' } }]);
    expect(await client.appendToStream('k', event(0, id), { expectedRevision: NO_STREAM })).toMatchObject({
      nextExpectedRevision: 0n,
    });
    expect(await numbers(client.readStream('k'))).toEqual([0]);
  });
};
