import { expect, test } from 'vitest';
import { brokenRules } from './axe.ts';
import { hasFocus, pressEnter, tabTo } from './keyboard.ts';
import { dialogOf, marktrailInBrowser, previewTotals, totalsFile } from './marktrail.ts';

const marktrail = marktrailInBrowser();
const TOTALS = 'Upload Student Assessment Totals';

test('a leader uploads the totals of 26 classes by keyboard, sees the markbook change, and takes them back', async () => {
  const page = await marktrail.person('leader@demo.example', { at: '/' });
  await pressEnter(page.getByRole('button', { name: 'Upload totals' }).first());
  const dialog = dialogOf(page, TOTALS);
  const file = totalsFile((total, row) => (row === 0 ? total - 2 : total));
  await dialog.locator('input[type=file]').setInputFiles({ ...file, name: 'marked again.csv' });
  await pressEnter(dialog.getByRole('button', { name: 'Upload', exact: true }));

  // In a few keys, from the step that has just begun.
  await dialog.getByRole('button', { name: 'Skip the 26 classes' }).waitFor();
  await tabTo(page, 'Skip the 26 classes', 3);
  await page.keyboard.press('Enter');
  await hasFocus(dialog.getByRole('button', { name: 'Confirm Assessments' }));
  await page.keyboard.press('Enter');
  await hasFocus(dialog.getByRole('button', { name: 'View Upload Data' }));
  await page.keyboard.press('Enter');
  await dialog.getByText(/This will change 1 total/).waitFor();
  await pressEnter(dialog.getByRole('button', { name: 'Commit to DB' }));

  // The button that opened the dialog goes with its page.
  await dialog.getByRole('link', { name: 'Open the markbook' }).press('Enter');
  await page.getByRole('heading', { name: /Markbook$/ }).waitFor();
  await hasFocus(page.getByRole('main'));
  // The markbook's mean and SD are the reference figures of the data set (16.93416, 4.284338).
  await page.getByRole('row', { name: /^Mean/ }).getByText('16.9').waitFor();
  await page.getByRole('row', { name: /^SD/ }).getByText('4.3').waitFor();
  await page.getByLabel(/Find a student/).fill('Edwards, Sophie');
  await page.getByRole('row', { name: /Edwards, Sophie.*18/ }).waitFor();

  await page.goto('/leader');
  await pressEnter(page.getByRole('button', { name: /^Undo marked again.csv/ }));
  await page.getByRole('button', { name: /^Redo marked again.csv/ }).waitFor();
  await page.goto('/leader/markbook?find=Edwards, Sophie');
  await page.getByRole('row', { name: /Edwards, Sophie.*20/ }).waitFor();
});

test('the preview shows old and new where a total would be replaced, and the success notice takes it back', async () => {
  const page = await marktrail.person('leader@demo.example', { at: '/' });
  await previewTotals(
    page,
    totalsFile((total, row) => (row === 0 ? total - 2 : total)),
  );
  const dialog = dialogOf(page, TOTALS);
  await dialog.getByText(/This will change 1 total/).waitFor();
  await dialog.getByText('was 20, becomes 18').waitFor({ state: 'attached' });
  expect(await brokenRules(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Commit to DB' }).click();
  await dialog.getByText(/1 total stored/).waitFor();
  await pressEnter(dialog.getByRole('button', { name: 'Undo' }));
  await dialog.getByText('totals_upload.csv was undone.').waitFor();
  // The button was disabled meanwhile, and kept its place for the keyboard.
  await hasFocus(dialog.getByRole('button', { name: 'Redo' }));
  await dialog.getByRole('link', { name: 'Open the markbook' }).click();
  await page.getByLabel(/Find a student/).fill('Edwards, Sophie');
  await page.getByRole('row', { name: /Edwards, Sophie.*20/ }).waitFor();
});
