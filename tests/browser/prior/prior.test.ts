import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Structure } from '../../../api/school/school.contract.ts';
import { brokenRules } from '../axe.ts';
import { marktrailInBrowser, whenAsked } from '../marktrail.ts';

const marktrail = marktrailInBrowser();
const thisYear = new Date().getFullYear();

/** A terminal exam of the demo's Mathematics, and the StudentIDs of its Year 11. */
const examOf = async (name: string): Promise<void> => {
  const admin = await marktrail.person('admin@demo.example', { at: '/' });
  const [subject] = (await (await admin.request.get('/api/rest/subjects?filter={"name":"Mathematics"}')).json()) as { id: string }[];
  const answer = await admin.request.post('/api/commands/AddTerminalExam', { data: { subjectId: subject?.id, name, yearSat: 6 } });
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
  await expect.poll(() => row(page, 'Key Stage 2').innerText()).toMatch(/Year 6\s+0 of 729\s+0\.0 %\s+–/);
  await page.getByRole('tab', { name: 'Upload CSV' }).click();
  const choose = page.locator('input[type=file]');
  const upload = page.getByRole('button', { name: 'Upload', exact: true });

  // The year comes first.
  await choose.setInputFiles(csv('M0001,"Edwards, Sophie",b'));
  await page.getByText('Choose the year in which the exam was completed.').waitFor();
  expect(await upload.isDisabled()).toBe(true);
  await page.getByLabel('Year completed').selectOption(String(thisYear - 5));
  expect(await page.getByLabel('Year completed').locator('option').allInnerTexts()).toHaveLength(16);

  // Files that cannot be used: the sentence says why, the detail says where.
  await choose.setInputFiles(csv('M0001,"Edwards, Sophie",A**', 'M0002,Somebody,9-', 'M0003,Somebody, C '));
  await upload.click();
  await page.getByText('The upload file is invalid. The grades submitted should be numeric or A* to G or U.').waitFor();
  await page.getByText('See line 2, Grade: "A**"; line 3, Grade: "9-".').waitFor();
  await choose.setInputFiles({ ...csv(), buffer: Buffer.from('StudentID,Grade,LastFirst\r\nM0001,b,Edwards') });
  await upload.click();
  await page.getByText('The upload file is invalid. Please check you have uploaded using the correct template.').waitFor();

  // One student cannot be found, one has no grade.
  await choose.setInputFiles(csv('M0001,"Edwards, Sophie",b', 'M0002,Somebody, a* ', 'M0003,Somebody,', 'X9,"Nobody, Ned",C'));
  await upload.click();
  await page.getByText('2 new scores, 1 student without a grade.').waitFor();
  await page.getByText('1 student(s) from the upload file cannot be found in the database').waitFor();
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.getByText('Nobody, Ned (X9)').waitFor();
  expect(await brokenRules(page, { serious: true })).toEqual([]);
  await page.getByRole('button', { name: 'Commit to DB' }).click();
  await page.getByText('Upload Successful! 2 scores stored.').waitFor();
  await expect.poll(() => row(page, 'Key Stage 2').innerText()).toMatch(/2 of 729\s+0\.2 %\s+Letters/);
  await page.getByText('Prior data: 0.2 %. At least 90 % of the year group is needed.').waitFor();

  // What was uploaded stands in the table as it was typed; another value replaces it, and Undo brings it back.
  await page.getByRole('tab', { name: 'Enter data manually' }).click();
  const sophie = page.getByLabel('Score of Edwards, Sophie');
  await page.getByLabel('Class').selectOption('11X1');
  await expect
    .poll(async () => (await sophie.count()) === 1 || (await page.getByRole('button', { name: 'Next page' }).first().click()))
    .toBe(true);
  await expect.poll(() => sophie.inputValue()).toBe('b');
  await sophie.fill('H');
  await page.getByText('Value must be numeric or a grade from A*-G or U').waitFor();
  await page.getByText('Correct the score of Edwards, Sophie.').waitFor();
  expect(await brokenRules(page, { serious: true })).toEqual([]);
  await sophie.fill('d');
  // What is typed is not lost without a question; no is the answer here, and Escape says it too.
  const back = page.getByRole('link', { name: 'Back to dashboard' });
  await back.press('Enter');
  await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
  expect(await brokenRules(page, { serious: true })).toEqual([]);
  await page.keyboard.press('Escape');
  await expect.poll(() => back.evaluate((one) => one === document.activeElement)).toBe(true);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Markbook' }).click();
  await whenAsked(page, 'Stay here');
  await page.getByRole('button', { name: /^View as/ }).click();
  await page.getByRole('link', { name: 'Teacher', exact: true }).click();
  await whenAsked(page, 'Stay here');
  const length = await page.evaluate(() => history.length);
  await page.evaluate(() => history.back());
  await whenAsked(page, 'Stay here');
  expect(await page.evaluate(() => history.length)).toBe(length);
  // Back has happened by the time it is heard of, and is put right.
  await expect.poll(() => new URL(page.url()).pathname).toBe('/leader/prior');
  expect(await sophie.inputValue()).toBe('d');
  await page.getByText('1 score to store').waitFor();
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByText('1 score stored').waitFor();
  await expect.poll(() => sophie.inputValue()).toBe('d');
  await page.getByRole('button', { name: /^Undo Entered manually/ }).click();
  await expect.poll(() => sophie.inputValue()).toBe('b');
  await page.getByRole('button', { name: /^Undo prior_upload.csv/ }).click();
  await expect.poll(() => row(page, 'Key Stage 2').innerText()).toMatch(/0 of 729/);
  await expect.poll(() => sophie.inputValue()).toBe('');
  // Whoever leaves all the same gets where Back went.
  await sophie.fill('c');
  await page.evaluate(() => history.back());
  await whenAsked(page, 'Leave all the same');
  await expect.poll(() => new URL(page.url()).pathname).toBe('/leader');
});

test('teachers have no such page', async () => {
  const page = await marktrail.person('teacher1@demo.example', { at: '/leader/prior' });
  await expect.poll(() => new URL(page.url()).pathname).toBe('/teacher');
  const structure = (await (await page.request.get('/api/queries/me')).json()) as {
    subjects?: { subjectId: string }[];
  } & Partial<Structure>;
  const subjectId = structure.subjects?.[0]?.subjectId ?? '';
  const asked = await page.request.get(`/api/queries/prior-uploads?subjectId=${subjectId}&terminalExamId=${subjectId}`);
  expect(asked.status()).toBe(403);
});
