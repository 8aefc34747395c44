import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CircuitBreaker } from '../../../events/store/circuit-breaker.ts';
import { IDENTITY_STREAM, identityOf, newIdentity } from '../../../events/store/identity.ts';
import { postgresStore } from '../../../events/store/postgres.ts';
import { acceptOrigin, requireSameLog } from '../../../run/log/log-origin.ts';
import { migrate } from '../../../run/database/database.ts';
import { testDatabase } from '../../support/postgres.ts';
import { scratchDirectory } from '../../support/scratch.ts';
import { filled } from '../../transfer/logs.ts';
import {
  server,
  database,
  inEventStore,
  inPostgres,
  onEventStore,
  onPostgres,
  ofPostgres,
  sql,
  event,
  project,
  refusal,
  idKeptIn,
  copied,
} from '../../run/log-origin.ts';

test('so does an EventStoreDB that is another one, or empty', async () => {
  await copied(await filled(20), inPostgres);
  await project(inPostgres);
  await onPostgres();
  expect(await refusal(onEventStore())).toContain('were filled from PostgreSQL, and the log in the EventStoreDB');
  await copied(await filled(30), inEventStore);
  expect(await refusal(onEventStore())).toContain('their newest event is not in the log in the EventStoreDB');
});

test('a log that was copied as a whole is the same log, whichever way', async () => {
  await copied(await filled(20), inPostgres);
  await project(inPostgres);
  await onPostgres();
  await copied(inPostgres, inEventStore);
  await onEventStore();
  await project(inEventStore);
  await onEventStore();
  await onPostgres();
});

test('an earlier state of the log is not followed either, in its own place or in another, until it is accepted', async () => {
  const log = await filled(20);
  await copied(log, inPostgres);
  await onPostgres();
  await project(inPostgres);
  await sql('delete from log.events where position > 5');
  expect(await refusal(onPostgres())).toContain('were filled from PostgreSQL, and their newest event is not in the log in PostgreSQL');
  await copied(await filled(5), inEventStore);
  expect(await refusal(onEventStore())).toContain('their newest event is not in the log in the EventStoreDB');

  const act = { by: 'Ada', reason: 'a fresh beginning' };
  expect(await acceptOrigin({ eventStoreUrl: undefined }, database.url, act)).toBe(true);
  expect(await acceptOrigin({ eventStoreUrl: undefined }, database.url, act)).toBe(false);
  await onPostgres();
  await project(inPostgres);
  await onPostgres();
  await onPostgres();
});

describe('the identity of a log', () => {
  test('precedes the first event of a school, drawn at random, also where two processes begin at once', async () => {
    const processes = [1, 2].map(() => new CircuitBreaker(postgresStore({ connectionString: database.url }), ofPostgres()));
    await Promise.all(processes.map((store, n) => store.append(`thing-${randomUUID()}`, [event(n)], 'none')));
    const types = [];
    for await (const { type } of inPostgres.readAll('start')) types.push(type);
    expect(types).toEqual(['LogStarted', 'Happened', 'Happened']);
    await Promise.all(processes.map((store) => store.close()));
  });

  test('tells another log before any read model has seen an event, also by DATA_DIR alone when the database is new', async () => {
    const dataDir = scratchDirectory();
    await copied(await filled(3), inEventStore);
    await requireSameLog({ eventStoreUrl: server.url, dataDir }, database.url);
    await copied(await filled(3), inPostgres);
    await inPostgres.append(IDENTITY_STREAM, [newIdentity(new Date())], 'none');
    const other = await identityOf(inPostgres);
    expect(await refusal(requireSameLog({ eventStoreUrl: undefined, dataDir }, database.url))).toContain(
      `in PostgreSQL is the log ${other}`,
    );

    const fresh = await testDatabase();
    await migrate(fresh.url);
    const refused = await refusal(requireSameLog({ eventStoreUrl: undefined, dataDir }, fresh.url));
    expect(refused).toContain(`DATA_DIR belongs to the log ${await identityOf(inEventStore)}, and the log in PostgreSQL is empty`);
    await requireSameLog({ eventStoreUrl: server.url, dataDir }, fresh.url);
    await acceptOrigin({ eventStoreUrl: undefined, dataDir }, fresh.url, { by: 'Ada', reason: 'a fresh beginning' });
    await requireSameLog({ eventStoreUrl: undefined, dataDir }, fresh.url);
    await fresh.drop();
    rmSync(dataDir, { recursive: true });
  });

  test('that a backup of before it had one lacks is no proof of another log: the operator is told both, and decides', async () => {
    const dataDir = scratchDirectory();
    await copied(await filled(3), inPostgres);
    await requireSameLog({ eventStoreUrl: undefined, dataDir }, database.url);
    const backup = await testDatabase();
    const restored = postgresStore({ connectionString: backup.url });
    await copied(await filled(3), restored);
    const start = () => requireSameLog({ eventStoreUrl: undefined, dataDir }, backup.url);
    expect(await refusal(start())).toContain('has no identity: it is another one, or of a time before logs had one');
    await acceptOrigin({ eventStoreUrl: undefined, dataDir }, backup.url, { by: 'Ada', reason: 'a backup of last year' });
    await start();
    await start();
    expect(await identityOf(restored)).toBe(await idKeptIn(dataDir));
    await restored.close();
    await backup.drop();
    rmSync(dataDir, { recursive: true });
  });
});
