import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { storedTables } from '../../run/backup/tables.ts';
import { readSettings } from '../../run/settings.ts';
import { temporaryDataDir } from '../support/marktrail.ts';
import { testDatabase, type TestDatabase } from '../support/postgres.ts';
import { MASTER_KEY, openProduct, SIGNING_KEY } from '../support/product.ts';
import { fullName, openSchool, PASSWORD, type School } from '../support/school.ts';
import { Client } from '../support/client.ts';
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
