import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect } from 'vitest';
import { identityOf, newIdentity, IDENTITY_STREAM } from '../../events/store/identity.ts';
import type { EventStore } from '../../events/store/port.ts';
import { postgresStore } from '../../events/store/postgres.ts';
import { requireSameLog } from '../../run/log/log-origin.ts';
import { startMarktrail, temporaryDataDir, type DataDir, type StartedMarktrail } from '../support/marktrail.ts';
import { testDatabase, type TestDatabase } from '../support/postgres.ts';
import { MASTER_KEY } from '../support/product.ts';

/** Processes with a database of their own, as an operator starts them one by one. */
export let dataDir: DataDir;
export let database: TestDatabase;
export let log: EventStore;
let started: StartedMarktrail[];

beforeEach(async () => {
  dataDir = temporaryDataDir();
  database = await testDatabase();
  log = postgresStore({ connectionString: database.url });
  started = [];
});
afterEach(async () => {
  for (const marktrail of started) {
    marktrail.process.kill('SIGTERM');
    await marktrail.ended;
  }
  await log.close();
  await database.drop();
  dataDir.remove();
});

export const settings = () => ({ DATABASE_URL: database.url, DATA_DIR: dataDir.path, MASTER_KEY });
export const start = (more: Record<string, string>): StartedMarktrail => {
  const marktrail = startMarktrail({ DEMO: 'no', ...settings(), ...more }, ['--without-apps']);
  started.push(marktrail);
  return marktrail;
};
export const happened = () => ({ id: randomUUID(), type: 'Happened', data: '{}', metadata: '{}' });
export const count = async (): Promise<number> => {
  let events = 0;
  for await (const _ of log.readAll('start')) events += 1;
  return events;
};
export const createSchool = ['school', 'create', '--name', 'Greenfield', '--admin', 'Ada Nwosu', '--email', 'ada@greenfield.example'];

/** The log that belongs here is known, and another one is in its place. */
export const exchanged = async (): Promise<void> => {
  await log.append(`thing-${randomUUID()}`, [happened()], 'none');
  await requireSameLog({ eventStoreUrl: undefined, dataDir: dataDir.path }, database.url);
  const known = await identityOf(log);
  await log.close();
  await database.drop();
  database = await testDatabase();
  log = postgresStore({ connectionString: database.url });
  await log.append(IDENTITY_STREAM, [newIdentity(new Date())], 'none');
  expect(await identityOf(log)).not.toBe(known);
};

/** One line, and nothing is written. */
export const isRefused = async (ROLE: string): Promise<void> => {
  const marktrail = start({ ROLE, DEMO: 'yes' });
  expect([ROLE, await marktrail.ended]).toEqual([ROLE, 1]);
  const lines = marktrail.output().trim().split('\n');
  expect(lines, lines.join('\n')).toHaveLength(1);
  expect(lines[0]).toMatch(
    /^DATA_DIR belongs to the log .*, and the log in PostgreSQL is the log .*: check EVENTSTORE_URL\. Nothing was changed\./,
  );
  expect(await count()).toBe(1);
};
