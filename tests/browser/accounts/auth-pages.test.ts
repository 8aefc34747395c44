import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { toString } from 'qrcode';
import { expect, test } from 'vitest';
import { NO_WEB_ADDRESS } from '../../../api/contract/web-address.ts';
import { launchBrowser } from '../../support/browser.ts';
import { tokenIn } from '../../support/mailbox.ts';
import { totpOf } from '../../support/totp.ts';
import { brokenOnAnyScreen, brokenRules } from '../axe.ts';
import { hasFocus, pressEnter, tabTo, typeOver } from '../keyboard.ts';
import { marktrailInBrowser } from '../marktrail.ts';
import { downloaded } from '../shared-browser.ts';

const marktrail = marktrailInBrowser({ mail: true, social: true });
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

/** As an admin of the demo school would from their pages: a command in their session. */
const asAdmin = async (name: string, body: object): Promise<{ readonly [key: string]: string }> => {
  const admin = await marktrail.caller('admin@demo.example');
  const answer = await admin.post(`/api/commands/${name}`, { data: body });
  expect(answer.status(), await answer.text()).toBe(200);
  return ((await answer.json()) as { result: { [key: string]: string } }).result;
};

/** Opens the splash page and waits for its script: the question about cookies is not part of the page that the server sends. */
const openSplash = async (page: Page): Promise<void> => {
  await page.goto('/');
  await page.getByRole('region', { name: 'Cookies' }).waitFor();
};

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
  await expect.poll(() => page.getByRole('checkbox').isChecked()).toBe(true);
  await tabTo(page, 'Sign Up');
  await page.keyboard.press('Enter');
  // The browser computes a proof of work first, which takes long on a busy machine.
  await page.getByText('Success: Please check your email to continue setup').waitFor({ timeout: 240_000 });
  await expect.poll(() => page.getByRole('button', { name: 'Sign Up' }).isDisabled()).toBe(true);

  await page.goto(await linkTo('ada@newschool.example', '/verify'));
  await page.getByRole('heading', { name: 'Finalise registration' }).waitFor();
  await expect.poll(() => page.getByLabel('E-mail').inputValue()).toBe('ada@newschool.example');
  await tabTo(page, 'Password');
  await page.keyboard.type(PASSWORD);
  await tabTo(page, 'School name');
  await page.keyboard.type('Newschool Academy');
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
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Newschool Academy: home' }).waitFor();
});

test('a teacher who was invited by mail activates their account and comes in', async () => {
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
  await page.waitForURL(/\/login\?/);
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

const codeOf = async (subjectName: string): Promise<string> => {
  const admin = await marktrail.caller('admin@demo.example');
  const me = (await (await admin.get('/api/queries/me')).json()) as { subjects: { subjectId: string; name: string }[] };
  const subjectId = me.subjects.find(({ name }) => name === subjectName)?.subjectId ?? '';
  return (await asAdmin('IssueJoinCode', { subjectId }))['code'] ?? '';
};

test('a student joins by the code in a link, by keyboard alone; a wrong code and a wrong name say so', async () => {
  const rows = readFileSync(new URL('../../data/mathexam/student_upload.csv', import.meta.url), 'utf8').split(/\r?\n/);
  // Whether a date field wants the day or the month first is the browser's own affair: of this student both are the same.
  const born = /^[^,]+,"([^"]+)",[^,]+,(\d\d)\/\2\/(\d{4})/;
  const [, student = '', day = '', year = ''] = born.exec(rows.slice(3).find((row) => born.test(row)) ?? '') ?? [];
  expect([day, student]).not.toContain('');
  const code = await codeOf('Mathematics');

  const page = await marktrail.visitor({ viewport: { width: 390, height: 800 }, locale: 'en-GB' });
  await openSplash(page);
  await tabTo(page, 'Join with a code');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Enter joining code' }).waitFor();
  await page.keyboard.type('aaaaaaa');
  await page.getByText('The code you entered was not correct, please check and try again. Note, the code is case sensitive.').waitFor();

  const toTheNames = async () => {
    await page.getByLabel('Date of birth').waitFor();
    await page.keyboard.type(`${day}${day}${year}`);
    await page.keyboard.press('Enter');
    await page.getByRole('radio').first().waitFor();
  };
  await page.goto(`/code?code=${code}`);
  await toTheNames();
  // Whoever has mistyped their date of birth finds the way back to it, without choosing a name that is not theirs.
  await pressEnter(page.getByRole('button', { name: 'My name is not here' }));
  await page.getByText('Check your date of birth.').waitFor();
  await toTheNames();
  await expect.poll(() => page.getByRole('radio').count()).toBe(10);
  expect(await brokenRules(page)).toEqual([]);
  /** The names stand in another order each time. */
  const chooseByKeys = async (isWanted: (name: string) => boolean) => {
    const labels = page.getByRole('radio').locator('xpath=..');
    const names = (await labels.allTextContents()).map((name) => name.trim());
    await page.getByRole('radio').first().focus();
    await page.keyboard.press('Space');
    for (let downs = names.findIndex(isWanted); downs > 0; downs--) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
  };
  // A name of nobody who was born on that day leads back to the beginning, where the code of the link is not sent by itself again.
  await chooseByKeys((name) => !rows.some((row) => row.includes(`"${name}"`) && row.includes(`${day}/${day}/${year}`)));
  await page.getByText('The data you entered does not match our records. Please try again').waitFor();
  await page.getByRole('heading', { name: 'Enter joining code' }).waitFor();
  await page.keyboard.type(code);
  await toTheNames();
  await chooseByKeys((name) => name === student);
  await page.getByLabel('E-mail').waitFor();
  await page.keyboard.type('pupil@home.example');
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/student/);
  await page.getByRole('heading', { name: `Hello ${student.split(', ').toReversed().join(' ')}` }).waitFor();
});

test('a student holds the QR code of the sticker before the camera', async () => {
  const code = await codeOf('Science');
  const page = await marktrail.visitor({ viewport: { width: 640, height: 480 } });
  const sticker = await toString(`${marktrail.url()}/code?code=${code}`, { type: 'svg', width: 300 });
  await page.setContent(`<body style="display: grid; place-items: center; height: 100vh; margin: 0">${sticker}`);
  // A film of one picture.
  const film = join(mkdtempSync(join(tmpdir(), 'marktrail-film-')), 'sticker.mjpeg');
  writeFileSync(film, await page.screenshot({ type: 'jpeg' }));
  const withCamera = await launchBrowser([
    '--use-fake-device-for-media-stream',
    '--use-fake-ui-for-media-stream',
    `--use-file-for-fake-video-capture=${film}`,
  ]);
  try {
    const phone = await withCamera.newPage({ baseURL: marktrail.url(), permissions: ['camera'] });
    phone.setDefaultTimeout(120_000);
    await phone.goto('/code');
    await phone.getByRole('button', { name: 'Scan a QR code' }).click();
    await phone.getByLabel('Date of birth').waitFor();
    await phone.getByText('Science, step 2 of 4').waitFor();
  } finally {
    await withCamera.close();
    rmSync(dirname(film), { recursive: true });
  }
});

test('a teacher logs in by their account elsewhere, in a window that closes itself; a stranger is told whom to ask', async () => {
  // Whose address is proved: by the link of the invitation.
  await asAdmin('InviteStaff', { name: 'Noor Elsewhere', email: 'elsewhere@demo.example', role: 'leader', teachers: [] });
  const token = tokenIn(await marktrail.mailbox().next('elsewhere@demo.example'));
  const twice = { password: 'a brand new one', confirmation: 'a brand new one' };
  const page = await marktrail.visitor();
  await page.goto('/login');
  const accepted = await page.request.post('/api/door/activation/accept', { data: { token, name: 'Noor Elsewhere', ...twice } });
  expect(accepted.ok(), await accepted.text()).toBe(true);
  marktrail.provider().expect({ sub: 'noor', email: 'Elsewhere@demo.example', verified: true });
  const popup = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Log in with The provider' }).click();
  const opened = await popup;
  await page.waitForURL(/\/leader/);
  // The window may be closed already: waiting for its event could be too late.
  await expect.poll(() => opened.isClosed()).toBe(true);

  const stranger = await marktrail.visitor();
  await stranger.goto('/login');
  marktrail.provider().expect({ sub: 'nobody', email: 'nobody@elsewhere.example', verified: true });
  await stranger.getByRole('button', { name: 'Log in with The provider' }).click();
  await stranger.getByText('There is no Marktrail account with that e-mail address. Ask your school for one.').waitFor();
  await fill(stranger, { 'E-mail': 'leader@demo.example', Password: 'wrong' });
  await stranger.getByLabel('Password', { exact: true }).press('Enter');
  await stranger.getByText('Login failed').waitFor();
});

test('nine slides, each with its picture: they go on every 15 s unless they are paused, and by keys, swipes and buttons', async () => {
  const page = await marktrail.visitor({ reducedMotion: 'no-preference', hasTouch: true });
  // Time stands still but where the test lets it pass, however slow the machine is.
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1_000);
  await openSplash(page);
  const slide = page.getByRole('group', { name: /of 9$/ });
  const isAt = async (number: number) => {
    await page.getByRole('group', { name: `${number} of 9` }).waitFor();
    const picture = slide.getByRole('img');
    expect(await picture.getAttribute('alt')).toMatch(/\w+ \w+/);
    await expect.poll(() => picture.evaluate((image) => (image instanceof HTMLImageElement ? image.naturalWidth : 0))).toBeGreaterThan(300);
  };
  await isAt(1);
  await page.clock.fastForward(14_000);
  await isAt(1);
  await page.clock.fastForward(1_100);
  await isAt(2);
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.clock.fastForward(60_000);
  await isAt(2);
  await page.keyboard.press('ArrowRight');
  await isAt(3);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await isAt(9);
  await page.getByText(/in under 15 minutes/).waitFor();
  const box = (await slide.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.move(box.x + 300, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + 120, box.y + 44);
  await page.mouse.up();
  await isAt(1);
  for (let number = 2; number <= 9; number++) {
    await page.getByRole('button', { name: 'Next slide' }).click();
    await isAt(number);
  }

  const withoutScript = await marktrail.visitor({ javaScriptEnabled: false });
  await withoutScript.goto('/');
  await withoutScript.getByRole('img', { name: /The markbook of year 11/ }).waitFor();
  await withoutScript.getByRole('link', { name: 'Log in' }).click();
  await withoutScript.waitForURL(/\/login$/);

  const still = await marktrail.visitor({ reducedMotion: 'reduce' });
  await still.goto('/');
  await still.getByRole('button', { name: 'Play' }).waitFor();
});

test.each([
  ['Accept', 'accepted', ['marktrail-journal-1', 'theme']],
  ['Decline non-essential', 'declined', ['marktrail-journal-1']],
])('asks about cookies once in 30 days, and sets none before: %s', async (button, choice, kept) => {
  const page = await marktrail.visitor();
  await openSplash(page);
  // Marks that a closed page has left for the next are kept whatever is chosen.
  await page.evaluate(() => {
    for (const name of ['theme', 'marktrail-journal-1']) localStorage.setItem(name, '[]');
  });
  expect(await page.context().cookies()).toEqual([]);
  await page.getByRole('button', { name: button }).click();
  await expect.poll(() => page.context().cookies()).not.toEqual([]);
  const [cookie, ...others] = await page.context().cookies();
  expect(others).toEqual([]);
  expect(cookie).toMatchObject({ value: choice });
  expect(await page.evaluate(() => Object.keys(localStorage).toSorted())).toEqual(kept);
  expect(Math.round(((cookie?.expires ?? 0) - Date.now() / 1000) / 86_400)).toBe(30);
  await page.reload();
  await page.getByRole('link', { name: 'Log in' }).waitFor();
  await page.getByRole('region', { name: 'Cookies' }).waitFor({ state: 'detached' });
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
  await page.getByText('The profile could not be updated').waitFor({ state: 'detached' });
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
  expect(await brokenRules(page)).toEqual([]);
  await part.getByLabel('Code from your authenticator').fill('000000');
  await part.getByRole('button', { name: 'Switch on' }).click();
  await part.getByText('This code is not right. Try again.').waitFor();
  await part.getByLabel('Code from your authenticator').fill(totpOf(secret));
  await part.getByRole('button', { name: 'Switch on' }).click();
  const codes = part.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  const [recovery, another] = [await codes.nth(0).innerText(), await codes.nth(1).innerText()];
  await part.getByRole('button', { name: 'I have kept them' }).click();
  await part.getByText('On: after your password').waitFor();

  const data = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download my data' }).click();
  expect(JSON.parse((await downloaded(await data)).toString())).toMatchObject({ account: { email: 'leader@demo.example' } });

  const elsewhere = await marktrail.visitor();
  await logIn(elsewhere, 'leader@demo.example', 'marktrail-demo');
  await elsewhere.getByRole('button', { name: 'Use a recovery code' }).click();
  await fill(elsewhere, { 'Recovery code': recovery });
  await elsewhere.getByRole('button', { name: 'Continue' }).click();
  await elsewhere.waitForURL(/\/leader/);

  // What was being typed there goes on after both steps of a log-in, also of somebody whose device is away.
  await elsewhere.goto('/profile');
  await fill(elsewhere, { 'Current password': 'marktrail-demo' });
  await page.getByRole('button', { name: 'Log out everywhere' }).click();
  await page.waitForURL(/\/login/);
  await elsewhere.getByRole('button', { name: 'Unlock' }).click();
  const again = elsewhere.getByRole('dialog', { name: 'Your session has ended' });
  await again.getByLabel('Password').fill('marktrail-demo');
  await again.getByRole('button', { name: 'Login' }).click();
  await again.getByLabel('Code from your authenticator').fill('000000');
  await again.getByRole('button', { name: 'Login' }).click();
  await again.getByText('This code is not right. Try again.').waitFor();
  await again.getByRole('button', { name: 'Use a recovery code' }).click();
  await again.getByLabel('Recovery code').fill(another);
  await again.getByRole('button', { name: 'Login' }).click();
  await elsewhere.getByRole('button', { name: 'Save' }).waitFor();

  await logIn(page, 'leader@demo.example', 'marktrail-demo');
  await fill(page, { 'Code from your authenticator': totpOf(secret, 1) });
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL(/\/leader/);
  await page.goto('/profile');
  await part.getByRole('button', { name: 'Switch off' }).click();
  await password('Switch off', 'marktrail-demo');
  await part.getByText('Two-step sign-in is off.').waitFor();
});

test('every page for somebody not signed in keeps the rules of accessibility on any screen, and an unknown one shows the way home', async () => {
  const page = await marktrail.visitor();
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
    expect(await brokenOnAnyScreen(page)).toEqual([]);
  }
  await page.getByRole('link', { name: 'Go to the start page' }).click();
  await page.waitForURL((url) => url.pathname === '/');
  await page.goto('/email/change-password');
  await page.getByRole('heading', { name: 'Unauthorised' }).waitFor();
  await page.getByText('You cannot view this page').waitFor();
  await page.goto('/finalise');
  await page.getByText('Open this page by the link in the e-mail').waitFor();
});
