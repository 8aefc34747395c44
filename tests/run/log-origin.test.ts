import { expect, test } from 'vitest';
import { identityOf } from '../../events/store/identity.ts';
import { memoryStore } from '../support/memory-store.ts';
import { filled } from '../transfer/logs.ts';
import { inEventStore, inPostgres, onEventStore, onPostgres, rows, project, refusal, copied } from './log-origin.ts';

test('EVENTSTORE_URL that was dropped stops the start in one line: an empty log is not shown, nor an older one', async () => {
  await onEventStore();
  await copied(await filled(20), inEventStore);
  await project(inEventStore);
  await onEventStore();

  const refused =
    /^The read models here were filled from the EventStoreDB 127\.0\.0\.1:\d+, and .* check EVENTSTORE_URL\. Nothing was changed\..*$/;
  expect(await refusal(onPostgres())).toMatch(refused);
  expect(await refusal(onPostgres())).toContain('the log in PostgreSQL is empty');
  await copied(await filled(5), inPostgres);
  expect(await refusal(onPostgres())).toMatch(refused);
  await onEventStore();
});

test('the identity of a log is no event of an empty log; an old log gets one, and two processes at once agree on it', async () => {
  await onPostgres();
  expect(await inPostgres.head()).toBe(0n);
  await copied(await filled(3), inPostgres);
  await Promise.all([onPostgres(), onPostgres(), onPostgres()]);
  const found = [];
  for await (const { type } of inPostgres.read('log-00000000-0000-0000-0000-000000000000')) found.push(type);
  expect(found).toEqual(['LogStarted']);
  const kept = await rows<{ id: string }>('select distinct log_id as id from operations.log_origin where log_id is not null');
  expect(kept).toEqual([{ id: await identityOf(inPostgres) }]);
});

test('the identity of a log that was written first is read for ever', async () => {
  const log = memoryStore();
  await log.append('log-00000000-0000-0000-0000-000000000000', [GOLDEN], 'none');
  expect(await identityOf(log)).toBe('1f0e6c1c-9a51-4c86-8a5e-0d5a9b0f7e21');
});

const GOLDEN = {
  id: '7c5b6f0e-3a3e-4a0f-9a65-5b1d7e1f2a33',
  type: 'LogStarted',
  data: '{"logId":"1f0e6c1c-9a51-4c86-8a5e-0d5a9b0f7e21"}',
  metadata: '{"schemaVersion":1,"at":"2026-11-22T13:00:00.000Z"}',
};
