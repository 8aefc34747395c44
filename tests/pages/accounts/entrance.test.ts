import { afterAll, expect, test } from 'vitest';
import { readSettings } from '../../../run/settings.ts';
import { Client } from '../../support/client.ts';
import { openSchool } from '../../support/school.ts';
import { open, user } from '../support/open.ts';

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

test('a failed log-in is forgotten as soon as one types again', async () => {
  const page = await open(new Client(school), '/login');
  await page.fill('E-mail', 'ada@rows.example');
  await page.fill('Password', 'long enough');
  await page.press('Login');
  await page.says('Login failed');
  (await page.field('Password')).focus();
  await user.keyboard('x');
  await page.gone('Login failed');
});

test('a username that is refused still says what is allowed, and what follows it', async () => {
  const admin = await school.as('admin');
  const { maths: subjectId } = school.ids;
  await admin.done('ChangeJoinDomain', { subjectId, domain: 'pupils.example' });
  const row = { admissionNo: 'J1', name: 'Pupil, Pat', set: '11A', dateOfBirth: '2009-06-01' };
  await admin.done('ImportStudents', { subjectId, fileName: 'pupils.csv', rows: [row], others: 'keep' });
  const { code } = await admin.done('IssueJoinCode', { subjectId });
  const page = await open(new Client(school), `/code?code=${code}`);
  await page.fill('Date of birth', row.dateOfBirth);
  await page.press('Continue');
  await user.click(await page.find('radio', row.name));
  await page.press('This is me');
  await page.fill('Username', 'pat@home.example');
  await page.press('Join');
  await page.says('Invalid username');
  await page.says('Letters, digits and + _ . - only, followed by @pupils.example');
});
