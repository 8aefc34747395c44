import { expect, test } from 'vitest';
import { hasFocus, pressEnter, tabTo } from './keyboard.ts';
import { isDisabled, isGone, reads } from './looks.ts';
import { dialogOf, marktrailInBrowser } from './marktrail.ts';
import { paste, sheetOf, totalCell, typeTotal } from './sheet.ts';

const marktrail = marktrailInBrowser();
const TOTALS = 'Upload Student Assessment Totals';

test('totals of a class: from its page into the first field, pasted, corrected, submitted and taken back', async () => {
  const page = await marktrail.signedIn('teacher1@demo.example');
  await page.goto('/teacher?year=11&set=11X2');
  const { students } = await sheetOf(page, '11X2');
  const stored = async () => (await sheetOf(page, '11X2')).students.map(({ total }) => total?.value ?? null);
  const [first = '', second = '', last = ''] = [students[0], students[1], students.at(-1)].map((student) => student?.name ?? '');
  const before = await stored();
  await page.getByRole('button', { name: 'Upload totals' }).first().click();
  const dialog = dialogOf(page, TOTALS);
  await reads(dialog.getByLabel('Select Class').locator('option:checked'), '11X2');
  await hasFocus(dialog.getByLabel(`${first}, Total of`));

  // A copied column with two more rows than the class has students is asked about. Nothing is stored by itself.
  await paste(page, `${[...students, 1, 2].map((_, row) => row % 20).join('\n')}\n`);
  await tabTo(page, 'Leave out the 2 rows that are not found');
  await page.keyboard.press('Space');
  await tabTo(page, `Enter ${students.length} totals`);
  await page.keyboard.press('Enter');
  await dialog.getByText(/^\d+ taken, .*2 outside the table\.$/).waitFor();

  // An error moves nothing; Submit and Clear go, and Enter past the end leads back to it.
  const submit = dialog.getByRole('button', { name: 'Submit' });
  const place = await dialog.getByRole('grid').boundingBox();
  await typeTotal(dialog, second, '99');
  await dialog.getByText('Max mark available is 26', { exact: true }).waitFor();
  await dialog.getByText('Correct the fields that are marked, then submit.').waitFor();
  for (const button of [submit, dialog.getByRole('button', { name: 'Clear' })]) await isGone(button);
  await expect.poll(() => dialog.getByRole('grid').boundingBox()).toEqual(place);
  await totalCell(dialog, last).click();
  await page.keyboard.press('Enter');
  await hasFocus(dialog.getByLabel(`${second}, Total of`));
  await page.keyboard.type('7');
  await page.keyboard.press('Enter');
  await hasFocus(dialog.getByLabel(`${students[2]?.name}, Total of`));
  await totalCell(dialog, last).click();
  await page.keyboard.press('Enter');
  await hasFocus(submit);
  expect(await stored()).toEqual(before);
  await page.keyboard.press('Enter');
  const done = dialog.locator('form').getByText('Done', { exact: true });
  await done.waitFor();
  await dialog.getByText(`${students.length} totals stored; ${students.length} students have a total`).waitFor();
  // It can be pressed no more, and keeps the keyboard.
  await isDisabled(submit);
  await hasFocus(submit);
  const entered = students.map((_, row) => (row === 1 ? 7 : row % 20));
  expect(await stored()).toEqual(entered);

  // Its notice takes it back and restores it; any key but those on the way to it takes the notice away.
  await page.keyboard.press('Shift+Tab');
  await pressEnter(dialog.getByRole('button', { name: 'Undo' }).last());
  await dialog.getByText('Undone', { exact: true }).waitFor();
  expect(await stored()).toEqual(before);
  await pressEnter(dialog.getByRole('button', { name: 'Redo' }).last());
  await done.waitFor();
  expect(await stored()).toEqual(entered);
  await submit.press('ArrowDown');
  await done.waitFor({ state: 'detached' });
});
