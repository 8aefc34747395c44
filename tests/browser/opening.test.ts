import { expect, test } from 'vitest';
import type { Sheet } from '../../api/marks/sheet.contract.ts';
import { ask, enter } from './calls.ts';
import { marktrailInBrowser } from './marktrail.ts';
import { placeOf } from './sheet.ts';

const marktrail = marktrailInBrowser();

test('a class is drawn from what its page brings, and from what has changed since', async () => {
  const page = await marktrail.signedIn('teacher1@demo.example');
  const { subjectId, setId, testId } = await placeOf(page, '11X1');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const mayConnect = Promise.withResolvers<void>();
  await page.route('**/api/live?*', (route) => mayConnect.promise.then(() => route.continue()));
  // A server that has just started may be too slow: then the page asks.
  const askedAtOpening = async () => {
    asked.length = 0;
    await page.goto('/teacher/markbook?year=11&set=11X1');
    await page.getByRole('row', { name: /11X1/ }).first().waitFor();
    return asked.filter((url) => /queries\/(?:me|structure|markbook.*setId)/u.test(url));
  };
  await expect.poll(askedAtOpening).toEqual([]);

  const { students } = await ask<Sheet>(page.request, `sheet?setId=${setId}&testId=${testId}`);
  const [student] = students;
  await enter(page.request, subjectId, [{ studentId: student?.studentId, testId, is: 1 }]);
  mayConnect.resolve();
  await page.getByRole('row', { name: new RegExp(`^${student?.name} 11X1 1\\b`) }).waitFor();

  // The page of another role brings who they are, and nothing else, as whom one may view it is not known.
  await page.goto('/leader');
  await page.waitForURL('**/teacher');
});

test('what a student’s page brings is not kept on the device', async () => {
  const page = await marktrail.person('student1@demo.example', { at: '/student' });
  await page.waitForFunction(
    async () => (await caches.keys()).length > 0 && (await (await caches.open((await caches.keys())[0] ?? '')).keys()).length > 3,
  );
  const kept = () =>
    page.evaluate(async () => {
      const texts = (await caches.keys()).map(async (name) => {
        const cache = await caches.open(name);
        return Promise.all((await cache.keys()).map(async (one) => ((await cache.match(one)) ?? new Response()).text()));
      });
      return (await Promise.all(texts)).flat().join();
    });
  await expect.poll(kept).toContain('<div id="root">');
  expect(await kept()).not.toContain('id="opening"');
});

test('a student’s home does not ask who they are', async () => {
  const page = await marktrail.signedIn('student1@demo.example');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const askedAtOpening = async () => {
    asked.length = 0;
    await page.goto('/student');
    await page.getByRole('heading', { name: /^Hello / }).waitFor();
    await page.waitForLoadState('networkidle');
    return asked.filter((path) => path === '/api/queries/me');
  };
  await expect.poll(askedAtOpening).toEqual([]);
});
