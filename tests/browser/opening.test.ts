import { expect, test } from 'vitest';
import { marktrailInBrowser } from './marktrail.ts';

const marktrail = marktrailInBrowser();

test('a page that opens again asks for its class, and loads its code, before the server has said who is signed in', async () => {
  const page = await marktrail.person('teacher1@demo.example', { at: '/teacher/markbook?year=11&set=11X1' });
  const student = page.getByRole('row', { name: /11X1/ }).first();
  await student.waitFor();
  // What it asks is remembered each time that nothing more is asked: first perhaps without the markbook.
  await page.waitForFunction(() =>
    Object.values({ ...sessionStorage, ...localStorage }).some((kept: string) =>
      ['markbook?year=11&set=11X1', '["structure"', '["markbook"'].every((part) => kept.includes(part)),
    ),
  );

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
});

test('what one person asked for is not asked for by the next in the same browser', async () => {
  const page = await marktrail.person('teacher1@demo.example', { at: '/teacher/markbook?year=11&set=11X1' });
  await page.getByRole('row', { name: /11X1/ }).first().waitFor();
  await page.waitForFunction(() => JSON.stringify({ ...sessionStorage, ...localStorage }).includes('markbook?year=11&set=11X1'));
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.waitForURL('**/login');
  await expect.poll(() => page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).not.toContain('markbook');
});
