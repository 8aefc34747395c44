import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { brokenRules } from './axe.ts';
import { hasFocus } from './keyboard.ts';
import { counts, isGone, reads } from './looks.ts';
import { marktrailInBrowser, signIn } from './marktrail.ts';

const marktrail = marktrailInBrowser();

test('whoever logs in goes on to where they wanted to go, and is bounced home from where they may not be', async () => {
  const page = await marktrail.visitor();
  await page.goto('/teacher/markbook?year=11');
  await page.waitForURL(/\/login\?next=/);
  await signIn(page, 'teacher1@demo.example', { goTo: false });
  await page.waitForURL('**/teacher/markbook?year=11*');
  for (const section of ['', 'admin']) {
    await page.goto(`/${section}`);
    await page.waitForURL('**/teacher');
  }
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('listitem')
    .filter({ hasText: /^Markbook$/ })
    .waitFor();
});

test('a leader looks as a teacher, and as a student, where nothing can be changed', async () => {
  const page = await marktrail.person('leader@demo.example', { at: '/' });
  const viewAs = async (role: string) => {
    await page.getByRole('button', { name: /^View as/ }).click();
    await page.getByRole('link', { name: role, exact: true }).click();
  };
  await viewAs('Teacher');
  await page.waitForURL('**/teacher');
  const chosen = page.waitForRequest((request) => /^teacher [0-9a-f-]{36}$/.test(request.headers()['x-view-as'] ?? ''));
  await page.getByRole('button', { name: /^Tom Hughes/ }).click();
  await page.goto('/teacher/markbook');
  await chosen;

  await viewAs('Student');
  await page.getByRole('combobox', { name: 'Select student' }).fill('edwards sophie 11x1');
  await page.getByRole('option', { name: /Edwards, Sophie/ }).waitFor();
  await counts(page.getByRole('option'), 1);
  const looked = page.waitForRequest((request) => /^student [0-9a-f-]{36}$/.test(request.headers()['x-view-as'] ?? ''));
  await page.keyboard.press('Enter');
  const asStudent = (await looked).headers()['x-view-as'] ?? '';
  const banner = page.getByText('You are viewing as Edwards, Sophie.');
  await banner.waitFor();
  await page.getByText('11X1').waitFor();
  // A write from this page, by hand: the pages have none.
  const status = await page.evaluate(async (header) => {
    const headers = { 'Content-Type': 'application/json', 'X-View-As': header };
    return (await fetch('/api/commands/EnterMarks', { method: 'POST', body: '{}', headers })).status;
  }, asStudent);
  expect(status).toBe(403);
  await page.reload();
  await banner.waitFor();
  expect(await brokenRules(page)).toEqual([]);
  await page.getByRole('button', { name: 'Stop viewing' }).click();
  await page.waitForURL('**/leader');
  await banner.waitFor({ state: 'detached' });
});

test('cookies are asked about once; the chosen subject is remembered, for good only with consent', async () => {
  const page = await marktrail.visitor();
  await signIn(page, 'teacher2@demo.example');
  const consent = page.getByRole('region', { name: 'Cookies' });
  await page.getByLabel('Subject').selectOption('Science');
  await page.getByRole('heading', { name: /Science/ }).waitFor();
  const kept = () => page.evaluate(() => Object.keys(localStorage));
  await expect.poll(kept).toEqual([]);
  expect((await page.context().cookies()).every(({ httpOnly }) => httpOnly)).toBe(true);
  await page.reload();
  await page.getByRole('heading', { name: /Science/ }).waitFor();

  await consent.getByRole('button', { name: 'Accept' }).click();
  const choice = async () => (await page.context().cookies()).find(({ name }) => name === 'marktrail_consent');
  await expect.poll(async () => Math.round((((await choice())?.expires ?? 0) - Date.now() / 1000) / 86_400)).toBe(30);
  await page.getByLabel('Subject').selectOption('Mathematics');
  await expect.poll(async () => (await kept()).filter((name) => name.startsWith('marktrail-subject'))).toHaveLength(1);
  await page.reload();
  await page.getByRole('heading', { name: /Mathematics/ }).waitFor();
  await consent.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Privacy policy' }).click();
  await page.getByRole('dialog').getByText('Last updated 07/11/2019.').waitFor();
});

test('the drawer is used by keyboard', async () => {
  const page = await marktrail.person('teacher1@demo.example', { at: '/', viewport: { width: 390, height: 800 } });
  const drawer = page.getByRole('dialog', { name: 'Menu' });
  const toggle = page.getByRole('button', { name: 'Menu' });
  await toggle.focus();
  await page.keyboard.press('Enter');
  await drawer.waitFor();
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'hidden' });
  await hasFocus(toggle);
  await page.keyboard.press('Enter');
  await drawer.waitFor();
  await drawer.getByRole('link', { name: 'Markbook' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/teacher/markbook');
  await drawer.waitFor({ state: 'hidden' });
});

/** Throws in the page, outside whatever it does just then. */
const breakPage = (page: Page, what: string): Promise<void> =>
  page.evaluate((message) => {
    setTimeout(() => {
      throw new Error(message);
    });
  }, what);

test('an error is logged and shown to staff with a number by which an admin finds it, and not to students', async () => {
  const teacher = await marktrail.person('teacher1@demo.example', { at: '/' });
  await breakPage(teacher, 'the chalk broke');
  const banner = teacher.getByRole('alert').filter({ hasText: 'Oops...' });
  await reads(banner, /number \d+/);
  // Like every notice it stands over no control.
  for (const [width, height] of [
    [390, 844],
    [768, 1024],
    [1366, 768],
  ] as const) {
    await teacher.setViewportSize({ width, height });
    await teacher.getByRole('button', { name: 'Terms and conditions' }).click({ trial: true });
  }
  const [, number = ''] = /number (\d+)/.exec(await banner.innerText()) ?? [];
  await banner.getByText('More details').click();
  await banner.getByText(/the chalk broke/).waitFor();
  expect(await brokenRules(teacher)).toEqual([]);
  await banner.getByRole('button', { name: 'Dismiss' }).click();
  await banner.waitFor({ state: 'detached' });

  const student = await marktrail.person('student1@demo.example', { at: '/' });
  const reported = student.waitForResponse('**/api/errors');
  await breakPage(student, 'the pencil broke');
  await (await reported).finished();
  await isGone(student.getByText('Oops...'));

  const admin = await marktrail.person('admin@demo.example', { at: '/admin/status' });
  await admin.getByLabel('From number').fill(number);
  const row = admin.getByRole('row').filter({ hasText: 'the chalk broke' });
  await row.getByRole('rowheader', { name: number, exact: true }).waitFor();
  await reads(row, /Tom Hughes/);
  await admin.getByLabel('From number').fill('');
  await admin.getByRole('row').filter({ hasText: 'the pencil broke' }).waitFor();
});

test('a part of a page that cannot be loaded leaves the frame around it, and is tried again', async () => {
  const page = await marktrail.signedIn('student1@demo.example');
  await page.route('**/assets/RevisionList-*', (route) => route.abort());
  await page.goto('/student');
  await page.getByText('This page cannot be shown.').waitFor();
  await page.getByRole('button', { name: 'Logout' }).waitFor();
  expect(await brokenRules(page)).toEqual([]);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Profile' }).click();
  await page.getByLabel('Current password').waitFor();
  await page.goBack();
  await page.getByText('This page cannot be shown.').waitFor();
  await page.unroute('**/assets/RevisionList-*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('button', { name: 'Student report' }).waitFor();
  await isGone(page.getByText('This page cannot be shown.'));
});
