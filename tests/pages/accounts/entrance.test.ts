import { afterAll, expect, test } from 'vitest';
import { readSettings } from '../../../run/settings.ts';
import { Client } from '../../support/client.ts';
import { openSchool } from '../../support/school.ts';
import { open } from '../support/open.ts';

const { site } = readSettings({ REGISTRATION: 'closed', OPERATOR_EMAIL: 'office@trust.example' });
const school = await openSchool({ site });
afterAll(school.close);

test('where registration is closed, the tab of new schools says whom to write to, and the others stay', async () => {
  const page = await open(new Client(school), '/register');
  await page.says('Enter my joining code');
  await page.press('New school', 'tab');
  await page.says('New schools do not register themselves here: write to office@trust.example.');
  await page.goneFrom('button', 'Sign Up');
  await page.press('Teacher', 'tab');
  await page.says('Teachers do not register themselves.');
});

test('a link of a registration that is dead says so before anything is typed', async () => {
  const page = await open(new Client(school), '/finalise?token=dead');
  await page.says('This link does not work');
  await page.gone('Password');
});

test('the log-in says beside a field what is wrong with it, and asks nobody', async () => {
  const page = await open(new Client(school), '/login');
  await page.press('Login');
  await expect.poll(() => page.seen().getAllByText('Required.')).toHaveLength(2);
  await page.fill('E-mail', 'ada');
  await page.fill('Password', 'long enough');
  await page.press('Login');
  await page.says('Invalid e-mail.');
  await page.gone('Required.');
  await page.gone('Login failed');
});
