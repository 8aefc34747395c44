import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { hasFocus } from './keyboard.ts';
import { dialogOf, marktrailInBrowser, totalsFile } from './marktrail.ts';

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
  const page = await marktrail.person('leader@demo.example');
  await page.getByRole('button', { name: 'Upload totals' }).first().press('Enter');
  const dialog = dialogOf(page, TOTALS);
  await dialog.locator('input[type=file]').setInputFiles(totalsFile((total, row) => (row === 0 ? total - 1 : total)));
  await dialog.getByRole('button', { name: 'Upload', exact: true }).press('Enter');

  // From the step that has just begun.
  const skip = dialog.getByRole('button', { name: 'Skip the 26 classes' });
  await skip.waitFor();
  expect(await tabsTo(page, skip)).toBeLessThan(4);
  await page.keyboard.press('Enter');
  await hasFocus(dialog.getByRole('button', { name: 'Confirm Assessments' }));
  await page.keyboard.press('Enter');
  await hasFocus(dialog.getByRole('button', { name: 'View Upload Data' }));
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Commit to DB' }).press('Enter');

  // The button that opened the dialog goes with its page.
  await dialog.getByRole('link', { name: 'Open the markbook' }).press('Enter');
  await page.getByRole('heading', { name: /Markbook$/ }).waitFor();
  await hasFocus(page.getByRole('main'));
});

test('totals that are typed and submitted leave the keyboard where it was', async () => {
  const page = await marktrail.person('teacher1@demo.example');
  await page.getByRole('button', { name: 'Upload totals' }).first().click();
  const dialog = dialogOf(page, TOTALS);
  await dialog.getByRole('tab', { name: 'Manual Entry' }).click();
  await dialog.getByLabel('Select Class').selectOption({ label: '11X1' });
  await dialog.getByLabel('Clarke, Poppy').fill('9');
  const submit = dialog.getByRole('button', { name: 'Submit' });
  await submit.press('Enter');
  await dialog.getByText('Done', { exact: true }).waitFor();
  await expect.poll(() => submit.isDisabled()).toBe(true);
  await hasFocus(submit);
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
