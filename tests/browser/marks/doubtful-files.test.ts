import { expect, test } from 'vitest';
import { brokenRules } from '../axe.ts';
import { dialogOf, marktrailInBrowser, previewTotals, totalsOf } from '../marktrail.ts';

/** Files that look wrong: what is wrong is folded beneath the table, and the file can be stored all the same. */
const marktrail = marktrailInBrowser();

test('a name column that was sorted alone, a damaged StudentID and a garbled name are shown before anything is stored', async () => {
  const page = await marktrail.person('leader@demo.example', { at: '/' });
  const names = ['Kowalski, Joseph', 'Lee, Kayleigh', 'Clarke, Poppy', 'Mensah, Rhys', 'Powell, Mia', 'Farah, Jessica', 'Edwards, Sophie'];
  const rows = names.map((name, at) => [`M000${at + 1}`, name, 1 + at] as const);
  await previewTotals(page, totalsOf([...rows, ['M0010', 'Okeke, SiobhÃ¡n', 1], ['1.23457E+12', 'Nobody, Ned', 12]]));
  const dialog = dialogOf(page, 'Upload Student Assessment Totals');
  await dialog.getByText('3 warnings about the file').click();
  const differing = dialog.getByRole('status').filter({ hasText: '7 names differ from ours' });
  await expect
    .poll(() => differing.getByRole('row').allInnerTexts())
    .toEqual(
      [
        /^StudentID\s+In the file\s+Ours$/,
        /^M0001\s+Kowalski, Joseph\s+Edwards, Sophie$/,
        /^M0002\s+Lee/,
        /^M0003/,
        /^M0004/,
        /^M0005/,
      ].map((row) => expect.stringMatching(row)),
    );
  await differing.getByRole('button', { name: 'and 2 more' }).click();
  await dialog.getByText('1 StudentID looks damaged, and is nobody’s').waitFor();
  await dialog.getByRole('row', { name: /1\.23457E\+12\s+Nobody, Ned\s+shortened by a spreadsheet/ }).waitFor();
  await dialog.getByText('1 name is garbled').waitFor();
  expect(await brokenRules(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Commit to DB' }).click();
  await dialog.getByText('8 totals stored.').waitFor();
});
