import { readFileSync } from 'node:fs';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { tokenIn } from '../support/mailbox.ts';
import { totpOf } from '../support/totp.ts';
import { marktrailInBrowser } from './marktrail.ts';

const marktrail = marktrailInBrowser({ mail: true });
const PASSWORD = 'chalk-and-cheese-7';

/** The address of the link in the next mail to somebody. */
const linkTo = async (email: string, path: string): Promise<string> => `${path}?token=${tokenIn(await marktrail.mailbox().next(email))}`;

const fill = async (page: Page, fields: Readonly<Record<string, string>>): Promise<void> => {
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
};

const logIn = async (page: Page, email: string, password: string): Promise<void> => {
  await page.goto('/login');
  await fill(page, { 'E-mail': email, Password: password });
  await page.getByRole('button', { name: 'Login' }).click();
};

/** As an admin of the demo school would by his pages: a command in his session. */
const asAdmin = async (name: string, body: object): Promise<{ readonly [key: string]: string }> => {
  const admin = await marktrail.person('admin@demo.example');
  const answer = await admin.request.post(`/api/commands/${name}`, { data: body });
  expect(answer.status(), await answer.text()).toBe(200);
  return ((await answer.json()) as { result: { [key: string]: string } }).result;
};

test('a school registers itself, and its first admin logs in', async () => {
  const page = await marktrail.visitor();
  await page.goto('/');
  await page.getByRole('link', { name: 'Sign Up' }).click();
  await page.getByRole('tab', { name: 'New school' }).click();
  await fill(page, { Name: 'Ada Head', 'E-mail': 'ada@newschool.example', Password: 'short', 'Confirm password': 'other' });
  await page.getByRole('button', { name: 'Sign Up' }).click();
  for (const said of ['Min 8 characters', 'Passwords do not match.', "You must agree to the T&C's"]) await page.getByText(said).waitFor();
  await fill(page, { Password: PASSWORD, 'Confirm password': PASSWORD });
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Sign Up' }).click();
  await page.getByText('Success: Please check your email to continue setup').waitFor({ timeout: 90_000 });
  expect(await page.getByRole('button', { name: 'Sign Up' }).isDisabled()).toBe(true);

  await page.goto(await linkTo('ada@newschool.example', '/verify'));
  await page.getByRole('heading', { name: 'Finalise registration' }).waitFor();
  expect(await page.getByLabel('E-mail').inputValue()).toBe('ada@newschool.example');
  await fill(page, { Password: PASSWORD, 'School name': 'Newschool Academy' });
  await page.getByRole('button', { name: 'Open my school' }).click();
  await page.getByText('Success: You can now log into Marktrail').waitFor();
  await fill(page, { 'E-mail': 'ADA@newschool.example', Password: PASSWORD });
  await page.getByRole('button', { name: 'Login' }).click();
  await page.getByRole('banner').getByText('Newschool Academy').waitFor();
});

test('a teacher who was invited by mail activates his account and comes in', async () => {
  await asAdmin('InviteStaff', { name: 'Grace New', email: 'grace@demo.example', role: 'leader' });
  const page = await marktrail.visitor();
  await page.goto(await linkTo('grace@demo.example', '/email/change-password'));
  await page.getByRole('heading', { name: 'Activate your account' }).waitFor();
  await fill(page, { 'New password': PASSWORD, 'Confirm password': PASSWORD });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Account activated' }).waitFor();
  await logIn(page, 'grace@demo.example', PASSWORD);
  await page.waitForURL(/\/leader/);
});

test('a forgotten password is replaced by way of the mail, once', async () => {
  const page = await marktrail.visitor();
  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgot Password' }).click();
  await fill(page, { 'E-mail': 'teacher2@demo.example' });
  await page.getByRole('button', { name: 'Send the link' }).click();
  await page.getByText('If there is an account with this e-mail address').waitFor();
  const link = await linkTo('teacher2@demo.example', '/email/change-password');
  await page.goto(link);
  await fill(page, { 'New password': PASSWORD, 'Confirm password': PASSWORD });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: 'Go to the log-in' }).click();
  await logIn(page, 'teacher2@demo.example', PASSWORD);
  await page.waitForURL(/\/teacher/);

  const again = await marktrail.visitor();
  await again.goto(link);
  await fill(again, { 'New password': 'another-one-8', 'Confirm password': 'another-one-8' });
  await again.getByRole('button', { name: 'Save' }).click();
  await again.getByRole('link', { name: 'Ask for a new link' }).waitFor();
});

test('a student joins by the code in a link, and by typing it; a wrong code says so', async () => {
  const rows = readFileSync(new URL('../data/mathexam/student_upload.csv', import.meta.url), 'utf8').split(/\r?\n/);
  const [, student = '', day = '', month = '', year = ''] = /^[^,]+,"([^"]+)",[^,]+,(\d\d)\/(\d\d)\/(\d{4})/.exec(rows[9] ?? '') ?? [];
  expect([day, student]).not.toContain('');
  const admin = await marktrail.person('admin@demo.example');
  const me = (await (await admin.request.get('/api/queries/me')).json()) as { subjects: { subjectId: string; name: string }[] };
  const subjectId = me.subjects.find((subject) => subject.name === 'Mathematics')?.subjectId ?? '';
  const { code = '' } = await asAdmin('IssueJoinCode', { subjectId });

  const page = await marktrail.visitor({ viewport: { width: 390, height: 800 } });
  await page.goto('/code');
  await page.getByLabel('Character 1 of 7').click();
  await page.keyboard.type('aaaaaaa');
  await page.getByText('The code you entered was not correct, please check and try again. Note, the code is case sensitive.').waitFor();
  await page.getByLabel('Character 1 of 7').click();
  await page.keyboard.type(code);
  await page.getByLabel('Date of birth').waitFor();

  await page.goto(`/code?code=${code}`);
  await page.getByLabel('Date of birth').fill(`${year}-${month}-${day}`);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('radio').first().waitFor();
  expect(await page.getByRole('radio').count()).toBe(10);
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html ?? ''}`)).toEqual([]);
  await page.getByRole('radio', { name: student }).check();
  await page.getByRole('button', { name: 'This is me' }).click();
  await fill(page, { 'E-mail': 'pupil@home.example', Password: PASSWORD, 'Confirm password': PASSWORD });
  await page.getByRole('button', { name: 'Join' }).click();
  await page.getByRole('heading', { name: /^Hello / }).waitFor();
});

test('the profile is locked until the password was given, and then changed', async () => {
  const page = await marktrail.person('leader@demo.example');
  await page.goto('/profile');
  await fill(page, { 'Current password': 'not it' });
  await page.getByRole('button', { name: 'Unlock' }).click();
  await page.getByText('The password you entered is incorrect').first().waitFor();
  await fill(page, { 'Current password': 'marktrail-demo' });
  await page.getByRole('button', { name: 'Unlock' }).click();
  await fill(page, { Name: 'Lead, Renamed' });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The profile was updated successfully').waitFor();
});

test('two-step sign-in is switched on with a scanned code, asked for at the next log-in, and switched off; all sessions end; data go home', async () => {
  const page = await marktrail.visitor({ viewport: { width: 390, height: 800 } });
  await logIn(page, 'leader@demo.example', 'marktrail-demo');
  await page.waitForURL(/\/leader/);
  await page.goto('/profile');
  const part = page.getByRole('region', { name: 'Two-step sign-in' });
  const password = async (act: string, typed: string): Promise<void> => {
    await part.getByLabel('Your password').fill(typed);
    await part.getByRole('button', { name: act }).click();
  };
  await part.getByRole('button', { name: 'Switch on' }).click();
  await password('Continue', 'not it');
  await part.getByText('The password you entered is incorrect').waitFor();
  await password('Continue', 'marktrail-demo');
  await part.getByRole('img', { name: /QR code/ }).waitFor();
  const secret = (await part.locator('code').innerText()).replaceAll(' ', '');
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html ?? ''}`)).toEqual([]);
  await part.getByLabel('Code of your authenticator').fill('000000');
  await part.getByRole('button', { name: 'Switch on' }).click();
  await part.getByText('This code is not right. Try again.').waitFor();
  await part.getByLabel('Code of your authenticator').fill(totpOf(secret));
  await part.getByRole('button', { name: 'Switch on' }).click();
  const [recovery = ''] = await part.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allInnerTexts();
  await part.getByRole('button', { name: 'I have kept them' }).click();
  await part.getByText('On: after your password').waitFor();

  const data = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download my data' }).click();
  expect(JSON.parse(readFileSync((await (await data).path()) ?? '', 'utf8'))).toMatchObject({ account: { email: 'leader@demo.example' } });

  const elsewhere = await marktrail.visitor();
  await logIn(elsewhere, 'leader@demo.example', 'marktrail-demo');
  await elsewhere.getByRole('button', { name: 'Use a recovery code' }).click();
  await fill(elsewhere, { 'Recovery code': recovery });
  await elsewhere.getByRole('button', { name: 'Continue' }).click();
  await elsewhere.waitForURL(/\/leader/);

  await page.getByRole('button', { name: 'Log out everywhere' }).click();
  await page.waitForURL(/\/login/);
  await elsewhere.goto('/profile');
  await elsewhere.waitForURL(/\/login/);

  await logIn(page, 'leader@demo.example', 'marktrail-demo');
  await fill(page, { 'Code of your authenticator': totpOf(secret) });
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL(/\/leader/);
  await page.goto('/profile');
  await part.getByRole('button', { name: 'Switch off' }).click();
  await password('Switch off', 'marktrail-demo');
  await part.getByText('Two-step sign-in is off.').waitFor();
});

test.each([[1440], [390]])(
  'every page of the front door keeps the rules of accessibility at %i px, and an unknown one shows the way home',
  async (width) => {
    const page = await marktrail.visitor({ viewport: { width, height: 900 } });
    const rooms = [
      '/',
      '/login',
      '/register',
      '/code',
      '/forgot-password',
      '/email/change-password',
      '/verify',
      '/finalise',
      '/testing',
      '/no-such',
    ];
    for (const room of rooms) {
      await page.goto(room);
      await page.getByRole('heading', { level: 1 }).waitFor();
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => `${room}: ${id} ${nodes[0]?.html ?? ''}`)).toEqual([]);
    }
    await page.getByRole('link', { name: 'Go to the start page' }).click();
    await page.waitForURL((url) => url.pathname === '/');
  },
);
