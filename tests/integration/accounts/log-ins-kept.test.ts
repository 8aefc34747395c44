import pg from 'pg';
import { expect, test } from 'vitest';
import { openProduct } from '../../support/product.ts';
import { schoolOfFile } from '../../support/school-of-file.ts';

const { school } = await schoolOfFile();

/**
 * A process that dies between a log-in and its account leaves an orphan, which a later start sweeps up. It knows an orphan by the read
 * model of accounts. Where that has stopped half way, because keys were lost, every account behind that point looks like one.
 */
test('a start whose read model of accounts is incomplete takes nobody’s log-in; a complete one sweeps the orphans', async () => {
  const database = new pg.Client({ connectionString: school.databaseUrl });
  await database.connect();
  const logIns = async (): Promise<number> => (await database.query('select from identity."user"')).rowCount ?? 0;
  await database.query(
    `insert into identity."user" (id, name, email, "emailVerified", "accountId", "schoolId")
     values ('orphan', '', 'orphan@marktrail.test', true, gen_random_uuid()::text, gen_random_uuid()::text)`,
  );
  await database.query(`update identity."user" set "createdAt" = now() - interval '1 hour'`);
  const all = await logIns();

  const { rows } = await database.query('delete from keys.person_keys where person = $1 returning *', [school.accounts.admin]);
  await school.stop();
  await database.query('drop schema read cascade');
  const halted = await openProduct(school.databaseUrl);
  expect((await halted.backend.health()).problems.join()).toContain('The read model accounts has stopped');
  expect(await logIns()).toBe(all);
  await halted.close();

  const [key] = rows as [{ person: string; school: string; wrapped_key: Buffer }];
  await database.query('insert into keys.person_keys (person, school, wrapped_key) values ($1, $2, $3)', [
    key.person,
    key.school,
    key.wrapped_key,
  ]);
  const whole = await openProduct(school.databaseUrl);
  expect(await logIns()).toBe(all - 1);
  await whole.close();
  await database.end();
});
