import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { brokenRules } from '../axe.ts';
import { dialogOf, marktrailInBrowser, previewTotals, resultsFile, totalsOf } from '../marktrail.ts';

/** Files that look wrong: what is wrong stands above the table, and the file can be stored all the same. */
const marktrail = marktrailInBrowser();

const picture = async (page: Page, name: string): Promise<void> => {
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    if (process.env['PICTURES']) await page.screenshot({ path: `${process.env['PICTURES']}/${name}-${width}.png` });
  }
};

test('a name column that was sorted alone, a damaged StudentID and a garbled name are shown before anything is stored', async () => {
  const page = await marktrail.person('leader@demo.example', { at: '/' });
  const names = ['Kowalski, Joseph', 'Lee, Kayleigh', 'Clarke, Poppy', 'Mensah, Rhys', 'Powell, Mia', 'Farah, Jessica', 'Edwards, Sophie'];
  const rows = names.map((name, at) => [`M000${at + 1}`, name, 1 + at] as const);
  await previewTotals(page, totalsOf([...rows, ['M0010', 'Okeke, SiobhÃ¡n', 1], ['1.23457E+12', 'Nobody, Ned', 12]]));
  const dialog = dialogOf(page, 'Upload Student Assessment Totals');
  const differing = dialog.getByRole('status').filter({ hasText: '7 names differ from ours' });
  await differing.waitFor();
  expect(await differing.getByRole('row').allInnerTexts()).toEqual([
    expect.stringMatching(/^StudentID\s+In the file\s+Ours$/),
    expect.stringMatching(/^M0001\s+Kowalski, Joseph\s+Edwards, Sophie$/),
    expect.stringMatching(/^M0002\s+Lee, Kayleigh\s+Kowalski, Joseph$/),
    expect.stringMatching(/^M0003/),
    expect.stringMatching(/^M0004/),
    expect.stringMatching(/^M0005/),
  ]);
  await differing.getByText('and 2 more').waitFor();
  await dialog.getByText('1 StudentID looks damaged, and is nobody’s').waitFor();
  await dialog.getByRole('row', { name: /1\.23457E\+12\s+Nobody, Ned\s+shortened by a spreadsheet/ }).waitFor();
  await dialog.getByText('1 name is garbled').waitFor();
  await picture(page, 'doubtful-totals');
  expect(await brokenRules(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Commit to DB' }).click();
  await dialog.getByText('8 totals stored.').waitFor();

  // The marks of the same students do not add up to these totals.
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Upload question marks' }).first().click();
  const results = dialogOf(page, 'Enter question-level analysis');
  await results.getByLabel('Class').selectOption({ label: '11X1' });
  await results.locator('input[type=file]').setInputFiles(resultsFile());
  await results.getByRole('button', { name: 'Upload', exact: true }).click();
  await results.getByText('8 totals are not the sum of their question marks').waitFor();
  await results.getByRole('row', { name: /Edwards, Sophie\s+1\s+20\s+.*M0001/ }).waitFor();
  await picture(page, 'doubtful-marks');
  await expect.poll(() => results.getByRole('button', { name: 'Commit to DB' }).isEnabled()).toBe(true);
});

test('the students of an import who would get the name of somebody else, or be added twice', async () => {
  const page = await marktrail.person('admin@demo.example', { at: '/admin/upload_students' });
  const lines = [
    'StudentID,Name,Set,DoB',
    'M0001,"Kowalski, Joseph",11X1,',
    'M0002,"Edwards, Sophie",11X1,',
    '1.0E+11,"PÃ©rez, JosÃ©",11X1,',
  ];
  const file = { name: 'student_upload.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\r\n')) };
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByText('2 names differ from ours').waitFor();
  await page.getByText('1 StudentID looks damaged, and is nobody’s').waitFor();
  await page.getByText('They would be added as new students.').waitFor();
  await page.getByText('1 name is garbled').waitFor();
  await picture(page, 'doubtful-import');
  // Where the names that are stored are kept, none differs.
  await page.getByRole('button', { name: 'Keep all as stored' }).click();
  await page.getByText('2 names differ from ours').waitFor({ state: 'detached' });
  await expect.poll(() => page.getByRole('button', { name: 'Commit to Database' }).isEnabled()).toBe(true);
});
