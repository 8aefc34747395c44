import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { marktrailInBrowser } from './marktrail.ts';

const marktrail = marktrailInBrowser();

/** Until the browser keeps what the names in the address mean. */
const remembers = (page: Page) =>
  page.waitForFunction(() => JSON.stringify({ ...sessionStorage, ...localStorage }).includes('/teacher/markbook 11 11X1'));

test('a page that opens again asks for its class, and loads its code, before the server has said who is signed in', async () => {
  const page = await marktrail.person('teacher1@demo.example', { at: '/teacher/markbook?year=11&set=11X1' });
  const student = page.getByRole('row', { name: /11X1/ }).first();
  await student.waitFor();
  await remembers(page);

  const asked = (name: string) => page.waitForRequest((request) => request.url().includes(`/${name}`));
  await page.route('**/api/queries/me', (route) =>
    held.then(
      () => route.continue(),
      () => route.abort(),
    ),
  );
  const held = Promise.all(['queries/structure', 'queries/markbook', 'assets/MarkbookPage'].map(asked));
  await page.reload({ waitUntil: 'commit' });
  await held;
  await student.waitFor();

  // The page of another role is asked for nothing, as whom one may view it is not known.
  await page.goto('/leader');
  await page.waitForURL('**/teacher');
});

test('what one person asked for is not asked for by the next in the same browser', async () => {
  const page = await marktrail.person('teacher1@demo.example', { at: '/teacher/markbook?year=11&set=11X1' });
  await page.getByRole('row', { name: /11X1/ }).first().waitFor();
  await remembers(page);
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.waitForURL('**/login');
  await expect.poll(() => page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).not.toContain('markbook');
});

test('a student’s home asks once who they are', async () => {
  const page = await marktrail.signedIn('student1@demo.example');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto('/student');
  await page.getByRole('heading', { name: /^Hello / }).waitFor();
  await page.waitForLoadState('networkidle');
  expect(asked.filter((path) => path === '/api/queries/me')).toHaveLength(1);
});
