import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import type { Status } from '../../api/contract/errors.ts';
import { noteFailure } from '../../api/common/failures.ts';
import { atOnce } from '../../run/checks/rest.ts';
import { startChecks } from '../../run/checks/schedule.ts';
import { readSettings } from '../../run/settings.ts';
import { temporaryDataDir } from '../support/marktrail.ts';
import { MASTER_KEY, SIGNING_KEY } from '../support/product.ts';
import { openSchool } from '../support/school.ts';
import { until } from '../support/until.ts';

test('at night all that is stored is checked; a damaged read model is rebuilt, and health and Status say so and what is not checked', async () => {
  const dataDir = temporaryDataDir();
  onTestFinished(() => dataDir.remove());
  const school = await openSchool();
  onTestFinished(() => school.close());
  const sql = new pg.Client({ connectionString: school.databaseUrl });
  await sql.connect();
  onTestFinished(() => sql.end());
  const { rows } = await sql.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relkind = 'r' and relname ~ '^students_v'`,
  );
  const said: string[] = [];
  const settings = readSettings({ DATABASE_URL: school.databaseUrl, DATA_DIR: dataDir.path, MASTER_KEY, SIGNING_KEY });
  const start = (hour: number) =>
    startChecks(
      { settings, databaseUrl: school.databaseUrl, tell: (line) => said.push(line) },
      { lookMs: 20, hour: () => hour, resting: atOnce },
    );
  const facts = async (): Promise<Status['health']> =>
    ((await (await (await school.as('admin')).send('/api/status')).json()) as Status).health;
  const left = async (hours: number): Promise<boolean> =>
    (
      await sql.query(`select from operations.checks where what <> 'writing' and (at is null or at < now() - make_interval(hours => $1))`, [
        hours,
      ])
    ).rows.length > 0;
  expect((await facts()).facts).toContain('What is stored has not been checked to the end yet: that is done at night.');

  await sql.query(`delete from ${rows[0]!.name} where ctid in (select ctid from ${rows[0]!.name} limit 2)`);
  const students = async () => (await sql.query('select from read.students')).rows.length;
  const before = await students();
  // A new installation waits for its first night.
  const idle = start(2);
  await until(async () => (await sql.query('select from operations.checks where at is null')).rows.length > 0);
  await sql.query(`update operations.checks set since = now() - interval '25 hours' where what <> 'writing'`);
  await until(async () => !(await left(1)));
  await idle();
  expect(await students()).toBe(before + 2);
  // As soon as the projector has taken it over.
  await until(async () => (await facts()).status === 'ok');
  const { facts: told } = await facts();
  expect(told.slice(-3)).toEqual([
    expect.stringMatching(
      /^What is stored was last checked by .* UTC: the pages of the database, its indexes, the log, the read models\.$/,
    ),
    expect.stringMatching(/^Indexes are not checked: this PostgreSQL has no amcheck/),
    expect.stringMatching(/^The read model roster differed from the log in 2 rows, and was rebuilt from the log at .* UTC\.$/),
  ]);
  expect(said).toEqual(told.slice(-2));

  // By day only what no night has done.
  await sql.query(`update operations.checks set at = now() - interval '25 hours'`);
  await sql.query(`update operations.checks set at = now() - interval '31 hours' where what = 'the log'`);
  const byDay = start(12);
  await until(async () => !(await left(30)));
  await byDay();
  expect(await left(20)).toBe(true);

  // Damage that somebody has met does not wait for the night.
  noteFailure(Object.assign(new pg.DatabaseError('invalid page in block 7', 0, 'error'), { code: 'XX001' }));
  const atDamage = start(12);
  await until(async () => !(await left(2)));
  await atDamage();
});
