import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { isGone } from '../looks.ts';
import { marktrailInBrowser } from '../marktrail.ts';
import { changesOf, openSheet, saved, sheetOf, typeMark } from '../sheet.ts';

const marktrail = marktrailInBrowser({ apart: true });
const TWO_WAIT = '2 marks wait on this device until the server can be reached.';

test('the server is killed as it stores: what it had and what was typed meanwhile is stored once when it is back', async () => {
  const page = await marktrail.signedIn('teacher1@demo.example');
  await openSheet(page, '11X1');
  const sheet = await sheetOf(page, '11X1');
  const [first = '', second = ''] = sheet.students.map(({ name }) => name ?? '');
  const changes = async (row: number, question: number) => (await changesOf(page, sheet, row, question)).map(({ is }) => is);
  const died = Promise.withResolvers<() => Promise<void>>();
  let saves = 0;
  await page.route('**/api/commands/EnterMarks', async (route) => {
    if (saves++ > 0) return route.continue();
    // It stores, and dies before its answer arrives.
    await route.fetch();
    died.resolve(await marktrail.killed());
    return route.abort();
  });
  await typeMark(page, first, 1, 1);
  const start = await died.promise;
  await typeMark(page, second, 1, 2);
  await page.getByText(TWO_WAIT).waitFor();
  await start();
  await saved(page);
  await page.unroute('**/api/commands/EnterMarks');
  expect([await changes(0, 1), await changes(1, 1)]).toEqual([[1], [2]]);

  // It dies as the request arrives: whether it has stored it, nobody knows. Then the page is left, too.
  const dead = killedAsItSaves(page);
  await typeMark(page, first, 2, 0);
  const startAgain = await dead;
  await typeMark(page, second, 2, 1);
  // Nor does the page, unless its answer was faster than death.
  await page.getByText(/^[12] marks? waits? on this device until the server can be reached\.$/).waitFor();
  await page.goto('about:blank');
  await startAgain();
  await openSheet(page, '11X1');
  await expect.poll(() => changes(1, 2)).toEqual([1]);
  await isGone(page.getByText(/waits? on this device/));
  expect(await changes(0, 2)).toEqual([0]);
});

const killedAsItSaves = (page: Page): Promise<() => Promise<void>> =>
  new Promise((resolve, reject) => {
    page.once('request', function killed(request) {
      if (request.url().endsWith('/EnterMarks')) marktrail.killed().then(resolve, reject);
      else page.once('request', killed);
    });
  });
