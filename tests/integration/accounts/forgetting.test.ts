import { randomUUID } from 'node:crypto';
import type { History, HistoryEntry } from '../../../api/history/history.contract.ts';
import type { PriorSummary, PriorUploads } from '../../../api/prior/prior.contract.ts';
import { projections } from '../../../projections/all.ts';
import { personalTables } from '../../../projections/engine/tables/personal.ts';
import { appendFile, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { roster } from '../../../projections/students/roster.ts';
import { Engine } from '../../../projections/engine/engine.ts';
import { Progress } from '../../../projections/engine/announcing/progress.ts';
import { Client, insisted } from '../../support/client.ts';
import { openCodec } from '../../support/log.ts';
import { openProduct, type Product } from '../../support/product.ts';
import { admissionNo, fullName, openSchool, PASSWORD, type School } from '../../support/school.ts';
import { steadyPool } from '../../../events/store/postgres/pool.ts';

/** Names can be forgotten, marks can be kept. */
let file: string;
let school: School;
let admin: Client;
let database: pg.Pool;

beforeEach(async () => {
  file = join(tmpdir(), `marktrail-forgettings-${randomUUID()}.ndjson`);
  school = await openSchool({ forgettingsFile: file });
  admin = await school.as('admin');
  database = steadyPool({ connectionString: school.databaseUrl, max: 2 });
});

afterEach(async () => {
  await database.end();
  await school.close();
  await rm(file, { force: true });
});

const ask = async (sql: string, values: readonly unknown[] = []): Promise<Record<string, unknown>[]> =>
  (await database.query(sql, [...values])).rows;

/** Every table of the database in which the text stands readable. */
const traces = async (text: string): Promise<string[]> => {
  const tables = await ask(`select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`);
  const found = await Promise.all(
    tables.map(async ({ name }) =>
      (await ask(`select from ${String(name)} t where t::text ilike $1 limit 1`, [`%${text}%`])).length > 0 ? [String(name)] : [],
    ),
  );
  return found.flat();
};

/** Columns that are declared personal and still hold something of these persons. */
const left = async (...ids: readonly (string | undefined)[]): Promise<string[]> => {
  const found = await Promise.all(
    personalTables(projections.flatMap(({ tables }) => Object.values(tables))).flatMap(({ name, person, columns }) =>
      columns.map(async (column) => {
        const rows = await ask(`select from read.${name} where ${person} = any($1::uuid[]) and ${column.name} is not null`, [ids]);
        return rows.length === 0 ? [] : [`${name}.${column.name}`];
      }),
    ),
  );
  return found.flat().toSorted();
};

const settled = async (): Promise<void> => {
  const models = ['roster', 'accounts', 'structure', 'results', 'prior'];
  await school.backend.progress.waitFor(models, await school.backend.store.head(), 30_000);
};

const totals = async (): Promise<unknown[]> => ask(`select student_id, total, marks_sum from read.markbook order by 1, 2`);

test('a student who is forgotten leaves no readable trace; their marks stay and count, their log-in ends, their StudentID is free', async () => {
  const { students, maths, setA, mock } = school.ids;
  const teacher = await school.as('teacherA');
  const student = await school.as('student');
  const moment = new Date().toISOString();
  await teacher.done('EnterMarks', {
    entryId: randomUUID(),
    subjectId: maths,
    seq: 1,
    cells: [{ studentId: students['A1'], testId: mock, is: 17 }],
  });
  await settled();
  const before = await totals();
  const email = school.email('student');
  // Somebody has looked at an earlier moment: it holds the name too.
  const earlier = await insisted(() => admin.send(`/api/queries/markbook?yearGroupId=${school.ids.year}&asOf=${moment}`));
  expect(await earlier.text()).toContain(fullName('A1'));
  expect((await traces(fullName('A1'))).length).toBeGreaterThan(1);
  expect(await left(students['A1'])).toEqual([
    'students.admission_key',
    'students.admission_no',
    'students.date_of_birth',
    'students.name',
  ]);
  expect((await traces(email)).length).toBeGreaterThan(1);
  // A mail waits, a link was mailed, another address is to be confirmed.
  const accountId = school.accounts.student;
  await ask(`insert into mail.outbox (id, cause, kind, about, expires_at) values ($1, 'waits', 'reset', $2, now() + interval '1 day')`, [
    randomUUID(),
    JSON.stringify({ accountId, email }),
  ]);
  await ask(`insert into identity.links values ('\\x01', 'reset', $1, $2, now() + interval '1 day')`, [accountId, email]);
  await ask(`insert into identity.email_changes values ($1, $2)`, [accountId, `new.${email}`]);

  await admin.done('ForgetStudent', { studentId: students['A1'] });

  expect(await traces(fullName('A1'))).toEqual([]);
  expect(await left(students['A1'])).toEqual([]);
  expect(await traces(email)).toEqual([]);
  expect(await traces(`"${admissionNo('A1')}"`)).toEqual([]);
  expect(await ask(`select from read.students where admission_no = $1`, [admissionNo('A1')])).toEqual([]);
  expect(await totals()).toEqual(before);
  const later = await insisted(() => admin.send(`/api/queries/markbook?yearGroupId=${school.ids.year}&asOf=${moment}`));
  expect(await later.text()).not.toContain(fullName('A1'));
  const book = await admin.ask<{ students: { studentId: string; name: string | null; totals: { total: number | null }[] }[] }>('markbook', {
    yearGroupId: school.ids.year,
  });
  expect(book.students.find(({ studentId }) => studentId === students['A1'])).toMatchObject({ name: null, totals: [{ total: 17 }, {}] });

  // What was done to them stays in the record, without the name.
  const ofStudent = { subjectId: maths, studentId: students['A1'] };
  const { events } = await admin.ask<History>('history', { ...ofStudent, kind: 'marks' });
  expect(events.map(({ type }) => type)).toEqual(['MarksEntered']);
  expect(JSON.stringify(await admin.ask<HistoryEntry>('history-entry', { eventId: events[0]?.eventId }))).not.toContain(fullName('A1'));
  expect((await admin.ask<History>('history', { text: fullName('A1') })).events).toEqual([]);

  expect((await student.query('me')).status).toBe(401);
  await expect(school.signIn('student')).rejects.toThrow('401');
  await admin.done('AddStudent', {
    subjectId: maths,
    setId: setA,
    admissionNo: admissionNo('A1'),
    name: 'Somebody New',
    dateOfBirth: null,
  });
  // Nothing personal can be written about them any more, and once more changes nothing.
  const correct = await admin.command('ChangeStudents', {
    subjectId: maths,
    changes: [{ studentId: students['A1'], details: { admissionNo: 'x', name: 'Back Again', dateOfBirth: null } }],
  });
  expect([correct.status, correct.body.title]).toEqual([422, 'This student was forgotten: nobody knows any more who it is.']);
  const account = { studentId: students['A1'], name: 'Back Again', email: 'back@pupils.example', password: PASSWORD };
  const opened = await admin.command('OpenStudentAccount', account);
  expect([opened.status, opened.body.title]).toEqual([422, 'There is no such student.']);
  const again = await admin.command('ForgetStudent', { studentId: students['A1'] });
  expect([again.status, again.body.position]).toEqual([200, null]);
  expect(await readFile(file, 'utf8')).not.toContain('Student');
});

test('staff who are forgotten: account, teacher record and the names of their files', async () => {
  const { maths, setA, mock } = school.ids;
  const teacher = await school.as('teacherA');
  await teacher.done('UploadTotals', {
    subjectId: maths,
    fileName: 'marks of teacherA.csv',
    classes: [{ setId: setA, testIds: [mock] }],
    rows: [{ admissionNo: '00A2', name: 'A2, Student', totals: [7] }],
  });
  await settled();
  const before = await totals();
  expect((await traces('marks of teacherA.csv')).length).toBeGreaterThan(0);
  expect(await left(school.accounts.teacherA)).toEqual(['accounts.email', 'accounts.name', 'saves.file_name']);

  await admin.done('ForgetStaffAccount', { accountId: school.accounts.teacherA });
  expect(await traces('marks of teacherA.csv')).toEqual([]);
  expect(await left(school.accounts.teacherA)).toEqual([]);
  expect(await traces(school.email('teacherA'))).toEqual([]);
  expect(await traces('Teacher A')).toEqual([]);
  const { events } = await admin.ask<History>('history', { by: school.accounts.teacherA });
  expect(events.map(({ type, by }) => [type, by.name])).toEqual([['TotalsUploaded', null]]);
  expect(JSON.stringify(events)).not.toContain('teacherA');
  expect(await totals()).toEqual(before);
  expect((await teacher.query('me')).status).toBe(401);

  // The last admin of a school cannot be forgotten: nothing at all has happened then.
  const written = await readFile(file, 'utf8');
  const refused = await admin.command('ForgetStaffAccount', { accountId: school.accounts.admin });
  expect([refused.status, refused.body.code]).toEqual([409, 'refused']);
  expect(await readFile(file, 'utf8')).toBe(written);
  expect((await admin.query('me')).status).toBe(200);
});

test('a leader who is forgotten: the name of a file of prior data; its scores stay and count', async () => {
  const { maths: subjectId, terminalExam: terminalExamId, year: yearGroupId } = school.ids;
  const leader = await school.as('leader');
  await leader.done('UploadPriorScores', {
    subjectId,
    terminalExamId,
    yearCompleted: new Date().getUTCFullYear(),
    fileName: 'prior data of the leader.csv',
    rows: [{ admissionNo: '00A2', name: 'A2, Student', score: 'b' }],
  });
  await settled();
  expect((await traces('prior data of the leader.csv')).length).toBeGreaterThan(0);
  expect(await left(school.accounts.leader)).toEqual(['accounts.email', 'accounts.name', 'prior_uploads.file_name']);

  await admin.done('ForgetStaffAccount', { accountId: school.accounts.leader });
  expect(await traces('prior data of the leader.csv')).toEqual([]);
  expect(await left(school.accounts.leader)).toEqual([]);
  const { uploads } = await admin.ask<PriorUploads>('prior-uploads', { subjectId, terminalExamId });
  expect(uploads.map(({ fileName, by, scores }) => [fileName, by, scores])).toEqual([[null, null, 1]]);
  const { exams } = await admin.ask<PriorSummary>('prior-summary', { subjectId, yearGroupId });
  expect(exams.map(({ scores, type }) => [scores, type])).toEqual([[1, 'letter']]);
});

const line = (person: string, kind: string): string =>
  `${JSON.stringify({ person, schoolId: school.schoolId, kind, at: new Date().toISOString() })}\n`;

/** Another process on the same data: as after a restart. */
const restarted = async <Result>(work: (product: Product) => Promise<Result>): Promise<Result> => {
  const product = await openProduct(school.databaseUrl, { forgettingsFile: file });
  try {
    const result = await work(product);
    await product.backend.progress.waitFor(['roster', 'accounts', 'structure', 'results'], await product.backend.store.head(), 30_000);
    return result;
  } finally {
    await product.close();
  }
};

test('cut off right after it was written outside, the next start finishes it; half a line counts for nothing', async () => {
  const { students } = school.ids;
  await appendFile(file, line(students['B1'] ?? '', 'student'));
  await appendFile(file, line(school.accounts.teacherB, 'staff-account'));
  await appendFile(file, line(students['B2'] ?? '', 'student').slice(0, 40));
  await restarted(async () => undefined);
  expect(await traces(fullName('B1'))).toEqual([]);
  expect(await traces(school.email('teacherB'))).toEqual([]);
  expect((await traces(fullName('B2'))).length).toBeGreaterThan(0);
  await expect(school.signIn('teacherB')).rejects.toThrow('401');
  const head = await school.backend.store.head();
  await restarted(async () => undefined);
  expect(await school.backend.store.head()).toBe(head);

  await admin.done('ForgetStudent', { studentId: students['B2'] });
  await restarted(async () => undefined);
  expect(await traces(fullName('B2'))).toEqual([]);
});

test('cut off after the key was destroyed, the next start writes the event', async () => {
  const { students } = school.ids;
  const opened = openCodec(school.databaseUrl);
  await appendFile(file, line(students['B1'] ?? '', 'student'));
  await opened.keys.forget(students['B1'] ?? '');
  await opened.close();
  await restarted(async () => undefined);
  expect(await traces(fullName('B1'))).toEqual([]);
});

test('a file that is damaged stops the start with one line', async () => {
  await appendFile(file, '{"person": "nobody"}\n');
  await expect(restarted(async () => undefined)).rejects.toThrow(`${file} is damaged in line 1: put it back from a backup.`);
});

test('a backup with keys from before a forgetting is restored: the next start forgets again, also in read models that are made anew', async () => {
  const { students } = school.ids;
  await ask(
    'create schema kept; create table kept.person_keys as table keys.person_keys; create table kept.forgettings as table keys.forgettings',
  );
  await admin.done('ForgetStudent', { studentId: students['C1'] });
  await ask('truncate keys.person_keys; insert into keys.person_keys select * from kept.person_keys');
  await ask('update keys.forgettings set number = (select number from kept.forgettings)');
  await ask('drop schema kept cascade');
  expect(await ask('select from keys.person_keys where person = $1 and wrapped_key is not null', [students['C1']])).toHaveLength(1);
  await school.stop();
  await ask('drop schema read cascade');
  await restarted(async () => undefined);
  expect(await ask('select from keys.person_keys where person = $1 and wrapped_key is not null', [students['C1']])).toEqual([]);
  expect(await traces(fullName('C1'))).toEqual([]);
  expect((await traces(fullName('C2'))).length).toBeGreaterThan(0);
});

test('keys older than the log stop what needs them, in a sentence; nothing is guessed, and it goes on when they are restored', async () => {
  const { students } = school.ids;
  const [kept] = await ask('select * from keys.person_keys where person = $1', [students['C1']]);
  await school.stop();
  await ask('delete from keys.person_keys where person = $1', [students['C1']]);
  await ask('drop schema read cascade');
  const console: string[] = [];
  const product = await openProduct(school.databaseUrl, { forgettingsFile: file, tell: (line) => void console.push(line) });
  const problems = async (): Promise<string> => (await product.backend.health()).problems.join(' ');
  expect(await problems()).toContain('The read model roster has stopped');
  // Who it is about is for the operator only.
  expect(JSON.stringify(await product.backend.health())).not.toContain(students['C1']);
  const reason = new RegExp(`read model roster .* has stopped: .*the key of person ${students['C1']} is missing`);
  await expect.poll(() => console.join('\n')).toMatch(reason);
  expect(await ask('select from read.students')).toEqual([]);
  await ask('insert into keys.person_keys (person, school, wrapped_key) values ($1, $2, $3)', [
    kept?.['person'],
    kept?.['school'],
    kept?.['wrapped_key'],
  ]);
  await expect.poll(problems).toBe('');
  await expect.poll(() => console.join('\n')).toMatch(/^The read model roster .* continues\.$/m);
  expect(await ask('select from read.students')).toHaveLength(12);
  await product.close();
});

test('somebody is forgotten while their name is being read for a rebuild: the rebuilt read model does not hold it', async () => {
  const { students } = school.ids;
  await school.stop();
  const api = await openProduct(school.databaseUrl, { forgettingsFile: file, role: 'api' });
  const opened = openCodec(school.databaseUrl);
  const held = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const engine = new Engine({
    databaseUrl: school.databaseUrl,
    store: api.backend.store,
    progress: new Progress({ databaseUrl: school.databaseUrl }),
    tell: () => undefined,
    projections: [{ ...roster, version: roster.version + 1 }],
    decode: async (recorded) => {
      const events = await opened.codec.decode(recorded, (stream, from) => api.backend.store.read(stream, from));
      held.resolve();
      await release.promise;
      return events;
    },
  });
  const rebuilt = engine.catchUp();
  await held.promise; // with the names in its hands
  const forgetting = new Client(api, admin.cookie).command('ForgetStudent', { studentId: students['C1'] });
  await expect.poll(() => ask(`select from log.events where type = 'StudentForgotten'`)).toHaveLength(1);
  release.resolve();
  await rebuilt;
  engine.start();
  await forgetting;
  await expect.poll(() => ask(`select from read.students where name is null`)).toHaveLength(1);
  await expect.poll(() => traces(fullName('C1'))).toEqual([]);
  expect((await traces(fullName('C2'))).length).toBeGreaterThan(0);
  await engine.stop();
  await api.close();
  await opened.close();
});

test('whoever wants the password of a forgotten person back gets nobody', async () => {
  await admin.done('ForgetStudent', { studentId: school.ids.students['A1'] });
  const account = await admin.done('OpenStudentAccount', {
    studentId: school.ids.students['A2'],
    name: 'Somebody else',
    email: school.email('student'),
    password: PASSWORD,
  });
  expect(account['accountId']).toBeDefined();
});
