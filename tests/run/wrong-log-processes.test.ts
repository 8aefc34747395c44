import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { identityOf, newIdentity, IDENTITY_STREAM } from '../../events/store/identity.ts';
import type { EventStore } from '../../events/store/port.ts';
import { postgresStore } from '../../events/store/postgres.ts';
import { requireSameLog } from '../../run/log/log-origin.ts';
import { failure } from '../store/seen.ts';
import { marktrailCommand, startMarktrail, temporaryDataDir, type DataDir, type StartedMarktrail } from '../support/marktrail.ts';
import { testDatabase, type TestDatabase } from '../support/postgres.ts';
import { MASTER_KEY } from '../support/product.ts';

/** Processes with a database of their own, as an operator starts them one by one. */
let dataDir: DataDir;
let database: TestDatabase;
let log: EventStore;
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

const settings = () => ({ DATABASE_URL: database.url, DATA_DIR: dataDir.path, MASTER_KEY });
const start = (more: Record<string, string>): StartedMarktrail => {
  const marktrail = startMarktrail({ DEMO: 'no', ...settings(), ...more }, ['--without-apps']);
  started.push(marktrail);
  return marktrail;
};
const happened = () => ({ id: randomUUID(), type: 'Happened', data: '{}', metadata: '{}' });
const count = async (): Promise<number> => {
  let events = 0;
  for await (const _ of log.readAll('start')) events += 1;
  return events;
};
const createSchool = ['school', 'create', '--name', 'Greenfield', '--admin', 'Ada Nwosu', '--email', 'ada@greenfield.example'];

/** The log that belongs here is known, and another one is in its place. */
const exchanged = async (): Promise<void> => {
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

test('each role refuses to start with another log, in one line', async () => {
  await exchanged();
  for (const ROLE of ['all', 'api', 'projector']) {
    const marktrail = start({ ROLE, DEMO: 'yes' });
    expect([ROLE, await marktrail.ended]).toEqual([ROLE, 1]);
    const lines = marktrail.output().trim().split('\n');
    expect(lines, lines.join('\n')).toHaveLength(1);
    expect(lines[0]).toMatch(
      /^DATA_DIR belongs to the log .*, and the log in PostgreSQL is the log .*: check EVENTSTORE_URL\. Nothing was changed\./,
    );
  }
  expect(await count()).toBe(1);
});

test('a command that would write says the same, and writes nothing', async () => {
  await exchanged();
  const said = String(await failure(marktrailCommand(settings(), ...createSchool)));
  expect(said).toMatch(
    /DATA_DIR belongs to the log .*, and the log in PostgreSQL is the log .*: check EVENTSTORE_URL\. Nothing was changed\./,
  );
  expect(await count()).toBe(1);
});

test('a school that is created in an empty log comes after the identity of the log', async () => {
  await marktrailCommand(settings(), ...createSchool);
  const streams: string[] = [];
  for await (const { stream } of log.readAll('start')) streams.push(stream.replace(/-.*/, ''));
  expect(streams.slice(0, 2)).toEqual(['log', 'staff']);
  expect(streams.filter((stream) => stream === 'log')).toHaveLength(1);
});

test('DEMO=1 says that it does nothing where the log holds events', async () => {
  await log.append(`thing-${randomUUID()}`, [happened()], 'none');
  const marktrail = start({ DEMO: '1' });
  await marktrail.ready;
  await expect.poll(() => marktrail.output()).toContain('DEMO does nothing here: the log holds events already');
  expect(marktrail.output()).not.toContain('Building the demo school');
  // Its own, and the identity.
  expect(await count()).toBe(2);
});
