import { expect, test } from 'vitest';
import { brokenRules } from '../../../browser/axe.ts';
import { act } from '../../../browser/calls.ts';
import { hasFocus } from '../../../browser/keyboard.ts';
import { counts, holds, isDisabled } from '../../../browser/looks.ts';
import { marktrailInBrowser, whenAsked } from '../../../browser/marktrail.ts';

const marktrail = marktrailInBrowser();
const thisYear = new Date().getFullYear();
const csv = (...rows: readonly string[]) => ({
  name: 'prior_upload.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(['StudentID,LastFirst,Grade', ...rows].join('\r\n')),
});
/** A leader’s page of prior data, with a terminal exam. */
const opened = async (exam: string) => {
  const admin = await marktrail.caller('admin@demo.example');
  const [subject] = (await (await admin.get('/api/rest/subjects?filter={"name":"Mathematics"}')).json()) as { id: string }[];
  await act(admin, 'AddTerminalExam', { subjectId: subject?.id, name: exam, yearSat: 6 });
  const page = await marktrail.person('leader@demo.example', { at: '/' });
  await page.getByRole('link', { name: 'Upload prior data' }).click();
  await page.getByRole('radio', { name: exam }).check();
  return page;
};

test('files that cannot be used: the sentence says why, the detail says where', async () => {
  const page = await opened('Key Stage 2');
  await page.getByRole('tab', { name: 'Upload CSV' }).click();
  const choose = page.locator('input[type=file]');
  const upload = page.getByRole('button', { name: 'Upload', exact: true });
  await choose.setInputFiles(csv('M0001,"Edwards, Sophie",b'));
  await page.getByText('Choose the year in which the exam was completed.').waitFor();
  await isDisabled(upload);
  await page.getByLabel('Year completed').selectOption(String(thisYear - 5));
  await counts(page.getByLabel('Year completed').locator('option'), 16);

  await choose.setInputFiles(csv('M0001,"Edwards, Sophie",A**', 'M0002,Somebody,9-', 'M0003,Somebody, C '));
  await upload.click();
  await page.getByText('The upload file is invalid. The grades submitted should be numeric or A* to G or U.').waitFor();
  await page.getByText('See line 2, Grade: "A**"; line 3, Grade: "9-".').waitFor();
  await choose.setInputFiles({ ...csv(), buffer: Buffer.from('StudentID,Grade,LastFirst\r\nM0001,b,Edwards') });
  await upload.click();
  await page.getByText('The upload file is invalid. Please check you have uploaded using the correct template.').waitFor();
});

test('what is typed about prior data is not lost without a question', async () => {
  const page = await opened('Reading');
  await page.getByLabel('Year completed').selectOption(String(thisYear - 5));
  const sophie = page.getByRole('textbox').first();
  await sophie.fill('H');
  await page.getByText('Value must be numeric or a grade from A*-G or U').waitFor();
  await page.getByText(/^Correct the score of .+\.$/).waitFor();
  expect(await brokenRules(page, { serious: true })).toEqual([]);
  await sophie.fill('d');
  // What is typed is not lost without a question; no is the answer here, and Escape says it too.
  const back = page.getByRole('link', { name: 'Back to dashboard' });
  await back.press('Enter');
  await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
  expect(await brokenRules(page, { serious: true })).toEqual([]);
  await page.keyboard.press('Escape');
  await hasFocus(back);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Markbook' }).click();
  await whenAsked(page, 'Stay here');
  await page.getByRole('button', { name: /^View as/ }).click();
  await page.getByRole('link', { name: 'Teacher', exact: true }).click();
  await whenAsked(page, 'Stay here');
  const length = await page.evaluate(() => history.length);
  await page.evaluate(() => history.back());
  await whenAsked(page, 'Stay here');
  await expect.poll(() => page.evaluate(() => history.length)).toBe(length);
  // Back has happened by the time it is heard of, and is put right.
  await expect.poll(() => new URL(page.url()).pathname).toBe('/leader/prior');
  await holds(sophie, 'd');
  // Whoever leaves all the same gets where Back went.
  await page.evaluate(() => history.back());
  await whenAsked(page, 'Leave all the same');
  await expect.poll(() => new URL(page.url()).pathname).toBe('/leader');
});
