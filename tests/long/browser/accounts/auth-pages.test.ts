import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { toString } from 'qrcode';
import { expect, test } from 'vitest';
import { launchBrowser } from '../../../support/browser.ts';
import { limit } from '../../../support/limits.ts';
import { tokenIn } from '../../../support/mailbox.ts';
import { totpOf } from '../../../support/totp.ts';
import { brokenOnAnyScreen } from '../../../browser/axe.ts';
import { fill, joinCodeOf, logIn, openSplash } from '../../../browser/accounts/entrance.ts';
import { pressEnter, tabTo } from '../../../browser/keyboard.ts';
import { isGone } from '../../../browser/looks.ts';
import { data, marktrailInBrowser } from '../../../browser/marktrail.ts';
import { noteRefusals } from '../../../browser/profiles.ts';
import { downloaded } from '../../../browser/shared-browser.ts';

const marktrail = marktrailInBrowser({ mail: true, social: true });
const PASSWORD = 'chalk-and-cheese-7';

/** A leader is invited; resolves to the token of the mail. */
const invited = async (name: string, email: string): Promise<string> => {
  const admin = await marktrail.caller('admin@demo.example');
  const answer = await admin.post('/api/commands/InviteStaff', { data: { name, email, role: 'leader', teachers: [] } });
  expect(answer.status(), await answer.text()).toBe(200);
  return tokenIn(await marktrail.mailbox().next(email));
};

test('a student who mistypes the code, or finds or chooses the wrong name, is told so and led back', async () => {
  const rows = readFileSync(data('student_upload.csv'), 'utf8').split(/\r?\n/);
  const code = await joinCodeOf(await marktrail.caller('admin@demo.example'), 'Mathematics');
  const page = await marktrail.visitor({ viewport: { width: 390, height: 800 } });
  await openSplash(page);
  await tabTo(page, 'Join with a code');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Enter joining code' }).waitFor();
  await page.keyboard.type('aaaaaaa');
  await page.getByText('The code you entered was not correct, please check and try again. Note, the code is case sensitive.').waitFor();

  const [day, month, year] = /(\d\d)\/(\d\d)\/(\d{4})$/.exec(rows[20] ?? '')?.slice(1) ?? [];
  const toTheNames = async () => {
    await page.getByLabel('Date of birth').fill(`${year}-${month}-${day}`);
    await page.keyboard.press('Enter');
    await page.getByRole('radio').nth(9).waitFor();
  };
  await page.goto(`/code?code=${code}`);
  await toTheNames();
  // Whoever has mistyped their date of birth finds the way back to it, without choosing a name that is not theirs.
  await pressEnter(page.getByRole('button', { name: 'My name is not here' }));
  await page.getByText('Check your date of birth.').waitFor();
  await toTheNames();
  // A name of nobody who was born on that day leads back to the beginning, where the code of the link is not sent by itself again.
  const isBornThen = (name: string) => rows.some((row) => row.includes(`"${name}"`) && row.endsWith(`${day}/${month}/${year}`));
  const names = await page.getByRole('radio').locator('xpath=..').allTextContents();
  const other = names.map((name) => name.trim()).find((name) => !isBornThen(name)) ?? '';
  await page.getByRole('radio', { name: other, exact: true }).check();
  await page.keyboard.press('Enter');
  await page.getByText('The data you entered does not match our records. Please try again').waitFor();
  await page.getByRole('heading', { name: 'Enter joining code' }).waitFor();
  await page.keyboard.type(code);
  await page.getByLabel('Date of birth').waitFor();
});

test('a student holds the QR code of the sticker before the camera', async () => {
  const code = await joinCodeOf(await marktrail.caller('admin@demo.example'), 'Science');
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
    phone.setDefaultTimeout(limit.wait);
    noteRefusals(phone.context());
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
  const token = await invited('Noor Elsewhere', 'elsewhere@demo.example');
  const page = await marktrail.visitor();
  await page.goto('/login');
  const accepted = await page.request.post('/api/door/activation/accept', {
    data: { token, name: 'Noor Elsewhere', password: PASSWORD, confirmation: PASSWORD },
  });
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
  const page = await marktrail.visitor({ fresh: true, reducedMotion: 'no-preference', hasTouch: true });
  // Time stands still but where the test lets it pass, however slow the machine is.
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1_000);
  await openSplash(page);
  const slide = page.getByRole('group', { name: /of 9$/ });
  const isAt = async (number: number) => {
    await page.getByRole('group', { name: `${number} of 9` }).waitFor();
    const picture = slide.getByRole('img');
    await expect.poll(() => picture.getAttribute('alt')).toMatch(/\w+ \w+/);
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

  const still = await marktrail.visitor();
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
  await expect.poll(() => page.context().cookies()).toMatchObject([{ value: choice }]);
  await expect.poll(() => page.evaluate(() => Object.keys(localStorage).toSorted())).toEqual(kept);
  const [cookie] = await page.context().cookies();
  expect(Math.round(((cookie?.expires ?? 0) - Date.now() / 1000) / 86_400)).toBe(30);
  await page.reload();
  await page.getByRole('link', { name: 'Log in' }).waitFor();
  await isGone(page.getByRole('region', { name: 'Cookies' }));
});

test('whoever logs out everywhere is asked for both steps where they typed; without their device, a recovery code does', async () => {
  const page = await marktrail.person('leader@demo.example', { viewport: { width: 390, height: 800 }, at: '/profile' });
  const twoStep = async <Answer>(path: string, sent: object): Promise<Answer> => {
    const answer = await page.request.post(`/api/identity/two-factor/${path}`, { data: sent, headers: { Origin: marktrail.url() } });
    expect(answer.status(), await answer.text()).toBe(200);
    return (await answer.json()) as Answer;
  };
  const { totpURI, backupCodes } = await twoStep<{ totpURI: string; backupCodes: string[] }>('enable', { password: 'marktrail-demo' });
  const secret = new URL(totpURI).searchParams.get('secret') ?? '';
  await twoStep('verify-totp', { code: totpOf(secret) });
  const [recovery = '', another = ''] = backupCodes;

  const elsewhere = await marktrail.visitor();
  await logIn(elsewhere, 'leader@demo.example', 'marktrail-demo');
  await elsewhere.getByRole('button', { name: 'Use a recovery code' }).click();
  await fill(elsewhere, { 'Recovery code': recovery });
  await elsewhere.getByRole('button', { name: 'Continue' }).click();
  await elsewhere.waitForURL(/\/leader/);
  await elsewhere.goto('/profile');
  await fill(elsewhere, { 'Current password': 'marktrail-demo' });

  const data = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download my data' }).click();
  expect(JSON.parse((await downloaded(await data)).toString())).toMatchObject({ account: { email: 'leader@demo.example' } });
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
});

test('every page for somebody not signed in keeps the rules of accessibility on any screen, and an unknown one shows the way home', async () => {
  const page = await marktrail.visitor();
  const unsigned = ['login', 'register', 'code', 'forgot-password', 'email/change-password', 'verify', 'finalise', 'testing', 'no-such'];
  for (const room of ['', ...unsigned]) {
    await page.goto(`/${room}`);
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
