import { afterEach, beforeEach, expect, test } from 'vitest';
import { StoreUnavailable } from '../../events/store/port.ts';
import { event, events } from './given.ts';
import { postgresLog, type PostgresLog } from './logs/postgres.ts';
import { failure, follow, ids } from './seen.ts';
import { until } from '../support/until.ts';

let log: PostgresLog;

beforeEach(async () => {
  log = await postgresLog();
});

afterEach(() => log.close());

/** Whoever sleeps asks the log for its head now and then: fulfilled after the next time. */
const askedForHead = async (): Promise<void> => {
  const { rows } = await log.beside.query<{ now: Date }>('select clock_timestamp() as now');
  const asked = () =>
    log.beside.query(
      `select from pg_stat_activity
        where datname = current_database() and query like '%max(position)%' and pid <> pg_backend_pid() and query_start > $1 and state = 'idle'`,
      [rows[0]?.now],
    );
  await until(async () => (await asked()).rowCount);
};

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

// Who wakes for a position that never comes asks the log, finds nothing, and sleeps on: what was only heard of is not believed.
test('a position that was made up ends nobody, and hides nothing that comes', async () => {
  await log.store.append('entry-s.1', events(1), 'none');
  const seen = follow(log.store, 'start');
  await seen.until(({ live }) => live);
  await log.beside.query(`select pg_notify('marktrail_log', '999999999')`);
  const written: string[] = [];
  // Before the log was asked for its head, and long after it.
  for (const [n, store] of [log.store, log.join(), log.join()].entries()) {
    const next = event();
    await store.append(`entry-s.${n + 2}`, [next], 'none');
    written.push(next.id);
    await seen.until(() => ids(seen.events).includes(next.id));
    await askedForHead();
  }
  expect(ids(seen.events).slice(1)).toEqual(written);
  await seen.end();
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
