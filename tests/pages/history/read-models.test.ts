import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSchool } from '../../support/school.ts';
import { open } from '../support/open.ts';

const school = await openSchool();
const database = new pg.Client({ connectionString: school.databaseUrl });
beforeAll(() => database.connect());
afterAll(async () => {
  await database.end();
  await school.close();
});
const PATH = '/history/read-models';

test('an auditor compares the read models with a fold, is told the result, and is offered no rebuild', async () => {
  const page = await open(await school.as('auditor'), PATH);
  await page.says('Not compared yet');
  await page.says('Students and their classes');
  await page.press('Compare with a fold');
  await page.says(/Compared on .* by auditor: equal\./);
  expect(page.seen().queryByRole('button', { name: 'Rebuild roster' })).toBeNull();
});

test('an admin of the only school is shown how many rows differ, and rebuilds once asked', async () => {
  await database.query(`do $$ declare at text; begin
    select format('read.students_v%s', version) into at from read.version where projection = 'roster' and serving;
    execute format('delete from %s where student_id = (select min(student_id::text)::uuid from %s)', at, at); end $$`);
  const page = await open(await school.as('admin'), PATH);
  await page.press('Compare with a fold');
  await page.says(/: 1 row of roster differ/);
  await page.press('Rebuild roster');
  const question = await page.dialog('Rebuild roster?');
  await question.says(/for every school here/);
  await question.press('Rebuild');
  const rebuilt = `select from operations.read_model_work where kind = 'rebuild' and result is not null`;
  await expect.poll(async () => (await database.query(rebuilt)).rowCount).toBe(1);
  await page.press('Compare with a fold');
  await page.says(/by admin: equal\./);
});
