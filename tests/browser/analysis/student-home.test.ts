import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { pdfPages } from '../../support/pdf.ts';
import { brokenRules } from '../axe.ts';
import { marktrailInBrowser } from '../marktrail.ts';
import { downloaded } from '../shared-browser.ts';
import { placeOf, uploadMarksOfData } from '../sheet.ts';

/** The home of a student, on a phone. */
const marktrail = marktrailInBrowser();
const PHONE = { viewport: { width: 390, height: 844 } };

const picture = async (page: Page, name: string): Promise<void> => {
  const folder = process.env['PICTURES'];
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
};

const saved = async (page: Page, button: string): Promise<{ readonly name: string; readonly file: Buffer }> => {
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: button }).click();
  const file = await coming;
  return { name: file.suggestedFilename(), file: await downloaded(file) };
};

test('results, what to revise and what is stored, on a phone, in the dark, and without a network', async () => {
  const staff = await marktrail.signedIn('leader@demo.example');
  const { subjectId, testId } = await placeOf(staff, '11X1');
  const post = async (name: string, data: object): Promise<void> => {
    const headers = { Origin: marktrail.url(), 'Idempotency-Key': crypto.randomUUID() };
    const answer = await staff.request.post(`/api/commands/${name}`, { headers, data });
    expect(answer.status(), await answer.text()).toBe(200);
  };
  const { questions } = await uploadMarksOfData(staff, '11X1');
  await post('SaveRevisionList', {
    subjectId,
    testId,
    questions: questions
      .slice(0, 3)
      .map(({ questionId }, index) => ({ questionId, headerId: null, header: index < 2 ? 'Functions' : 'Models' })),
  });

  const page = await marktrail.person('student1@demo.example', { ...PHONE, at: '/student' });
  await page.getByRole('heading', { name: 'Your results' }).waitFor();
  const card = page.getByRole('article', { name: 'Written examination' });
  await card
    .getByText(/^\d+ %/u)
    .first()
    .waitFor();
  await card.getByText(/your class, whose average is about \d+ %\./u).waitFor();
  await card.getByRole('heading', { name: 'Work on next' }).waitFor();
  await card.getByText(`Question by question (${questions.length})`).click();
  const rows = card.getByRole('table').getByRole('row');
  expect(await rows.count()).toBe(questions.length + 1);
  await page.getByRole('heading', { name: 'Your topics' }).waitFor();
  expect(await page.getByText('rank', { exact: false }).count()).toBe(0);
  expect(await brokenRules(page)).toEqual([]);
  await picture(page, 'student-home-390');
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(390);

  // Ticks stay.
  await page.getByText('What to revise').click();
  const [first] = questions;
  await page.getByRole('checkbox', { name: new RegExp(first?.topic ?? '', 'u') }).check();
  await page.reload();
  await page.getByText('1 of 3 ticked').waitFor();
  await page.getByText('What to revise').click();
  expect(await page.getByRole('checkbox', { name: new RegExp(first?.topic ?? '', 'u') }).isChecked()).toBe(true);
  const list = await saved(page, 'Download Revision List');
  expect(list.name).toBe('Revisionlist.pdf');
  const [text = ''] = await pdfPages(list.file);
  expect(text).toContain('Revision Checklist: Written examination');
  expect(text).toContain('Functions');
  const own = await saved(page, 'Download what I lost marks on');
  expect((await pdfPages(own.file)).join()).toContain('Sophie Edwards');

  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await brokenRules(page)).toEqual([]);
  await picture(page, 'student-home-390-dark');
  await page.emulateMedia({ colorScheme: 'light' });

  await page.goto('/student/my-data');
  await page.getByText('Written examination').click();
  await page.getByText(/^Question 1: \d+, uploaded by staff \(leader\)/u).waitFor();
  expect(await brokenRules(page)).toEqual([]);
  const json = await saved(page, 'Download as JSON');
  expect(JSON.parse(json.file.toString())).toMatchObject({ name: 'Edwards, Sophie' });
  const pdf = await saved(page, 'Download as PDF');
  expect((await pdfPages(pdf.file)).join()).toContain('Written examination');

  // It can be installed, and opens without a network: without results, which are not kept.
  const manifest = (await (await page.request.get('/student-ui/student.webmanifest')).json()) as { icons: readonly { src: string }[] };
  for (const { src } of manifest.icons) expect((await page.request.get(src)).status(), src).toBe(200);
  await page.goto('/student');
  await page.getByRole('heading', { name: 'Your results' }).waitFor();
  const kept = () =>
    page.evaluate(async () =>
      (await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys())))
        .flat()
        .map(({ url }) => new URL(url).pathname),
    );
  await expect.poll(kept).toContain('/student/submit');
  await page.evaluate(() => navigator.serviceWorker.ready);
  expect((await kept()).filter((path) => path.startsWith('/api'))).toEqual([]);
  await page.context().setOffline(true);
  await page.reload();
  await page.getByRole('heading', { name: 'There is no connection' }).waitFor();
  await page.context().setOffline(false);
  await page.getByRole('heading', { name: 'Your results' }).waitFor();

  // Staff see it under the banner, and change nothing.
  const teacher = await marktrail.person('teacher1@demo.example', { ...PHONE, at: '/student/select' });
  await teacher.getByRole('combobox').fill('Edwards, S');
  await teacher
    .getByRole('option', { name: /Edwards, Sophie/u })
    .first()
    .click();
  await teacher.getByRole('heading', { name: 'Your results' }).waitFor();
  await teacher.getByText('What to revise').click();
  expect(await teacher.getByRole('checkbox').first().isDisabled()).toBe(true);
  expect(await teacher.evaluate(() => caches.keys())).toEqual([]);
});
