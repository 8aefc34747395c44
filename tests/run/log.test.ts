import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventStoreDbStore } from '../../events/store/eventstoredb.ts';
import { migrateLog, postgresStore } from '../../events/store/postgres.ts';
import { requireEventStore, requireNoLogLeftBehind } from '../../run/log/log.ts';
import { events } from '../store/given.ts';
import { failure } from '../store/seen.ts';
import { startEventStore } from '../support/eventstoredb/server.ts';
import type { EventStoreServer } from '../support/eventstoredb/server.ts';
import { testDatabase } from '../support/postgres.ts';

let server: EventStoreServer;
beforeEach(async () => {
  server = await startEventStore();
});
afterEach(() => server.stop());

test('an event store that is still starting is waited for, with a line that says so', async () => {
  server.faults.notReady();
  const lines: string[] = [];
  await requireEventStore({ eventStoreUrl: server.url }, (line) => {
    lines.push(line);
    server.faults.clear();
  });

  expect(lines).toEqual([expect.stringMatching(/^Waiting for the event store: 127\.0\.0\.1:\d+ is starting and does not answer yet$/)]);
});

test('a PostgreSQL whose log holds events does not go with an empty event store', async () => {
  const database = await testDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await migrateLog(client);
  await client.end();
  const settings = { eventStoreUrl: server.url };
  await requireNoLogLeftBehind(settings, database.url);

  const own = postgresStore({ connectionString: database.url });
  await own.append('entry-s.1', events(1), 'none');
  await own.close();
  expect(await failure(requireNoLogLeftBehind(settings, database.url))).toMatchObject({ name: 'StartError' });
  await requireNoLogLeftBehind({ eventStoreUrl: undefined }, database.url);

  const copied = eventStoreDbStore({ url: server.url });
  await copied.append('entry-s.1', events(1), 'none');
  await copied.close();
  await requireNoLogLeftBehind(settings, database.url);
  await database.drop();
});
