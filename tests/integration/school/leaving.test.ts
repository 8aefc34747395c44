import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import type { RecentChanges } from '../../../api/history/history.contract.ts';
import type { Structure } from '../../../api/school/school.contract.ts';
import { postgresStore } from '../../../events/store/postgres.ts';
import { openSchool } from '../../support/school.ts';

let isFailing = false;
const school = await openSchool({
  store: async (connectionString) => {
    const store = postgresStore({ connectionString });
    const append: typeof store.append = (stream, ...others) =>
      isFailing && stream.startsWith('staff-') ? Promise.reject(new Error('the machine is gone')) : store.append(stream, ...others);
    return Object.assign(Object.create(store) as typeof store, { append });
  },
});
afterAll(() => school.close());
let admin = await school.as('admin');
const leader = await school.as('leader');
const { ids, accounts } = school;
const subjectId = ids.maths;
const ofB = { subjectId, teacherId: ids.recordB, handOver: [{ setId: ids.setB, to: ids.recordA }] };
const closing = { ...ofB, accountId: accounts.teacherB };

/** Who teaches what. */
const teaching = async (): Promise<Record<string, readonly string[]>> => {
  const { teachers } = await admin.ask<Structure>('structure', { subjectId });
  return Object.fromEntries(teachers.map(({ name, setIds }) => [String(name), setIds]));
};
const before = { 'The leader': [], 'Teacher A': [ids.setA], 'Teacher B': [ids.setB] };
const after = { 'The leader': [], 'Teacher A': [ids.setA, ids.setB] };

test('a teacher leaves: another takes the class over, the log-in stays, and it is undone as one', async () => {
  await admin.done('OpenStructureToLeaders', { open: true });
  await school.backend.progress.waitFor(['structure'], await school.backend.store.head(), 30_000);
  const { actId } = await leader.done('LetTeacherLeave', ofB);
  expect(await teaching()).toEqual(after);
  await leader.done('UndoAct', { subjectId, actId });
  expect(await teaching()).toEqual(before);
});

test('a class may have nobody yet, and all that there are must be named', async () => {
  const nobody = { ...ofB, handOver: [] };
  expect((await admin.command('LetTeacherLeave', nobody)).body.title).toMatch(/^Somebody else has changed the classes of this teacher/);
  const { actId } = await admin.done('LetTeacherLeave', { ...ofB, handOver: [{ setId: ids.setB, to: null }] });
  expect(await teaching()).toEqual({ 'The leader': [], 'Teacher A': [ids.setA] });
  await admin.done('UndoAct', { subjectId, actId });
});

test('whoever may not close a log-in, or names somebody else’s, or that of the last admin, changes nothing', async () => {
  expect((await leader.command('LetTeacherLeave', closing)).status).toBe(403);
  const other = await admin.command('LetTeacherLeave', { ...closing, accountId: accounts.teacherA });
  expect([other.status, other.body.title]).toEqual([422, 'This is not the log-in of this teacher.']);
  const { teacherId = '' } = await admin.done('AddTeacher', { subjectId, name: 'The head' });
  await admin.done('ChangeStaffAccount', { accountId: accounts.admin, teachers: [{ subjectId, teacherId }] });
  // With other rights one logs in again.
  admin = await school.signIn('admin');
  const last = await admin.command('LetTeacherLeave', { subjectId, teacherId, handOver: [], accountId: accounts.admin });
  expect(last.body.title).toBe('A school needs an admin: make somebody else an admin first.');
  expect(await teaching()).toEqual({ ...before, 'The head': [] });
  await admin.done('LetTeacherLeave', { subjectId, teacherId, handOver: [] });
});

test('with the log-in, it is finished by the next start, stands in Recent changes, and is undone but for the log-in', async () => {
  const teacher = await school.as('teacherB');
  isFailing = true;
  const key = randomUUID();
  expect((await admin.command('LetTeacherLeave', closing, { key })).status).toBe(500);
  expect([await teaching(), (await teacher.query('me')).status]).toEqual([after, 200]);
  isFailing = false;
  await school.another();
  expect((await teacher.query('me')).status).toBe(401);
  // Its address is free once a start has swept up what the crash left.
  const database = new pg.Client({ connectionString: school.databaseUrl });
  await database.connect();
  await database.query(`update identity."user" set "createdAt" = now() - interval '1 hour'`);
  await school.another();
  const { rowCount } = await database.query(`select from identity."user" where "accountId" = $1`, [accounts.teacherB]);
  await database.end();
  expect(rowCount).toBe(0);
  await admin.done('LetTeacherLeave', closing, key);

  const { acts } = await admin.ask<RecentChanges>('recent-changes', { subjectId, kind: 'structure', limit: 1 });
  expect(acts[0]?.sentence.map(({ text }) => text).join('')).toBe('removed the teacher Teacher B');
  expect(acts[0]?.undo?.by).toBe('UndoAct');
  const { actId = '' } = { ...acts[0]?.undo } as { actId?: string };
  const asked = await admin.command('UndoAct', { subjectId, actId });
  const stays = ['The log-in stays closed: invite the person again under Manage Users.'];
  expect([asked.status, asked.body.asks, await teaching()]).toEqual([409, { stays }, after]);
  expect(await admin.done('UndoAct', { subjectId, actId, partly: true })).toMatchObject({ stays });
  expect([await teaching(), (await teacher.query('me')).status]).toEqual([before, 401]);
});
