import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Structure } from '../../api/school/school.contract.ts';
import { READER_ROLE, SCHOOL_SETTING } from '../../projections/engine/reader-role.ts';
import { Client } from '../support/client.ts';
import { holdReadModels } from '../support/held-read-models.ts';
import { rest } from '../support/rest.ts';
import { PASSWORD } from '../support/school.ts';
import { schoolOfFile } from '../support/school-of-file.ts';
import { until } from '../support/until.ts';

/** What rights mean beyond who may ask what, which tests/matrix holds for every address. */
const { school } = await schoolOfFile();
const neighbour = await school.neighbour();

const head = () => school.backend.store.head();

test('a teacher may read the whole year group, and write only where their sets are', async () => {
  const { yearGroups } = await (await school.as('teacherA')).ask<Structure>('structure', { subjectId: school.ids.maths });
  const sets = yearGroups.flatMap((year) => year.sets).filter(({ name }) => ['11A', '11B', '11C'].includes(name));
  expect(sets.map(({ name, mayWrite }) => [name, mayWrite])).toEqual([
    ['11A', true],
    ['11B', false],
    ['11C', false],
  ]);
});

test('a right in one subject is none in another, also for a student of both', async () => {
  const { ids } = school;
  const scienceLeader = await school.as('scienceLeader');
  const before = await head();
  const cell = { studentId: ids.students['A1'], testId: ids.mock, is: 1 };
  const save = { entryId: randomUUID(), seq: 1, cells: [cell] };
  expect((await scienceLeader.command('EnterMarks', { ...save, subjectId: ids.maths })).status).toBe(403);
  expect((await scienceLeader.command('DecideMark', { entryId: randomUUID(), ...cell, was: [2], subjectId: ids.science })).status).toBe(
    404,
  );
  expect(await head()).toBe(before);
  expect(await scienceLeader.done('EnterMarks', { ...save, subjectId: ids.science })).toMatchObject({
    stored: 0,
    refused: [{ reason: 'unknown-question' }],
  });
  expect(
    await scienceLeader.done('EnterMarks', { ...save, seq: 2, subjectId: ids.science, cells: [{ ...cell, testId: ids.forces }] }),
  ).toMatchObject({ stored: 1 });
});

describe('rights that are taken away', () => {
  const hired = async (role: string, teachers: object[] = []) => {
    const admin = await school.as('admin');
    const email = `${randomUUID()}@hired.example`;
    const { accountId = '' } = await admin.done('OpenStaffAccount', { name: 'Hired', email, password: PASSWORD, role, teachers });
    const client = new Client(school);
    await client.signIn(email, PASSWORD);
    expect((await client.query('me')).status).toBe(200);
    return { admin, accountId, client, email };
  };

  test('a demoted account is signed out with the same request, and comes back as what it is', async () => {
    const { admin, accountId, client, email } = await hired('admin');
    await admin.done('ChangeStaffAccount', { accountId: accountId.toUpperCase(), role: 'auditor' });
    expect((await client.command('RenameSchool', { name: 'Mine' })).status).toBe(401);
    await client.signIn(email, PASSWORD);
    expect(await client.ask('me')).toMatchObject({ role: 'auditor' });
    expect((await client.command('RenameSchool', { name: 'Mine' })).status).toBe(403);
  });

  test('a closed account is signed out with the same request, and cannot come back', async () => {
    const { admin, accountId, client, email } = await hired('teacher');
    await admin.done('CloseStaffAccount', { accountId });
    expect((await client.query('me')).status).toBe(401);
    await expect(client.signIn(email, PASSWORD)).rejects.toThrow('401');
  });

  test('a student whose account was closed is signed out', async () => {
    const student = await neighbour.as('student');
    await (await neighbour.as('admin')).done('CloseStudentAccount', { accountId: neighbour.accounts.student });
    expect((await student.query('me')).status).toBe(401);
  });

  test('a teacher record that is taken away, or removed, takes its sets with it', async () => {
    const { maths: subjectId, setC } = school.ids;
    const admin = await school.as('admin');
    const { teacherId } = await admin.done('AddTeacher', { subjectId, name: `Stand-in ${randomUUID()}` });
    await admin.done('ChangeTeacher', { subjectId, teacherId, setIds: [setC] });
    const { client, accountId, email } = await hired('leader', [{ subjectId, teacherId }]);
    expect((await client.query('structure', { subjectId })).status).toBe(200);
    await admin.done('RemoveTeacher', { subjectId, teacherId });
    await school.backend.progress.waitFor(['structure'], await head(), 30_000);
    expect((await client.query('structure', { subjectId })).status).toBe(403);
    await admin.done('ChangeStaffAccount', { accountId, teachers: [] });
    expect((await client.query('me')).status).toBe(401);
    await client.signIn(email, PASSWORD);
    expect(await client.ask('me')).toMatchObject({ subjects: [] });
  });

  test('an e-mail address is one account, whatever its spelling, in whatever school', async () => {
    const admin = await school.as('admin');
    for (const email of [school.email('leader'), school.email('leader').toUpperCase(), neighbour.email('leader')]) {
      const answer = await admin.command('OpenStaffAccount', { name: 'Twice', email, password: PASSWORD, role: 'teacher' });
      expect([answer.status, answer.body.errors]).toEqual([
        422,
        [{ path: 'email', message: 'Add teacher failed. Please check the email address is valid, and not already in use' }],
      ]);
    }
    await school.signIn('leader');
  });
});

describe('row-level security', () => {
  let database: pg.Client;
  beforeAll(async () => {
    database = new pg.Client({ connectionString: school.databaseUrl });
    await database.connect();
  });
  afterAll(() => database.end());

  /** Everything in the database that the reader may select from, with how many rows of which schools are seen. */
  const seen = async (schoolId: string | undefined): Promise<Map<string, string[]>> => {
    await database.query('begin');
    await database.query(`set local role ${READER_ROLE}`);
    if (schoolId !== undefined) await database.query(`select set_config('${SCHOOL_SETTING}', $1, true)`, [schoolId]);
    const { rows } = await database.query<{ name: string }>(
      `select quote_ident(nspname) || '.' || quote_ident(relname) as name from pg_class c join pg_namespace n on n.oid = relnamespace
       where relkind in ('r', 'v', 'm', 'p') and nspname not in ('pg_catalog', 'information_schema')
         and has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, 'select')`,
    );
    const schools = new Map<string, string[]>();
    for (const { name } of rows) {
      const { rows: found } = await database.query<{ school_id: string }>(`select to_jsonb(t) ->> 'school_id' as school_id from ${name} t`);
      schools.set(name, [...new Set(found.map(({ school_id }) => school_id))]);
    }
    await database.query('rollback');
    return schools;
  };

  test('without a school: nothing, through every table and view', async () => {
    const all = await seen(undefined);
    expect(all.size).toBeGreaterThan(10);
    expect([...all].filter(([, schools]) => schools.length > 0)).toEqual([]);
    expect([...all.keys()].filter((name) => !name.startsWith('read'))).toEqual([]);
  });

  test('with a school: its rows and no other', async () => {
    const all = [...(await seen(school.schoolId))];
    expect(all.filter(([, schools]) => schools.length > 0).length).toBeGreaterThan(10);
    expect(all.filter(([, schools]) => schools.some((id) => id !== school.schoolId))).toEqual([]);
    const nowhere = await seen(randomUUID());
    expect([...nowhere].filter(([, schools]) => schools.length > 0)).toEqual([]);
  });

  test('the reader writes nothing', async () => {
    await database.query('begin');
    await database.query(`set local role ${READER_ROLE}`);
    await database.query(`select set_config('${SCHOOL_SETTING}', $1, true)`, [school.schoolId]);
    await expect(database.query('delete from read.students')).rejects.toThrow('permission denied');
    await database.query('rollback');
  });
});

test('whoever has just been given a right is answered with it, as soon as what they ask for is there', async () => {
  const { ids } = school;
  const [admin, teacher] = await Promise.all([school.as('admin'), school.as('teacherB')]);
  const mine = { testId: ids.mock, setId: ids.setA };
  expect((await teacher.query('sheet', mine)).status).toBe(403);
  const { teachers } = (await rest(admin, 'GET', `staffUsers/${school.accounts.teacherB}`)).body as unknown as {
    teachers: { teacherId: string }[];
  };
  const teacherId = teachers[0]?.teacherId;
  const { setIds } = (await rest(admin, 'GET', `teachers/${teacherId}`)).body as unknown as { setIds: string[] };

  const held = await holdReadModels(school);
  const { body } = await admin.command('ChangeTeacher', { subjectId: ids.maths, teacherId, setIds: [...setIds, ids.setA] });
  const asked = teacher.query('sheet', mine, { minPosition: body.position ?? '' });
  await held.until(asked);
  await held.release();
  expect((await asked).status).toBe(200);
  await admin.done('ChangeTeacher', { subjectId: ids.maths, teacherId, setIds });
});

test('whoever has just been given a right may ask by POST too: their role is asked once it is there', async () => {
  const [admin, leader] = await Promise.all([school.as('admin'), school.as('leader')]);
  const asked = { testId: school.ids.mock };
  expect((await leader.query('assessment', asked)).status).toBe(403);
  const database = new pg.Client({ connectionString: school.databaseUrl });
  await database.connect();
  // What a projector takes first: it waits here.
  await database.query(`begin; select from read.checkpoint where projection = 'results' for update`);
  const { body } = await admin.command('OpenStructureToLeaders', { open: true });
  const waited = vi.spyOn(school.backend.progress, 'waitFor');
  const answer = leader.query('assessment', asked, { minPosition: body.position ?? '' });
  await until(() => waited.mock.calls.length > 0);
  waited.mockRestore();
  await database.query('rollback');
  await database.end();
  expect((await answer).status).toBe(200);
  await admin.done('OpenStructureToLeaders', { open: false });
});

/** An event of a stream over which its read model stops. */
const poison = async (stream: string, type: string, data: object): Promise<void> => {
  const { store } = school.backend;
  let [revision, metadata] = [0n, ''];
  for await (const event of store.read(stream)) ({ revision, metadata } = event);
  const own = metadata.replace(/"commandId":"[^"]*"/, `"commandId":"${randomUUID()}"`);
  await store.append(stream, [{ id: randomUUID(), type, data: JSON.stringify(data), metadata: own }], revision);
};

test('a read model of rights that has stopped delays who finds that out, and nobody after them', async () => {
  await poison(`roster-${school.schoolId}`, 'StudentRemoved', { subjectId: school.ids.maths, studentId: 'no uuid', setId: null });
  const [leader, asked] = [await school.as('leader'), { subjectId: school.ids.maths }];
  await expect.poll(async () => (await school.backend.health()).problems.join()).toContain('The read model roster has stopped');
  const waited = vi.spyOn(school.backend.progress, 'waitFor');
  for (let read = 0; read < 5; read++) expect((await leader.query('teachers-to-view', asked)).status).toBe(200);
  const inVain = waited.mock.settledResults.filter(({ type }) => type === 'rejected').length;
  waited.mockRestore();
  // The first may hear meanwhile how far it had come.
  expect([1, 2]).toContain(inVain);
  expect(school.backend.progress.positions().get('roster')).toBeLessThan(await head());
});

test('whoever is given less rights has them at once, although the read model of the structure has stopped', async () => {
  const admin = await school.as('admin');
  const { teacherId } = await admin.done('AddTeacher', { subjectId: school.ids.science, name: 'Less' });
  const { accountId } = await admin.done('OpenStaffAccount', {
    name: 'Less',
    email: 'less@rights.example',
    password: PASSWORD,
    role: 'admin',
    teachers: [{ subjectId: school.ids.science, teacherId }],
  });
  await poison(`subject-${school.schoolId}.${school.ids.science}`, 'SetDeleted', { setId: 'no uuid' });
  const { status, body } = await rest(admin, 'PUT', `staffUsers/${accountId}`, {
    email: 'less@rights.example',
    role: 'leader',
    teachers: [],
  });
  expect([status, body]).toMatchObject([200, { role: 'leader', teachers: [] }]);
  expect((await rest(admin, 'DELETE', `staffUsers/${accountId}`)).status).toBe(200);
  // More rights wait.
  const more = { accountId: school.accounts.leader, teachers: [{ subjectId: school.ids.science, teacherId: randomUUID() }] };
  expect((await admin.command('ChangeStaffAccount', more)).body.code).toBe('read-model-behind');
});

test('whoever loses their account is out, although the read model of accounts has stopped', async () => {
  const admin = await school.as('admin');
  const client = await school.signIn('teacherB');
  await poison(`staff-${school.schoolId}`, 'StaffAccountClosed', { accountId: 'not a uuid' });
  const answer = await admin.command('CloseStaffAccount', { accountId: school.accounts.teacherB });
  expect([answer.status, answer.body.code]).toEqual([503, 'read-model-behind']);
  expect((await client.query('me', {}, { minPosition: '0' })).status).toBe(401);
  await expect(school.signIn('teacherB')).rejects.toThrow('401');

  const demoted = await admin.command('ChangeStaffAccount', { accountId: school.accounts.leader, role: 'teacher' });
  expect(demoted.body.code).toBe('read-model-behind');
  const again = await school.signIn('leader');
  expect((await again.query('me', {}, { minPosition: '0' })).body['role']).toBe('teacher');
});
