import { afterAll, test } from 'vitest';
import { openSchool } from '../../support/school.ts';
import { open } from '../support/open.ts';

const school = await openSchool();
afterAll(() => school.close());

test('an admin reads on Status what health says, also while nothing is wrong', async () => {
  const page = await open(await school.as('admin'), '/admin/status');
  await page.says('Marktrail works as it should.');
  await page.says('No request has failed here in the last 10 minutes.');
  await page.says('What is stored has not been checked to the end yet: that is done at night.');
});
