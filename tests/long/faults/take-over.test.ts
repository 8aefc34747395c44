import { expect, onTestFinished, test } from 'vitest';
import { database, healthOf, isIn, pair, sql, start, untilCounted, write } from '../../faults/take-over.ts';
import { Wire } from '../../faults/wire.ts';
import { until } from '../../support/until.ts';

test('a projector that hangs, even in the middle of a transaction, is followed by the one that stood by; when it wakes up it applies nothing twice and stands by', async () => {
  const { first, second } = await pair();
  // It hangs where it holds the fence: at the lock of a checkpoint that somebody else has.
  await sql.query(`begin; select from read.checkpoint where projection = 'ledger' for update`);
  await write(5);
  await until(async () => (await sql.query(`select from pg_locks where not granted and locktype in ('transactionid', 'tuple')`)).rowCount);
  first.process.kill('SIGSTOP');
  await sql.query('rollback');
  await write(5);
  await untilCounted();

  first.process.kill('SIGCONT');
  await isIn(first, 'standing by');
  await isIn(second, 'live');
  await write(20);
  await untilCounted();
});

test('so is one whose connection to the database falls silent', async () => {
  const wire = await Wire.to(database.url);
  onTestFinished(() => wire.close());
  const { second } = await pair(wire.url);
  wire.silence();
  await write(20);
  await untilCounted();
  await isIn(second, 'live');
  wire.speak();
  await write(20);
  await untilCounted();
});

test('one that is stopped in good order gives up its leases itself: nobody waits until they expire', async () => {
  const { first, second } = await pair();
  const leases = async () => (await sql.query<{ holder: string }>('select holder from read.lease')).rows;
  expect(new Set((await leases()).map(({ holder }) => holder)).size).toBe(1);
  // Nobody takes them meanwhile.
  second.process.kill('SIGSTOP');
  first.process.kill('SIGTERM');
  await first.ended;
  expect(await leases()).toEqual([]);
  second.process.kill('SIGCONT');
  await write(5);
  await untilCounted();
});

test('a process that only answers waits for a projector, and then follows it; nobody projecting is said in its health', async () => {
  const api = start(database.url, 'api');
  await until(() => api.output().includes('Waiting for a projector'));
  const projector = start();
  const address = await api.ready;
  expect((await fetch(`${address}/api/health`)).status).toBe(200);
  expect((await fetch(`${await projector.ready}/api/queries/me`)).status).toBe(404);
  expect(await (await fetch(`${await projector.ready}/api/metrics`)).text()).toMatch(
    /^marktrail_read_model_lag_events\{model="ledger",version="1\.0",shown="true"\} 0$/m,
  );

  projector.process.kill('SIGKILL');
  await projector.ended;
  await write(3);
  await until(async () => (await healthOf(api)).problems.some((problem) => problem.includes('start a projector')));
  expect((await healthOf(api)).projections.every(({ state, lag }) => state === 'waiting' && lag === 3)).toBe(true);
});
