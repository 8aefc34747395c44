import { expect, test } from 'vitest';
import { brokenRules } from '../../browser/axe.ts';
import { isGone } from '../../browser/looks.ts';
import { dialogOf, lastJune, marktrailInBrowser, resultsFile } from '../../browser/marktrail.ts';

/** README, "Try it": the demo school as it is after the first start, and just the steps that stand there. */
const marktrail = marktrailInBrowser({ past: true });
const RESULTS = 'Enter question-level analysis';

test('the five steps of README: an upload, its undo, a contested cell, an earlier moment, and the phone of a student', async () => {
  const page = await marktrail.person('leader@demo.example', { at: '/' });

  // 1. Upload
  await page.getByRole('button', { name: 'Enter question-level analysis' }).first().click();
  const results = dialogOf(page, RESULTS);
  await results.getByLabel('Assessment').selectOption({ label: 'Written examination' });
  await results.getByLabel('Class').selectOption({ label: 'All classes of year 11' });
  await results.locator('input[type=file]').setInputFiles(resultsFile());
  await results.getByRole('button', { name: 'Upload', exact: true }).click();
  await results.getByText('This will add 9,464 marks').waitFor();
  // The student who has left since.
  await results.getByText(/^1 student\(s\) from the upload file cannot be found in the selected group/).waitFor();
  await results.getByRole('button', { name: 'Commit to DB' }).click();
  await results.getByText('Upload Successful! 9,464 marks stored.').waitFor();
  await results.getByRole('button', { name: 'Close' }).click();

  // 2. Undo
  await page.getByRole('button', { name: /^Undo results_upload.csv/ }).click();
  await page.getByRole('button', { name: /^Take back [\d,]+ marks$/ }).click();
  await page.getByRole('button', { name: /^Redo results_upload.csv/ }).click();
  await page.getByRole('button', { name: /^Undo results_upload.csv/ }).waitFor();
  await page.getByRole('button', { name: 'Show older uploads' }).click();
  // There is one that was undone in October.
  await page.getByRole('button', { name: /^Redo autumn_11Y1.csv/ }).waitFor();

  // 3. A contested cell
  await page.getByRole('link', { name: 'Markbook' }).first().click();
  await page.getByLabel(/Find a student/).fill('Lee, Kayleigh');
  await page.locator('td[data-contested]').first().click();
  const cell = dialogOf(page, 'Lee, Kayleigh');
  await cell.getByText('Tom Hughes').first().waitFor();
  await cell.getByText('Grace Bell').first().waitFor();
  await cell.getByRole('button', { name: 'Use 35' }).waitFor();
  await cell.getByRole('button', { name: 'Use 38' }).click();
  await cell.getByRole('button', { name: 'Use 38' }).waitFor({ state: 'detached' });
  await cell.getByRole('button', { name: 'Close' }).click();
  await page.locator('td[data-contested]').first().waitFor({ state: 'detached' });

  // 4. An earlier moment
  await page.getByLabel(/Find a student/).fill('');
  await page.getByRole('button', { name: /choose the moment to show/ }).click();
  const moment = dialogOf(page, 'Show an earlier moment');
  await moment.getByLabel('Day').fill(lastJune());
  await moment.getByRole('button', { name: 'Show this moment' }).click();
  await page.getByText(/^As it was on/).waitFor();
  await page
    .getByRole('columnheader', { name: /Spring mock \(simulated\)/ })
    .first()
    .waitFor();
  await expect.poll(() => page.getByRole('search').locator('option').allInnerTexts()).toEqual(expect.arrayContaining(['11M1', '11M6']));
  await isGone(page.getByText('11X1', { exact: true }));
  await page.getByRole('button', { name: 'Back to now' }).first().click();
  await page
    .getByRole('columnheader', { name: /Written examination/ })
    .first()
    .waitFor();

  // 5. A student's phone
  const phone = await marktrail.person('student1@demo.example', { at: '/', viewport: { width: 390, height: 844 }, hasTouch: true });
  await phone.getByRole('heading', { name: /Sophie/ }).waitFor();
  await phone.getByText('Mathematics', { exact: true }).waitFor();
  await phone.getByText('11X1').first().waitFor();
  await phone.getByText('Energy and forces test waits for your marks.').waitFor();
  expect(await brokenRules(phone)).toEqual([]);
  await phone.getByRole('link', { name: 'Enter your marks' }).click();
  for (const [at, mark] of ['5', '3', '0', '0'].entries())
    await phone.getByRole('textbox', { name: new RegExp(`^Question ${at + 1}\\b`) }).fill(mark);
  await phone.getByRole('button', { name: 'Submit', exact: true }).click();
  await dialogOf(phone, 'Submit your marks?').getByRole('button', { name: 'Submit 8 of 20' }).click();
  await phone.getByRole('region', { name: 'Marks for Energy and forces test' }).waitFor();
  await phone.getByRole('link', { name: 'Home' }).first().click();
  await phone.getByRole('heading', { name: /Sophie/ }).waitFor();
  // The page shows what it knows until it has been answered anew.
  await phone.getByText(/waits for your marks/).waitFor({ state: 'detached' });
});
