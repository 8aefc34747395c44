import { expect, test } from 'vitest';
import { brokenOnAnyScreen } from '../../browser/axe.ts';
import { dialogOf, marktrailInBrowser, previewTotals, resultsFile, totalsFile } from '../../browser/marktrail.ts';
import { openSheet } from '../../browser/sheet.ts';

const marktrail = marktrailInBrowser();
const TOTALS = 'Upload Student Assessment Totals';
const RESULTS = 'Enter question-level analysis';
/** Nothing of it is stored, so that it is the same whatever the log stands on: once is enough. */
const withAnyLog = test.skipIf(process.env['TEST_LOG']);

test('a leader uploads real totals and real question marks, sees the markbook change, and takes an upload back', async () => {
  const page = await marktrail.person('leader@demo.example', { at: '/' });

  // The demo school comes with its totals: take them back first, and the markbook is empty.
  await page.getByRole('button', { name: /^Undo totals_upload.csv/ }).click();
  // So many are taken back after a question only.
  const asked = dialogOf(page, 'Undo totals_upload.csv?');
  await asked.getByText('This takes back 729 marks.').waitFor();
  await asked.getByRole('button', { name: 'Keep it' }).click();
  await page.getByRole('button', { name: /^Undo totals_upload.csv/ }).click();
  await asked.getByRole('button', { name: 'Take back 729 marks' }).click();
  await page.getByRole('button', { name: /^Redo totals_upload.csv/ }).waitFor();
  await page.goto('/leader/markbook');
  await page
    .getByRole('row', { name: /Adeyemi, Anh/ })
    .getByText('not entered')
    .waitFor({ state: 'attached' });

  // Totals: 729 new ones, with the day on which they were sat.
  await previewTotals(page, totalsFile(), '2026-01-10');
  const totals = dialogOf(page, TOTALS);
  await totals.getByText('Sat on 10/01/2026.').waitFor();
  await totals.getByText('This will add 729 totals').waitFor();
  await totals.getByRole('row', { name: /M0001\s+Edwards, Sophie\s+11X1\s+20/ }).waitFor();
  await totals.getByRole('button', { name: 'Commit to DB' }).click();
  await totals.getByText('729 totals stored.').waitFor();
  await totals.getByRole('link', { name: 'Open the markbook' }).click();

  // The markbook's mean and SD are the reference figures of the data set (16.93416, 4.284338).
  const figures = page.getByRole('grid');
  await figures.getByRole('row', { name: /^Mean/ }).getByText('16.9').waitFor();
  await figures.getByRole('row', { name: /^SD/ }).getByText('4.3').waitFor();
  await page.getByRole('row', { name: /Adeyemi, Anh.*10/ }).waitFor();

  // Question marks: the year group's whole file at once.
  await page.goto('/leader');
  await page.getByRole('button', { name: 'Enter question-level analysis' }).first().click();
  const results = dialogOf(page, RESULTS);
  await results.getByText('Select a set to continue...').waitFor();
  await results.getByLabel('Class').selectOption({ label: 'All classes of year 11' });
  await results.locator('input[type=file]').setInputFiles(resultsFile());
  await results.getByRole('button', { name: 'Upload', exact: true }).click();
  await results.getByText('This will add 9,477 marks').waitFor();
  await results.getByRole('button', { name: 'Commit to DB' }).click();
  await results.getByText('Upload Successful! 9,477 marks stored.').waitFor();

  await results.getByRole('button', { name: 'Close' }).click();

  // The day of the totals stands among the rest about the sheet, with who said so.
  await openSheet(page, '11X1');
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByText(/^Sat on 10\/01\/2026, as given with the upload totals_upload.csv by /).waitFor();
  await page.goto('/leader');
  await page.getByText(/ · sat on 10\/01\/2026$/).waitFor();

  // Undo it from the list, and redo it.
  await page.getByRole('button', { name: /^Undo results_upload.csv/ }).click();
  await page.getByRole('button', { name: 'Take back 9,477 marks' }).click();
  await page.getByRole('button', { name: /^Redo results_upload.csv/ }).click();
  await page.getByRole('button', { name: /^Undo results_upload.csv/ }).waitFor();
});

withAnyLog('no room breaks a rule of accessibility on any screen', async () => {
  const page = await marktrail.person('leader@demo.example', { at: '/' });
  const check = async (room: string): Promise<void> => {
    expect(await brokenOnAnyScreen(page), room).toEqual([]);
  };
  await page.getByRole('heading', { name: 'Recent uploads' }).waitFor();
  await check('home');
  await page.goto('/leader/markbook');
  await page.getByRole('row', { name: /Adeyemi, Anh/ }).waitFor();
  await check('markbook');
  await page
    .getByRole('gridcell', { name: /^\d+ (?:amber|green|red)/ })
    .first()
    .click();
  await page.getByRole('heading', { name: 'History' }).waitFor();
  await check('history of a cell');
  await page.keyboard.press('Escape');
  await previewTotals(
    page,
    totalsFile((total, row) => (row < 3 ? total - 1 : total)),
  );
  await dialogOf(page, TOTALS)
    .getByText(/This will change 3 totals/)
    .waitFor();
  await check('preview');
});
