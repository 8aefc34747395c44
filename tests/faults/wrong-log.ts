import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterEach, expect } from 'vitest';
import { identityOf } from '../../events/store/identity.ts';
import { migrateLog } from '../../events/store/postgres.ts';
import { Client } from '../support/client.ts';
import { openSchool, PASSWORD, type School } from '../support/school.ts';

/**
 * The log is exchanged under the running product, as by a server that was emptied or a backup in the wrong place. Nothing follows it by
 * itself: otherwise every read model would be rebuilt to it, everybody logged out, and people would write into it.
 */
export const atEnd: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of atEnd.splice(0).toReversed()) await close();
});

/** `seen`: a position that the read models have reached */
export type Running = { readonly school: School; readonly teacher: Client; readonly told: string[]; readonly seen: string };

export const running = async (options: { eventStoreUrl?: string } = {}): Promise<Running> => {
  const told: string[] = [];
  const school = await openSchool({ ...options, tell: (line) => void told.push(line) });
  atEnd.push(() => school.close());
  const teacher = await school.as('teacherA');
  expect((await teacher.command('EnterMarks', typed(school, 7))).status).toBe(200);
  const { body } = await teacher.command('EnterMarks', typed(school, 8));
  const seen = body.position ?? '';
  expect((await shown(teacher, school, seen)).status).toBe(200);
  return { school, teacher, told, seen };
};

export const typed = (school: School, is: number) => ({
  entryId: randomUUID(),
  subjectId: school.ids.maths,
  seq: 1,
  cells: [{ studentId: school.ids.students['A1'], testId: school.ids.mock, is }],
});
export const shown = (who: Client, { ids }: School, minPosition?: string) =>
  who.query('markbook', { yearGroupId: ids.year }, minPosition === undefined ? {} : { minPosition });
const health = async ({ fetch }: School) =>
  (await (await fetch(new Request('http://marktrail.test/api/health'))).json()) as { status: string; problems: string[] };
export const isOk = (school: School) => expect.poll(async () => (await health(school)).status).toBe('ok');

/** What people and operators see until somebody decides. */
export const servesWhatItHad = async ({ school, teacher, told, seen }: Running, before: unknown, expected: string, what: string) => {
  await expect.poll(async () => (await health(school)).status).toBe('down');
  const [problem = ''] = (await health(school)).problems;
  expect(problem).toContain(`This is not the log that belongs here: expected was the log ${expected}`);
  expect(problem).toContain(what);
  expect(problem).toContain('npm run marktrail -- log accept --reason "why"');

  const refused = await teacher.command('EnterMarks', typed(school, 9));
  expect([refused.status, refused.body.code]).toEqual([503, 'store-unavailable']);
  expect(refused.body.title).toBe('Nothing can be stored just now: the log is not the one that belongs here.');
  expect((await shown(teacher, school, seen)).body).toEqual(before);
  const another = new Client(school);
  await another.signIn(school.email('leader'), PASSWORD);
  expect((await shown(another, school, seen)).status).toBe(200);
  expect(told.filter((line) => line.includes('rebuilt'))).toEqual([]);
};

export const goesOn = async ({ school, teacher }: Running): Promise<void> => {
  await isOk(school);
  const { status, body } = await teacher.command('EnterMarks', typed(school, 6));
  expect(status).toBe(200);
  expect((await shown(teacher, school, body.position ?? '')).status).toBe(200);
};

export const tampered = async (change: string): Promise<Running & { before: unknown; id: string; sql: pg.Client }> => {
  const all = await running();
  const sql = new pg.Client({ connectionString: all.school.databaseUrl });
  await sql.connect();
  atEnd.push(() => sql.end());
  const before = (await shown(all.teacher, all.school)).body;
  const id = (await identityOf(all.school.backend.store)) ?? '';
  await sql.query('create table public.backup as table log.events');
  await sql.query(change);
  return { ...all, before, id, sql };
};

/** In PostgreSQL, and put back. */
export const isNotFollowed = async (change: string, what: string): Promise<void> => {
  const { before, id, sql, ...all } = await tampered(change);
  await servesWhatItHad(all, before, id, what);
  await migrateLog(sql);
  await sql.query('insert into log.events select * from public.backup on conflict do nothing');
  await goesOn(all);
  expect(all.told.filter((line) => line.includes('rebuilt'))).toEqual([]);
};
