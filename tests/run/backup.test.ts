import { createHash } from 'node:crypto';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { root } from '../../run/apps.ts';
import { storedTables } from '../../run/backup/tables.ts';
import { openDatabase } from '../../run/database/database.ts';
import { readSettings } from '../../run/settings.ts';
import { startEventStore } from '../support/eventstoredb/server.ts';
import { temporaryDataDir } from '../support/marktrail.ts';
import { testDatabase, type TestDatabase } from '../support/postgres.ts';
import { MASTER_KEY, openProduct, SIGNING_KEY } from '../support/product.ts';
import { fullName, openSchool, PASSWORD, type School } from '../support/school.ts';
import { Client } from '../support/client.ts';
import { failure } from '../store/seen.ts';
import { told } from './told.ts';

/** A school that is backed up while it runs, and the empty places to which its backup is restored. */
const PASSPHRASE = 'correct horse battery';
const home = temporaryDataDir();
const file = (name: string) => join(home.path, name);
const forgettingsFile = file('forgettings.ndjson');
let school: School;
let target: TestDatabase;
let dataDir: ReturnType<typeof temporaryDataDir>;

beforeAll(async () => {
  school = await openSchool({ forgettingsFile });
  await type(17);
  expect(await backUp('whole.backup')).toMatchObject({
    said: expect.stringMatching(/^\S+ holds all of \S+, with \d+ events, in 1 MB, and was read back\.$/),
  });
});
afterAll(async () => {
  await school.close();
  home.remove();
});
beforeEach(async () => {
  target = await testDatabase();
  dataDir = temporaryDataDir();
});
afterEach(async () => {
  await target.drop();
  dataDir.remove();
});

const type = async (total: number) => {
  const { maths, setA, mock } = school.ids;
  const rows = [{ admissionNo: '00A1', name: fullName('A1'), totals: [total] }];
  await (
    await school.as('teacherA')
  ).done('UploadTotals', { subjectId: maths, fileName: 'totals.csv', classes: [{ setId: setA, testIds: [mock] }], rows });
};
const backUp = (name: string, given: Readonly<Record<string, string>> = { BACKUP_PASSPHRASE: PASSPHRASE }) => {
  const settings = readSettings({ DATABASE_URL: school.databaseUrl, DATA_DIR: home.path, MASTER_KEY, SIGNING_KEY, ...given });
  return told({ settings, url: school.databaseUrl }, 'backup', [file(name)]);
};
const restore = (words: readonly string[], given: Readonly<Record<string, string>> = { BACKUP_PASSPHRASE: PASSPHRASE }) => {
  const settings = readSettings({ DATABASE_URL: target.url, DATA_DIR: dataDir.path, ...given });
  return told({ settings, url: target.url }, 'restore', words);
};
const sql = async <Row extends pg.QueryResultRow>(url: string, statement: string): Promise<Row[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client
    .query<Row>(statement)
    .then(
      ({ rows }) => rows,
      (error: unknown) => Promise.reject(error),
    )
    .finally(() => client.end());
};
/** Every table, as text. */
const contentsOf = async (url: string): Promise<Record<string, string[]>> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const all: Record<string, string[]> = {};
  for (const { name, columns } of await storedTables(client))
    all[name] = (await client.query<{ row: string }>(`select row(${columns.join(', ')})::text as row from ${name}`)).rows
      .map(({ row }) => row)
      .sort();
  await client.end();
  return all;
};

test('a backup of a running school comes back in an empty place, with its keys, and is the same in every table; nobody is signed in', async () => {
  const before = await contentsOf(school.databaseUrl);
  const { said, refused } = await restore([file('whole.backup')]);
  expect(refused).toBeUndefined();
  expect(said).toMatch(/whole\.backup was whole: all of \S+, with \d+ events, is back\.\n/);
  expect(said).toMatch(/\d+ events of \d schools?; \d+ signed heads? match/);
  expect(said).toMatch(
    /The read models were filled from the log and compared with it: [1-9]\d* rows, 0 differences\.\nAll sessions have ended/,
  );
  const after = await contentsOf(target.url);
  for (const table of [
    'log.events',
    'keys.person_keys',
    'keys.school_keys',
    'identity."user"',
    'identity.account',
    'operations.log_origin',
  ])
    expect([table, after[table]]).toEqual([table, before[table]]);
  expect(after['proof.heads']).toEqual(expect.arrayContaining(before['proof.heads'] ?? []));
  expect(Object.keys(after).sort()).toEqual(Object.keys(before).sort());
  expect(await sql(target.url, 'select from identity.session')).toEqual([]);
  expect(Buffer.from(readFileSync(join(dataDir.path, 'master.key'), 'utf8'), 'base64').toString('hex')).toBe(MASTER_KEY);

  const product = await openProduct(target.url);
  const teacher = new Client(product);
  await teacher.signIn(school.email('teacherA'), PASSWORD);
  expect((await product.backend.health()).status).toBe('ok');
  await product.close();
});

test('what cannot be backed up or restored is one line, and nothing is changed', async () => {
  const bytes = readFileSync(file('whole.backup'));
  const changed = (name: string, change: (copy: Buffer) => Buffer) => {
    writeFileSync(file(name), change(Buffer.from(bytes)));
    return [file(name)];
  };
  const untouched = await contentsOf(target.url);
  const cases: [words: readonly string[], line: RegExp, given?: Readonly<Record<string, string>>][] = [
    [[], /^Usage: npm run marktrail -- restore FILE/],
    [[file('none')], /none cannot be restored: ENOENT.* Nothing was changed\.$/],
    [[home.path], /cannot be restored: .* Nothing was changed\.$/],
    [[join(root, 'package.json')], /it is no backup of Marktrail\. Nothing was changed\.$/],
    [changed('cut', (copy) => copy.subarray(0, -1_000)), /cut cannot be restored: it is incomplete: its end is missing\. Nothing/],
    [
      changed('manifest', (copy) => (copy.writeUInt8(copy.at(-100)! ^ 1, copy.length - 100), copy)),
      /its manifest was changed or damaged\. Nothing/,
    ],
    [changed('bit', (copy) => (copy.writeUInt8(copy.at(30)! ^ 4, 30), copy)), /its part \S+ was changed or damaged\. Nothing/],
    [changed('newer', asNewer), /it was made by a newer Marktrail: update this one first\. Nothing/],
    [[file('whole.backup')], /^BACKUP_PASSPHRASE is not the passphrase/, { BACKUP_PASSPHRASE: 'another passphrase' }],
    [[file('whole.backup')], /under a passphrase: set BACKUP_PASSPHRASE\. Nothing/, {}],
    [[file('whole.backup')], /^The master key here is another/, { MASTER_KEY: 'e'.repeat(64) }],
    [[file('whole.backup'), '--at', 'noon'], /^--at noon is no time/],
    [[file('whole.backup'), '--forgettings', '/there/is/none'], /^There is no file \/there\/is\/none:/],
    [
      [file('whole.backup')],
      /^The log of this backup was in PostgreSQL: unset EVENTSTORE_URL/,
      { EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false' },
    ],
  ];
  for (const [words, line, given] of cases) expect((await restore(words, given)).refused).toMatch(line);
  expect(await contentsOf(target.url)).toEqual(untouched);
  expect(readdirSync(dataDir.path)).toEqual([]);

  expect((await backUp('whole.backup')).refused).toMatch(/whole\.backup exists: choose another name/);
  const settings = readSettings({ DATABASE_URL: school.databaseUrl, DATA_DIR: dataDir.path, BACKUP_PASSPHRASE: PASSPHRASE });
  const onto = (words: readonly string[]) => told({ settings, url: school.databaseUrl }, 'restore', words);
  expect((await onto([file('whole.backup')])).refused).toBe('A Marktrail is running here: stop it first. Nothing was changed.');
  expect((await told({ settings, url: school.databaseUrl }, 'backup', [file('without.backup')])).refused).toMatch(
    /^There is no master key in/,
  );
  // What is written finds room for a beginning.
  const words = ['-c', 'ulimit -f 8; exec "$0" "$@"', process.execPath, join(root, 'run/cli.ts'), 'backup', file('full.backup')];
  const child = spawn('/bin/bash', words, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { DATABASE_URL: school.databaseUrl, DATA_DIR: home.path },
  });
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect(code).toBe(1);
  expect(said).toMatch(/^EFBIG.*\n$/);
  expect(readdirSync(home.path).filter((name) => /full|without/.test(name))).toEqual([]);
});

test('an EventStoreDB that is away is one line, before anything is changed', async () => {
  const server = await startEventStore();
  const there = { EVENTSTORE_URL: server.url };
  expect((await backUp('stored.backup', there)).refused).toBeUndefined();
  await server.stop();
  const away = /^(the log of this installation|127\.0\.0\.1:\d+) cannot be reached \(.*\)/;
  expect((await backUp('away.backup', there)).refused).toMatch(away);
  expect(readdirSync(home.path).filter((name) => name.includes('away'))).toEqual([]);
  const untouched = await contentsOf(target.url);
  expect((await restore([file('stored.backup')], { ...there, MASTER_KEY })).refused).toMatch(away);
  expect(await contentsOf(target.url)).toEqual(untouched);
});

/** As a Marktrail to come would write it. */
const asNewer = (copy: Buffer): Buffer => {
  const length = Number(copy.subarray(-13).toString());
  const line = Buffer.from(
    copy
      .subarray(-78 - length, -78)
      .toString()
      .replace('"format":1', '"format":2'),
  );
  const last = `${createHash('sha256').update(line).digest('hex')} ${String(length).padStart(12, '0')}\n`;
  return Buffer.concat([copy.subarray(0, -78 - length), line, Buffer.from(last)]);
};

test('a restore that ended halfway leaves nothing that starts, and the same restore makes it whole; then it is data', async () => {
  writeFileSync(join(dataDir.path, 'file'), '');
  const settings = (path: string) => readSettings({ DATABASE_URL: target.url, DATA_DIR: path, MASTER_KEY, SIGNING_KEY });
  const into = (path: string) => told({ settings: settings(path), url: target.url }, 'restore', [file('whole.backup')]);
  // The keys cannot be stored.
  expect((await into(join(dataDir.path, 'file'))).refused).toMatch(/^EEXIST/);
  const lifecycle = { stopping: new AbortController().signal, onEnd: () => undefined, end: () => Promise.reject(new Error('ended')) };
  expect(String(await failure(openDatabase(settings(dataDir.path), lifecycle)))).toContain('A restore was not finished here');

  expect((await into(dataDir.path)).refused).toBeUndefined();
  await openDatabase(settings(dataDir.path), lifecycle);
  expect((await into(dataDir.path)).refused).toMatch(/^There is data here: restore into an empty installation/);
});

test('a restore up to a moment leaves out what came later, and says so in the log', async () => {
  const [{ at } = { at: '' }] = await sql<{ at: string }>(school.databaseUrl, `select max(metadata ->> 'at') as at from log.events`);
  await type(18);
  // Its head is signed when it stops.
  await school.backend.progress.waitFor(['ledger'], await school.backend.store.head(), 30_000);
  await school.stop();
  await backUp('later.backup');
  const { said, refused } = await restore([file('later.backup'), '--at', at]);
  expect(refused).toBeUndefined();
  expect(said).toMatch(/accepted with \d+ events; the heads after \d+ events are given up\./);
  expect(said).toContain(`Restored up to ${at}`);
  const totals = (url: string) => sql(url, 'select total from read.markbook where total is not null');
  expect([await totals(school.databaseUrl), await totals(target.url)]).toEqual([[{ total: 18 }], [{ total: 17 }]]);
});

test('whoever was forgotten since the backup is forgotten again', async () => {
  const product = await openProduct(school.databaseUrl, { forgettingsFile });
  const admin = new Client(product);
  await admin.signIn(school.email('admin'), PASSWORD);
  await admin.done('ForgetStudent', { studentId: school.ids.students['A1'] ?? '' });
  await product.close();
  expect(existsSync(forgettingsFile)).toBe(true);
  const { said } = await restore([file('whole.backup'), '--forgettings', forgettingsFile]);
  expect(said).toContain('people who were forgotten came back with a backup: they are destroyed again.');
  const names = await sql<{ name: string | null }>(target.url, `select name from read.students where admission_no is null`);
  expect(names).toEqual([{ name: null }]);
});
