import { execFileSync } from 'node:child_process';
import pg from 'pg';
import { expect, test } from 'vitest';
import { AdvisoryLocks } from '../../api/pipeline/advisory-locks.ts';
import { steadyPool } from '../../events/store/postgres/pool.ts';
import { schoolOfFile } from '../support/school-of-file.ts';

/** Names that must be unique, asked for by several processes at once. */

const { school, admin } = await schoolOfFile('admin');

test('two processes that both want the same name: one gets it', async () => {
  const process = await school.another();
  const other = await school.signIn('admin', process);
  const body = { subjectId: school.ids.maths, name: 'Wanted by both' };
  const answers = await Promise.all([admin.command('AddTeacher', body), other.command('AddTeacher', body)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
  await process.close();
});

test('requests at once, to two processes, for one name of things that have streams of their own: one gets it', async () => {
  const { maths: subjectId } = school.ids;
  const wanted = [
    ['AddSubject', { name: 'Astronomy' }, { name: 'astronomy' }],
    ['AddScheme', { subjectId, name: 'Two years' }, { subjectId, name: 'two years' }],
    ['CreateAssessment', { subjectId, name: 'Half term' }, { subjectId, name: 'half term' }],
  ] as const;
  const process = await school.another();
  const other = await school.signIn('admin', process);
  for (const [command, one, two] of wanted) {
    const answers = await Promise.all([
      ...[admin, other].map((to) => to.command(command, one)),
      ...[admin, other].map((to) => to.command(command, two)),
    ]);
    expect(answers.map(({ status }) => status).sort(), command).toEqual([200, 422, 422, 422]);
  }
  await process.close();
});

test('a process that holds the lock and loses its connection leaves no lock: the next one goes on', async () => {
  const lost = new pg.Client({ connectionString: school.databaseUrl });
  lost.on('error', () => undefined);
  await lost.connect();
  await lost.query('begin');
  const name = `marktrail turn: subjects of ${school.schoolId}`;
  await lost.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
  const database = steadyPool({ connectionString: school.databaseUrl, max: 2 });
  const waiting = `select pid from pg_locks where locktype = 'advisory' and not granted and database = (
    select oid from pg_database where datname = current_database())`;

  const answer = admin.command('AddSubject', { name: 'Geology' });
  await expect.poll(async () => (await database.query(waiting)).rowCount).toBe(1);
  const [{ pid }] = (await lost.query('select pg_backend_pid() as pid')).rows;
  await database.query('select pg_terminate_backend($1)', [pid]);
  expect((await answer).status).toBe(200);

  // And who loses it at work has done its work: its own connection is gone, and the next one gets the lock all the same.
  const ended = `select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'marktrail turns' and datname = current_database()`;
  await database.query(ended);
  expect((await admin.command('AddSubject', { name: 'Geography' })).status).toBe(200);
  await database.end();
});

test('a connection that was lost while nobody used it costs the next one nothing', async () => {
  const locks = new AdvisoryLocks({ databaseUrl: school.databaseUrl });
  await locks.hold('anything', async () => undefined);
  // While this process stands still: so it has not heard of it yet when it asks for the next lock.
  execFileSync(process.execPath, ['--input-type=module', '--eval', END_CONNECTIONS], {
    env: { ...process.env, URL_OF_SCHOOL: school.databaseUrl },
  });
  expect(await locks.hold('anything', async () => 'done')).toBe('done');
  await locks.close();
});

const END_CONNECTIONS = `
  import pg from 'pg';
  const client = new pg.Client({ connectionString: process.env.URL_OF_SCHOOL });
  await client.connect();
  const theirs = "from pg_stat_activity where application_name = 'marktrail turns' and datname = current_database()";
  await client.query('select pg_terminate_backend(pid) ' + theirs);
  while ((await client.query('select ' + theirs)).rowCount > 0);
  await client.end();`;
