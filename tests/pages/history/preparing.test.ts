import pg from 'pg';
import { afterAll, beforeAll, test } from 'vitest';
import { moment } from '../../support/as-of.ts';
import { openSchool } from '../../support/school.ts';
import { open } from '../support/open.ts';

const school = await openSchool();
const database = new pg.Client({ connectionString: school.databaseUrl });
beforeAll(() => database.connect());
afterAll(async () => {
  await database.end();
  await school.close();
});

test('a page of an earlier moment says how far it is while that is put together, and then shows it', async () => {
  // The filling waits for it.
  await database.query('begin; lock table operations.skipped_event in access exclusive mode');
  const page = await open(await school.as('leader'), `/leader/markbook?asOf=${await moment()}`);
  await page.says(/^Putting the page of that moment together: 0 of \d+ events$/);
  await database.query('rollback');
  await page.find('heading', 'Year 11 – Markbook');
  await page.gone('Putting the page of that moment together');
});
