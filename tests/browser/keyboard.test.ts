import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { hasFocus, pressEnter } from './keyboard.ts';
import { dialogOf, marktrailInBrowser, totalsFile } from './marktrail.ts';
import { paste, sheetOf, totalCell, typeTotal } from './sheet.ts';

const marktrail = marktrailInBrowser();
const TOTALS = 'Upload Student Assessment Totals';

/** Presses Tab until the element has the focus, and answers how often. */
const tabsTo = async (page: Page, element: Locator): Promise<number> => {
  for (let tabs = 1; tabs < 60; tabs++) {
    await page.keyboard.press('Tab');
    if (await element.evaluate((node) => node === document.activeElement)) return tabs;
  }
  throw new Error('Tab never reaches it.');
};

test('a leader with 26 classes in a file reaches its confirmation in a few keys, and the markbook keeps the keyboard', async () => {
  const page = await marktrail.person('leader@demo.example', { at: '/' });
  await pressEnter(page.getByRole('button', { name: 'Upload totals' }).first());
  const dialog = dialogOf(page, TOTALS);
  await dialog.locator('input[type=file]').setInputFiles(totalsFile((total, row) => (row === 0 ? total - 1 : total)));
  await pressEnter(dialog.getByRole('button', { name: 'Upload', exact: true }));

  // From the step that has just begun.
  const skip = dialog.getByRole('button', { name: 'Skip the 26 classes' });
  await skip.waitFor();
  expect(await tabsTo(page, skip)).toBeLessThan(4);
  await page.keyboard.press('Enter');
  await hasFocus(dialog.getByRole('button', { name: 'Confirm Assessments' }));
  await page.keyboard.press('Enter');
  await hasFocus(dialog.getByRole('button', { name: 'View Upload Data' }));
  await page.keyboard.press('Enter');
  await pressEnter(dialog.getByRole('button', { name: 'Commit to DB' }));

  // The button that opened the dialog goes with its page.
  await dialog.getByRole('link', { name: 'Open the markbook' }).press('Enter');
  await page.getByRole('heading', { name: /Markbook$/ }).waitFor();
  await hasFocus(page.getByRole('main'));
});

test('totals that are typed and submitted leave the keyboard where it was', async () => {
  const page = await marktrail.person('teacher1@demo.example', { at: '/' });
  await page.getByRole('button', { name: 'Upload totals' }).first().click();
  const dialog = dialogOf(page, TOTALS);
  await dialog.getByRole('tab', { name: 'Manual Entry' }).click();
  await dialog.getByLabel('Select Class').selectOption({ label: '11X1' });
  await typeTotal(dialog, 'Clarke, Poppy', '9');
  const submit = dialog.getByRole('button', { name: 'Submit' });
  await pressEnter(submit);
  await dialog.getByText('Done', { exact: true }).waitFor();
  await expect.poll(() => submit.isDisabled()).toBe(true);
  await hasFocus(submit);
});

test('totals of a class: from its page into the first field, pasted, corrected, submitted, taken back, and not cleared by a slip', async () => {
  const page = await marktrail.signedIn('teacher1@demo.example');
  await page.goto('/teacher?year=11&set=11X2');
  const { students } = await sheetOf(page, '11X2');
  const stored = async () => (await sheetOf(page, '11X2')).students.map(({ total }) => total?.value ?? null);
  const [first = '', second = '', last = ''] = [students[0], students[1], students.at(-1)].map((student) => student?.name ?? '');
  const before = await stored();
  await page.getByRole('button', { name: 'Upload totals' }).first().click();
  const dialog = dialogOf(page, TOTALS);
  expect(await dialog.getByLabel('Select Class').locator('option:checked').textContent()).toBe('11X2');
  await hasFocus(dialog.getByLabel(`${first}, Total of`));

  // A copied column with two more rows than the class has students. Nothing is stored by itself.
  await paste(page, `${[...students, 1, 2].map((_, row) => row % 20).join('\n')}\n`);
  await dialog.getByText(`${students.length} of ${students.length + 2} taken, 2 lie outside the table.`).waitFor();

  // An error moves nothing; Submit and Clear go, and Enter past the end leads back to it.
  const submit = dialog.getByRole('button', { name: 'Submit' });
  const place = await dialog.getByRole('grid').boundingBox();
  await typeTotal(dialog, second, '99');
  await dialog.getByText('Max mark available is 26', { exact: true }).waitFor();
  await dialog.getByText('Correct the fields that are marked, then submit.').waitFor();
  expect([await submit.count(), await dialog.getByRole('button', { name: 'Clear' }).count()]).toEqual([0, 0]);
  expect(await dialog.getByRole('grid').boundingBox()).toEqual(place);
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
  const entered = students.map((_, row) => (row === 1 ? 7 : row % 20));
  expect(await stored()).toEqual(entered);
  if (process.env['PICTURES']) await page.screenshot({ path: `${process.env['PICTURES']}/totals-done.png` });

  // Its notice takes it back and restores it; any key but those on the way to it takes the notice away.
  await page.keyboard.press('Shift+Tab');
  expect(await done.count()).toBe(1);
  await dialog.getByRole('button', { name: 'Undo' }).last().click();
  await dialog.getByText('Undone', { exact: true }).waitFor();
  expect(await stored()).toEqual(before);
  await dialog.getByRole('button', { name: 'Redo' }).last().click();
  await done.waitFor();
  expect(await stored()).toEqual(entered);
  await submit.press('ArrowDown');
  await done.waitFor({ state: 'detached' });

  // What would take out most of them asks first.
  await dialog.getByRole('button', { name: 'Clear' }).click();
  await dialog.getByText(`${students.length} totals removed`).waitFor();
  await submit.click();
  const question = page.getByRole('dialog', { name: `Remove ${students.length} totals?` });
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect(await stored()).toEqual(entered);
  await submit.click();
  await question.getByRole('button', { name: `Remove ${students.length} totals` }).click();
  await done.waitFor();
  expect(await stored()).toEqual(students.map(() => null));
  await dialog.getByRole('button', { name: 'Undo' }).last().click();
  await dialog.getByText('Undone', { exact: true }).waitFor();
  expect(await stored()).toEqual(entered);
  await dialog.getByRole('button', { name: 'Clear' }).click();
  await dialog.getByText('Undone', { exact: true }).waitFor({ state: 'detached' });
});

test('a joining code that is refused is typed again from its first box', async () => {
  const page = await marktrail.visitor();
  await page.goto('/code');
  const first = page.getByLabel('Character 1 of 7');
  await hasFocus(first);
  await page.keyboard.type('Wrong12');
  await page.getByRole('alert').waitFor();
  await hasFocus(first);
});
