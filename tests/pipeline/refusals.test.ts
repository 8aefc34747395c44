import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Problem } from '../../api/contract/problem.ts';
import { steadyPool } from '../../events/store/postgres/pool.ts';
import { Client } from '../support/client.ts';
import { asSuperuser } from '../support/postgres.ts';
import { PASSWORD } from '../support/school.ts';
import { schoolOfFile } from '../support/school-of-file.ts';

/** Refused is first who may not ask, then what cannot be read, and only then what is asked; who can do nothing about it may come again. */

const { school, admin } = await schoolOfFile('admin');

test('a request is refused where its letters are no UTF-8: they would be stored as question marks', async () => {
  const body = Buffer.from('{"name":"Caf\xe9 School"}', 'latin1');
  const answer = await admin.send('/api/commands/RenameSchool', { method: 'POST', body });
  expect([answer.status, ((await answer.json()) as Problem).code]).toEqual([422, 'invalid-input']);
});

test('whoever may not ask at all is told nothing about what they ask', async () => {
  const student = await school.as('student');
  for (const path of ['commands/OpenStaffAccount', 'commands/IssueJoinCode', 'queries/preview-students', 'queries/export-results']) {
    expect((await student.send(`/api/${path}`, { method: 'POST', body: '{}' })).status, path).toBe(403);
  }
});

test('nothing that a stranger sends is read', async () => {
  const stranger = new Client(school);
  for (const path of ['commands/UploadTotals', 'queries/preview-totals', 'rest/subjects']) {
    expect((await stranger.send(`/api/${path}`, { method: 'POST', body: '{"half' })).status, path).toBe(401);
  }
});

test('all that is wrong is told, but not of more values than anybody reads: a list of it would fill the memory', async () => {
  const teacher = await school.as('teacherA');
  const faultsOf = async (values: number): Promise<number | undefined> => {
    const rows = [{ admissionNo: '00A1', name: '', totals: [1] }];
    const body = { subjectId: school.ids.maths, fileName: 'x.csv', classes: [], rows, saw: Array.from({ length: values }, () => 0) };
    return (await teacher.command('UploadTotals', body)).body.errors?.length;
  };
  expect(await faultsOf(100)).toBe(100);
  expect(await faultsOf(60_000)).toBeUndefined();
});

test('where anybody may ask, no more than 64 kB is read', async () => {
  const body = JSON.stringify({ email: 'x'.repeat(64 * 1024), password: PASSWORD });
  for (const path of ['identity/sign-in/email', 'door/join/code', 'errors']) {
    const answer = await new Client(school).send(`/api/${path}`, { method: 'POST', body });
    expect([answer.status, ((await answer.json()) as Problem).code], path).toEqual([413, 'too-large']);
  }
});

test('a question over which the database lost its patience can be asked again', async () => {
  const database = steadyPool({ connectionString: await asSuperuser({ url: school.databaseUrl }), max: 2 });
  const busy = await database.connect();
  await busy.query('begin; lock table read.markbook, read.results, read.tests in access exclusive mode');
  const answer = admin.send(`/api/queries/uploads?${new URLSearchParams({ subjectId: school.ids.maths })}`);
  const waiting = `select pg_cancel_backend(pid) from pg_stat_activity
    where wait_event_type = 'Lock' and application_name = 'marktrail reader' and datname = current_database()`;
  await expect.poll(async () => (await database.query(waiting)).rowCount).toBe(1);
  const { status, headers } = await answer;
  expect([status, ((await (await answer).json()) as Problem).code]).toEqual([503, 'store-unavailable']);
  expect(headers.get('Retry-After')).toMatch(/^\d+$/);
  await busy.query('rollback');
  busy.release();
  await database.end();
});

test('what a page sends for one person is not done in the name of another who has logged in in the same browser since', async () => {
  const teacher = await school.as('teacherA');
  const { admin: ada, teacherA } = school.accounts;
  const save = () => ({ entryId: randomUUID(), subjectId: school.ids.maths, seq: 1, cells: [] });
  const toAda = { headers: { 'X-Account': ada } };
  const toMe = { headers: { 'X-Account': teacherA.toUpperCase() } };
  // Typed saves are decided by who the session was when it was last used, once it was.
  for (const asked of [{}, toAda, toMe]) {
    const answers = [
      await teacher.command('EnterMarks', save(), asked),
      await teacher.command('ChangeStaffDetails', { name: 'Ada' }, asked),
      await teacher.command('EnterMarks', save(), asked),
    ];
    for (const { status, body } of answers) {
      if (asked === toAda) expect([status, body.code]).toEqual([401, 'not-authenticated']);
      else expect(status).not.toBe(401);
    }
  }
  const written = await admin.send('/api/rest/subjects', { method: 'POST', body: '{"name":"Botany"}', headers: { 'X-Account': teacherA } });
  expect(written.status).toBe(401);
  const read = await teacher.send('/api/queries/me');
  expect(read.status).toBe(200);
});
