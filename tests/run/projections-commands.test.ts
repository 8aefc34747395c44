import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readSettings } from '../../run/settings.ts';
import { temporaryDataDir } from '../support/marktrail.ts';
import { MASTER_KEY } from '../support/product.ts';
import { openSchool, type School } from '../support/school.ts';
import { told } from './told.ts';

/** `marktrail projections ...`, beside a product that runs. */
let school: School;
let dataDir: ReturnType<typeof temporaryDataDir>;
let sql: pg.Client;

beforeEach(async () => {
  school = await openSchool();
  dataDir = temporaryDataDir();
  sql = new pg.Client({ connectionString: school.databaseUrl });
  await sql.connect();
});
afterEach(async () => {
  await sql.end();
  await school.close();
  dataDir.remove();
});

const projections = (word: string, ...args: readonly string[]) => {
  const settings = readSettings({ DATABASE_URL: school.databaseUrl, DATA_DIR: dataDir.path, MASTER_KEY });
  return told({ settings, url: school.databaseUrl }, `projections ${word}`, args);
};
const type = async (seq: number, is: number, entryId: string) => {
  const { maths, mock, students } = school.ids;
  const teacher = await school.as('teacherA');
  return teacher.done('EnterMarks', {
    entryId,
    subjectId: maths,
    seq,
    cells: [{ studentId: students['A1'], testId: mock, is }],
  });
};
const total = async () => (await sql.query('select total from read.markbook where total is not null')).rows.map((row) => row.total);
const headReached = async () => {
  const { store, progress } = school.backend;
  await progress.waitFor(['results', 'structure', 'roster', 'history'], await store.head(), 30_000);
};

test('status, rebuild and compare: the rebuilt rows are those that the log says, and people go on meanwhile', async () => {
  const entryId = randomUUID();
  await type(1, 7, entryId);
  await headReached();
  const status = await projections('status');
  expect(status.said).toMatch(/^read model +version +state +position +behind by +trouble/);
  expect(status.said).toMatch(/^results +\d+ +running +\d+ +0 events, 0 s$/m);

  expect(await projections('compare', 'all')).toEqual({ said: expect.stringMatching(/^markbook +1 +1 +0$/m) });

  // A row that nobody wrote by way of the log.
  await sql.query(`update ${(await tableOf('markbook')).name} set total = 19`);
  const compared = await projections('compare', 'results');
  expect(compared.refused).toBe('One row is different from the log: see above.');
  expect(compared.said).toContain(`markbook: other in total: school_id = ${school.schoolId}`);

  const rebuilt = await projections('rebuild', 'results', '--compare');
  expect(rebuilt.refused).toContain('One row');
  expect(await total()).toEqual([7]);
  await type(2, 8, entryId);
  await headReached();
  expect(await total()).toEqual([8]);
  expect((await projections('compare', 'results')).refused).toBeUndefined();
  expect((await projections('status')).said).toMatch(/^results +\d+\.1 +running/m);
});

test('skip names the event that a read model has stopped at, and nothing else; who and why is shown', async () => {
  const { store } = school.backend;
  const stream = `assessment-${school.schoolId}.${school.ids.other}`;
  let poison: string | undefined;
  for await (const last of store.read(stream)) {
    if (last.type !== 'QuestionsUploaded') continue;
    poison = randomUUID();
    const data = { questions: [{ questionId: randomUUID(), number: 1, topic: 'Poison', marksAvailable: 3_000_000_000 }] };
    const metadata = last.metadata.replace(/"commandId":"[^"]*"/, `"commandId":"${randomUUID()}"`);
    await store.append(stream, [{ id: poison, type: last.type, data: JSON.stringify(data), metadata }], last.revision);
    break;
  }
  await expect.poll(async () => (await projections('status')).said).toMatch(/^assessments +\d+ +stopped/m);

  const reason = 'An import wrote a paper that cannot be';
  expect((await projections('skip', 'assessments', poison ?? '')).refused).toContain('Usage');
  expect((await projections('skip', 'nothing', poison ?? '', '--reason', reason)).refused).toContain('There is no read model "nothing"');
  expect((await projections('skip', 'roster', poison ?? '', '--reason', reason)).refused).toContain('has not stopped at any event');
  expect((await projections('skip', 'assessments', randomUUID(), '--reason', reason)).refused).toContain(
    `has stopped at the event ${poison}, not`,
  );

  expect((await projections('skip', 'ledger', poison ?? '', '--reason', reason)).refused).toContain('The read model ledger skips no event');

  expect((await projections('skip', 'assessments', poison ?? '', '--reason', reason, '--by', 'Ada')).refused).toBeUndefined();
  await school.backend.progress.waitFor(['assessments'], await store.head(), 30_000);
  expect((await projections('status')).said).toContain(`assessments skips the event ${poison}: ${reason} (Ada, `);
  const health = await school.backend.health();
  expect(health['skipped']).toEqual([{ projection: 'assessments', eventId: poison, at: expect.any(String) }]);
  expect(JSON.stringify(health)).not.toContain(reason);
});

const tableOf = async (view: string): Promise<{ name: string }> => {
  const { rows } = await sql.query<{ name: string }>(
    `select 'read.' || tablename as name from pg_tables where schemaname = 'read' and tablename like $1 || '\\_v%'`,
    [view],
  );
  return rows[0] ?? expect.fail(`no table of ${view}`);
};
