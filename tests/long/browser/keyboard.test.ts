import { expect, test } from 'vitest';
import { dialogOf, marktrailInBrowser } from '../../browser/marktrail.ts';
import { sheetOf } from '../../browser/sheet.ts';

const marktrail = marktrailInBrowser();

test('what would take out most of the totals of a class asks first, and is taken back', async () => {
  const page = await marktrail.signedIn('teacher1@demo.example');
  await page.goto('/teacher?year=11&set=11X2');
  const { students } = await sheetOf(page, '11X2');
  const stored = async () => (await sheetOf(page, '11X2')).students.map(({ total }) => total?.value ?? null);
  const entered = await stored();
  const many = entered.filter((total) => total !== null).length;
  await page.getByRole('button', { name: 'Upload totals' }).first().click();
  const dialog = dialogOf(page, 'Upload Student Assessment Totals');
  const submit = dialog.getByRole('button', { name: 'Submit' });
  await dialog.getByRole('button', { name: 'Clear' }).click();
  await dialog.getByText(`${many} totals removed`).waitFor();
  await submit.click();
  const question = page.getByRole('dialog', { name: `Remove ${many} totals?` });
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect(await stored()).toEqual(entered);
  await submit.click();
  await question.getByRole('button', { name: `Remove ${many} totals` }).click();
  await dialog.locator('form').getByText('Done', { exact: true }).waitFor();
  expect(await stored()).toEqual(students.map(() => null));
  await dialog.getByRole('button', { name: 'Undo' }).last().click();
  await dialog.getByText('Undone', { exact: true }).waitFor();
  expect(await stored()).toEqual(entered);
  await dialog.getByRole('button', { name: 'Clear' }).click();
  await dialog.getByText('Undone', { exact: true }).waitFor({ state: 'detached' });
});
