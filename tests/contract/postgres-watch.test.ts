import { afterEach, beforeEach, expect, test } from 'vitest';
import { StoreUnavailable } from '../../events/store/port.ts';
import { event, events } from './given.ts';
import { postgresLog, type PostgresLog } from './logs/postgres.ts';
import { failure, follow, ids } from './seen.ts';

let log: PostgresLog;

beforeEach(async () => {
  log = await postgresLog();
});

afterEach(() => log.close());

test('a notification that says nothing disturbs nobody', async () => {
  const seen = follow(log.store, 'start');
  await seen.until(({ live }) => live);
  for (const payload of ['', 'rubbish', '-1', '1.5', '{"position":1}', '9'.repeat(200)]) {
    await log.beside.query('select pg_notify($1, $2)', ['marktrail_log', payload]);
  }
  const next = event();
  await log.join().append('entry-s.1', [next], 'none');
  await seen.until(() => ids(seen.events).includes(next.id));
  await seen.end();
});

// Who wakes for a position that never comes would ask, find nothing, and be woken again at once, for ever.
test('a position that was made up is found out, and not asked for again and again', async () => {
  await log.store.append('entry-s.1', events(1), 'none');
  const seen = follow(log.store, 'start');
  await seen.until(({ live }) => live);
  await log.beside.query(`select pg_notify('marktrail_log', '999999999')`);
  const next = event();
  await log.store.append('entry-s.2', [next], 'none');
  // Who sleeps when it is found out has to begin again; who is awake just goes on.
  const ended = seen.finished.catch((error: unknown) => error);
  const outcome = await Promise.race([ended, seen.until(() => ids(seen.events).includes(next.id)).catch(() => ended)]);
  if (outcome instanceof Error) expect(outcome).toBeInstanceOf(StoreUnavailable);
  else await seen.end();

  const again = follow(log.store, 1n);
  await again.until(() => ids(again.events).includes(next.id));
  await again.end();
});

test('a log that is set back to an earlier state under a subscriber ends the subscription, and does not keep it busy', async () => {
  await log.store.append('entry-s.1', events(5), 'none');
  const seen = follow(log.store, 'start');
  await seen.until(({ live }) => live && seen.events.length === 5);
  await log.beside.query('delete from log.events where position > 2');
  const failed = await failure(seen.finished);
  expect(failed).toBeInstanceOf(StoreUnavailable);
  expect(String(failed)).toContain('set back to an earlier state');

  const again = follow(log.store, 2n);
  await again.until(({ live }) => live);
  expect(again.events).toEqual([]);
  await again.end();
});
