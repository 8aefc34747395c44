import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { NO_WEB_ADDRESS } from '../../../api/contract/fields.ts';
import { totpOf } from '../../support/totp.ts';
import { brokenRules } from '../axe.ts';
import { hasFocus, tabTo, typeOver } from '../keyboard.ts';
import { holds, isGone, reads } from '../looks.ts';
import { data, marktrailInBrowser } from '../marktrail.ts';
import { fill, joinCodeOf, linkTo, logIn, openSplash } from './entrance.ts';

const marktrail = marktrailInBrowser({ mail: true });
const PASSWORD = 'chalk-and-cheese-7';

test('a school registers itself, and its first admin logs in, by keyboard alone', async () => {
  const page = await marktrail.visitor();
  await openSplash(page);
  await tabTo(page, 'Sign Up');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Register' }).waitFor();
  await tabTo(page, 'Student');
  await page.keyboard.press('ArrowRight');
  await page.getByText('Manage users').waitFor();
  await page.keyboard.press('ArrowRight');
  await page.getByText('At least 8 characters').waitFor();
  const typed = { Name: 'Ada Head', 'E-mail': 'ada@newschool.example', Password: 'short', 'Confirm password': 'other' };
  for (const [label, text] of Object.entries(typed)) {
    await tabTo(page, label);
    await page.keyboard.type(text);
  }
  await page.keyboard.press('Enter');
  for (const said of ['Min 8 characters', 'Passwords do not match.', "You must agree to the T&C's"]) await page.getByText(said).waitFor();
  // The first mistake has the focus.
  await typeOver(page, PASSWORD);
  await tabTo(page, 'Confirm password');
  await typeOver(page, PASSWORD);
  await tabTo(page, 'Read them');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Terms and conditions' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await hasFocus(page.getByRole('button', { name: 'Read them' }));
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Space');
  await tabTo(page, 'Sign Up');
  await page.keyboard.press('Enter');
  await page.getByText('Success: Please check your email to continue setup').waitFor();
  await holds(page.getByLabel('Name'), '');

  await page.goto(await linkTo(marktrail.mailbox(), 'ada@newschool.example', '/verify'));
  await holds(page.getByLabel('E-mail'), 'ada@newschool.example');
  await tabTo(page, 'Password');
  await page.keyboard.type('not the password');
  await tabTo(page, 'School name');
  await page.keyboard.type('Newschool Academy');
  await page.keyboard.press('Enter');
  await page.getByText('The password you entered is incorrect').waitFor();
  await hasFocus(page.getByLabel('Password'));
  await typeOver(page, PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByText('Success: You can now log into Marktrail').waitFor();
  await hasFocus(page.getByLabel('E-mail'));
  // The log-in begins in its first field.
  await page.keyboard.type('ADA@newschool.example');
  await page.keyboard.press('Tab');
  await page.keyboard.type('not the password');
  await page.keyboard.press('Enter');
  await page.getByText('Login failed').waitFor();
  await tabTo(page, 'Password');
  await typeOver(page, PASSWORD);
  await isGone(page.getByText('Login failed'));
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Newschool Academy: home' }).waitFor();
});

test('a forgotten password is replaced by way of the mail, once', async () => {
  const page = await marktrail.visitor();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgot Password' }).click();
  await fill(page, { 'E-mail': 'teacher2@demo.example' });
  await page.getByRole('button', { name: 'Send the link' }).click();
  await page.getByText('If there is an account with this e-mail address').waitFor();
  const link = await linkTo(marktrail.mailbox(), 'teacher2@demo.example', '/email/change-password');
  await page.goto(link);
  await fill(page, { 'New password': PASSWORD, 'Confirm password': PASSWORD });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: 'Go to the log-in' }).waitFor();
  expect(complaints).toEqual([]);
  await page.goto(link);
  await page.getByText('This link has been used already, or is too old.').waitFor();
  await logIn(page, 'teacher2@demo.example', PASSWORD);
  await page.waitForURL(/\/teacher/);
});

test('a student joins by the code in a link, by keyboard alone', async () => {
  // Of this student, who has no account yet, day and month are the same: which comes first in a date field is the browser's own affair.
  const born = /^[^,]+,"([^"]+)",[^,]+,(\d\d)\/\2\/(\d{4})/;
  const rows = readFileSync(data('student_upload.csv'), 'utf8').split(/\r?\n/).slice(3);
  const [, student = '', day = '', year = ''] = born.exec(rows.find((row) => born.test(row)) ?? '') ?? [];
  const code = await joinCodeOf(await marktrail.caller('admin@demo.example'), 'Mathematics');
  const page = await marktrail.visitor({ viewport: { width: 390, height: 800 } });
  await page.goto('/code');
  await page.getByRole('button', { name: 'Scan a QR code' }).click();
  await page.getByText('The camera cannot be used.').waitFor();
  await isGone(page.locator('video'));
  await page.goto(`/code?code=${code}`);
  await page.getByLabel('Date of birth').waitFor();
  await page.keyboard.type(`${day}${day}${year}`);
  await page.keyboard.press('Enter');
  // Ten names stand there, in another order each time.
  await page.getByRole('radio').nth(9).waitFor();
  expect(await brokenRules(page)).toEqual([]);
  const own = page.getByRole('radio', { name: student, exact: true });
  await own.focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await page.getByLabel('E-mail').waitFor();
  await page.keyboard.type('pupil@home.example');
  for (const _ of ['Password', 'Confirm password']) {
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
  }
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: `Hello ${student.split(', ').toReversed().join(' ')}` }).waitFor();
});

test('the profile is locked until the password was given, and then changed', async () => {
  const page = await marktrail.person('leader@demo.example', { at: '/profile' });
  await fill(page, { 'Current password': 'not it' });
  await page.getByRole('button', { name: 'Unlock' }).click();
  await page.getByText('The password you entered is incorrect').first().waitFor();
  await fill(page, { 'Current password': 'marktrail-demo' });
  await page.getByRole('button', { name: 'Unlock' }).click();
  await fill(page, { Name: 'Lead www.evil.example' });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The profile could not be updated').waitFor();
  await page.getByText(NO_WEB_ADDRESS).waitFor();
  await fill(page, { Name: 'Lead, Renamed' });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The profile was updated successfully').waitFor();
  await isGone(page.getByText('The profile could not be updated'));
});

test('two-step sign-in is switched on with a scanned code, asked for at the next log-in, and switched off', async () => {
  const page = await marktrail.person('leader@demo.example', { viewport: { width: 390, height: 800 }, at: '/profile' });
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
  expect(await brokenRules(page)).toEqual([]);
  await part.getByLabel('Code from your authenticator').fill('000000');
  await part.getByRole('button', { name: 'Switch on' }).click();
  await part.getByText('This code is not right. Try again.').waitFor();
  await part.getByLabel('Code from your authenticator').fill(totpOf(secret));
  await part.getByRole('button', { name: 'Switch on' }).click();
  await reads(part.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').first(), /^\w{5}-\w{5}$/);
  await part.getByRole('button', { name: 'I have kept them' }).click();
  await part.getByText('On: after your password').waitFor();

  const elsewhere = await marktrail.visitor();
  await logIn(elsewhere, 'leader@demo.example', 'marktrail-demo');
  await fill(elsewhere, { 'Code from your authenticator': totpOf(secret, 1) });
  await elsewhere.getByRole('button', { name: 'Continue' }).click();
  await elsewhere.waitForURL(/\/leader/);

  await part.getByRole('button', { name: 'Switch off' }).click();
  await password('Switch off', 'marktrail-demo');
  await part.getByText('Two-step sign-in is off.').waitFor();
});
