import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { brokenRules } from '../axe.ts';
import { pressEnter } from '../keyboard.ts';
import { holds } from '../looks.ts';
import { marktrailInBrowser } from '../marktrail.ts';

const marktrail = marktrailInBrowser();
const thisYear = new Date().getFullYear();

/** A terminal exam of the demo's Mathematics, and the StudentIDs of its Year 11. */
const examOf = async (name: string): Promise<void> => {
  const admin = await marktrail.caller('admin@demo.example');
  const [subject] = (await (await admin.get('/api/rest/subjects?filter={"name":"Mathematics"}')).json()) as { id: string }[];
  const answer = await admin.post('/api/commands/AddTerminalExam', { data: { subjectId: subject?.id, name, yearSat: 6 } });
  expect(answer.status()).toBe(200);
};
const csv = (...rows: readonly string[]) => ({
  name: 'prior_upload.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(['StudentID,LastFirst,Grade', ...rows].join('\r\n')),
});
const openExam = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('link', { name: 'Upload prior data' }).click();
  await page.getByRole('heading', { name: 'Terminal Exams' }).waitFor();
  await page.getByRole('radio', { name }).check();
};
const row = (page: Page, name: string) =>
  page
    .getByRole('table')
    .first()
    .getByRole('row', { name: new RegExp(name) });

test('a leader uploads prior data, sees whom the file names wrongly and what it replaces, and takes it back', async () => {
  await examOf('Key Stage 2');
  const page = await marktrail.person('leader@demo.example', { at: '/' });
  await openExam(page, 'Key Stage 2');
  const summary = row(page, 'Key Stage 2');
  await expect.poll(() => summary.innerText()).toMatch(/Year 6\s+0 of 729\s+0\.0 %\s+–/);
  await page.getByRole('tab', { name: 'Upload CSV' }).press('Enter');
  await page.getByLabel('Year completed').selectOption(String(thisYear - 5));

  // One student cannot be found, one has no grade.
  const file = csv('M0001,"Edwards, Sophie",b', 'M0002,Somebody, a* ', 'M0003,Somebody,', 'X9,"Nobody, Ned",C');
  await page.locator('input[type=file]').setInputFiles(file);
  await pressEnter(page.getByRole('button', { name: 'Upload', exact: true }));
  await page.getByText('2 new scores, 1 student without a grade.').waitFor();
  await page.getByText('1 student(s) from the upload file cannot be found in the database').waitFor();
  await pressEnter(page.getByRole('button', { name: 'Show', exact: true }));
  await page.getByText('Nobody, Ned (X9)').waitFor();
  expect(await brokenRules(page, { serious: true })).toEqual([]);
  await pressEnter(page.getByRole('button', { name: 'Commit to DB' }));
  await page.getByText('Upload Successful! 2 scores stored.').waitFor();
  await expect.poll(() => summary.innerText()).toMatch(/2 of 729\s+0\.2 %\s+Letters/);
  await page.getByText('Prior data: 0.2 %. At least 90 % of the year group is needed.').waitFor();

  // What was uploaded stands in the table as it was typed; another value replaces it, and Undo brings it back.
  await page.getByRole('tab', { name: 'Enter data manually' }).press('Enter');
  await page.getByLabel('Class').selectOption('11X1');
  const sophie = page.getByLabel('Score of Edwards, Sophie');
  await holds(sophie, 'b');
  await sophie.fill('d');
  await pressEnter(page.getByRole('button', { name: 'Submit' }));
  await page.getByText('1 score stored').waitFor();
  await holds(sophie, 'd');
  await pressEnter(page.getByRole('button', { name: /^Undo Entered manually/ }));
  await holds(sophie, 'b');
  await pressEnter(page.getByRole('button', { name: /^Undo prior_upload.csv/ }));
  await expect.poll(() => summary.innerText()).toMatch(/0 of 729/);
  await holds(sophie, '');
});
