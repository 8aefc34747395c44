import { ANY, END, NO_STREAM, STREAM_EXISTS } from '@eventstore/db-client';
import { beforeEach, expect, test } from 'vitest';
import { all, event, events, failure, ids, numbers, type Given } from './given.ts';

/** Streams that are deleted, tombstoned or cut short. */
export const deleting = (given: () => Given): void => {
  beforeEach(async () => {
    await given().client.appendToStream('d1', events(ids(3)));
  });
  const newest = async (count: number) =>
    (await all(given().client.readAll({ direction: 'backwards', fromPosition: END, maxCount: count }))).map(({ event: it }) => it);

  test('a deleted stream is not found, its events stay in $all, and the deletion stands there too', async () => {
    const { client } = given();
    const deleted = await client.deleteStream('d1');
    expect(await failure(all(client.readStream('d1')))).toMatchObject({ type: 'stream-not-found' });
    const [mark, last] = await newest(2);
    expect(mark).toMatchObject({ streamId: '$$d1', type: '$metadata', position: deleted.position });
    expect(last).toMatchObject({ streamId: 'd1', data: { n: 2 } });
    await client.deleteStream('d1');
  });

  test.each([NO_STREAM, ANY, 2n] as const)('a deleted stream goes on at its old numbers: %s', async (expectedRevision) => {
    const { client } = given();
    await client.deleteStream('d1');
    expect(await failure(client.appendToStream('d1', event(3), { expectedRevision: STREAM_EXISTS }))).toMatchObject({
      type: 'stream-deleted',
    });
    expect(await client.appendToStream('d1', event(3), { expectedRevision })).toMatchObject({ nextExpectedRevision: 3n });
    expect(await numbers(client.readStream('d1'))).toEqual([3]);
    const [mark, appended] = await newest(2);
    expect(mark).toMatchObject({ streamId: '$$d1', data: { $tb: 3 } });
    expect(appended).toMatchObject({ streamId: 'd1', revision: 3n });
  });

  test('conflicts are refused with both revisions', async () => {
    const { client } = given();
    expect(await failure(client.deleteStream('d1', { expectedRevision: 1n }))).toMatchObject({
      type: 'wrong-expected-version',
      code: 9,
      message: '9 FAILED_PRECONDITION: Delete failed due to WrongExpectedVersion. Stream: d1, Expected version: 1, Actual version: 2',
      expectedVersion: 1n,
      actualVersion: 2n,
    });
    expect(await failure(client.deleteStream('nope'))).toMatchObject({ expectedVersion: -2n, actualVersion: -1n });
    expect(await failure(client.deleteStream('nope', { expectedRevision: NO_STREAM }))).toMatchObject({
      expectedVersion: -1n,
      actualVersion: -1n,
    });
  });

  test('a tombstone is for ever', async () => {
    const { client } = given();
    const { position } = await client.tombstoneStream('d1');
    const [mark] = await newest(1);
    expect(mark).toMatchObject({ streamId: 'd1', type: '$streamDeleted', revision: 9_223_372_036_854_775_807n, position });
    const refused = { type: 'stream-deleted', code: 9, message: "9 FAILED_PRECONDITION: Event stream 'd1' is deleted." };
    expect(await failure(all(client.readStream('d1')))).toMatchObject(refused);
    expect(await failure(client.deleteStream('d1'))).toMatchObject(refused);
    expect(await failure(client.tombstoneStream('d1'))).toMatchObject(refused);
    expect(await failure(client.appendToStream('d1', event(3)))).toMatchObject(refused);
  });

  test.each([
    ['maxCount 2', { maxCount: 2 }],
    ['truncateBefore 3', { truncateBefore: 3 }],
  ])('%s shows the last two and goes on numbering', async (_, metadata) => {
    const { client } = given();
    await client.appendToStream('d1', [event(3), event(4)]);
    await client.setStreamMetadata('d1', metadata);
    const seen = await all(client.readStream('d1'));
    expect(seen.map(({ event: recorded }) => recorded?.revision)).toEqual([3n, 4n]);
    expect(await client.appendToStream('d1', event(5))).toMatchObject({ nextExpectedRevision: 5n });
    expect((await numbers(client.readAll())).filter((n) => typeof n === 'number')).toContain(0);
  });
};
