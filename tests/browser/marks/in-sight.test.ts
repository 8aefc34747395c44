import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { brokenRules } from '../axe.ts';
import { hasFocus } from '../keyboard.ts';
import { reads } from '../looks.ts';
import { heldBack, marktrailInBrowser } from '../marktrail.ts';
import { cellOf, openSheet, paste, saved, sheetOf, typeMark } from '../sheet.ts';
import { brokenWords, isInReach, openMarksDialog } from './in-sight.ts';

const marktrail = marktrailInBrowser();

/** Rows that are seen as a whole, between the heads and the means. */
const rowsInSight = (page: Page): Promise<number> =>
  page.getByRole('grid').evaluate((grid) => {
    const edge = (part: string, side: 'top' | 'bottom') => grid.querySelector(part)?.getBoundingClientRect()[side] ?? 0;
    const [top, foot] = [edge('thead th', 'bottom'), Math.min(edge('tfoot td', 'top'), innerHeight)];
    return [...grid.querySelectorAll('tbody tr')].filter((row) => {
      const { top: from, bottom: to } = row.getBoundingClientRect();
      return from >= top - 0.5 && to <= foot + 0.5;
    }).length;
  });

test('a class fits into the window, its sums too, and whoever comes can type into the first empty cell', async () => {
  const page = await marktrail.signedIn('teacher1@demo.example');
  for (const [width, height, onPage, inDialog] of [
    [1366, 768, 20, 18],
    [1440, 900, 25, 23],
  ] as const) {
    await page.setViewportSize({ width, height });
    await openSheet(page, '11X2');
    await hasFocus(page.locator('[data-row="0"][data-column="0"]').getByRole('textbox'));
    await expect.poll(() => rowsInSight(page), { message: `page ${height}` }).toBe(onPage);
    const dialog = await openMarksDialog(page, '11X2');
    await hasFocus(dialog.locator('[data-row="0"][data-column="0"]').getByRole('textbox'));
    await expect.poll(() => rowsInSight(page), { message: `dialog ${height}` }).toBe(inDialog);
  }
  await page.setViewportSize({ width: 768, height: 1024 });
  await openSheet(page, '11X2');
  for (const head of ['Total', 'Teacher’s total', 'Difference'])
    await expect.poll(() => isInReach(page.getByRole('columnheader', { name: head, exact: true })), { message: head }).toBe(true);
  expect(await brokenWords(page)).toEqual([]);
  // What becomes of the marks is under them, whatever stands above and however much there is to say.
  await page.context().setOffline(true);
  await page.locator('[data-row="0"][data-column="0"]').click();
  await page.keyboard.type('1');
  await page.getByText(/^The server cannot be reached\. Nothing that you typed is lost/).waitFor();
  await paste(page, '99\n'.repeat(30));
  for (const one of [page.getByText(/^0 taken, 30 refused/), page.getByRole('button', { name: 'Submit' })])
    await expect.poll(() => isInReach(one)).toBe(true);
  await page.context().setOffline(false);
});

test('keys that are pressed before the table is there go into its first cells', async () => {
  const page = await marktrail.signedIn('teacher1@demo.example');
  const sheet = await heldBack(page, '**/api/queries/sheet?*');
  const dialog = await openMarksDialog(page, '11X3');
  await page.keyboard.type('1');
  await sheet.answered;
  await page.keyboard.press('Enter');
  await page.keyboard.type('2');
  await sheet.letGo();
  const cell = (row: number, column: number) => dialog.locator(`[data-row="${row}"][data-column="${column}"]`);
  await hasFocus(cell(1, 1).getByRole('textbox'));
  for (const [row, text] of ['1', '2'].entries()) await reads(cell(row, 0), text);
});

test('a student is found by /, and is absent by two clicks; a mark typed for somebody absent is asked about', async () => {
  const page = await marktrail.signedIn('teacher1@demo.example');
  await openSheet(page, '11X2');
  const { students } = await sheetOf(page, '11X2');
  const [, , third, fourth] = students.map(({ name }) => name ?? '');
  const is = async (row: number) => {
    await saved(page);
    return (await sheetOf(page, '11X2')).students[row]?.attendance.value;
  };
  // Whatever has become of the mark that was typed there offline.
  await hasFocus(page.locator('[data-row="0"]').getByRole('textbox'));
  await page.keyboard.press('/');
  await page.keyboard.type((third ?? '').slice(0, -1));
  await page.keyboard.press('Enter');
  await hasFocus(cellOf(page, third ?? '', 1).getByRole('textbox'));

  await page.getByRole('button', { name: third ?? '', exact: true }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Absent' }).click();
  await page.getByText(new RegExp(`^${third} is absent[.:]`)).waitFor();
  expect(await is(2)).toBe('absent');
  // By the other mouse button in a cell, and taken back the same way.
  await cellOf(page, fourth ?? '', 3).click({ button: 'right' });
  await page.getByRole('menuitemcheckbox', { name: 'Exempt' }).click();
  expect(await is(3)).toBe('exempt');
  await cellOf(page, fourth ?? '', 3).click({ button: 'right' });
  await page.getByRole('menuitemcheckbox', { name: 'Exempt', checked: true }).press('Enter');
  expect(await is(3)).toBe('sat');
  // A column by its head: what is in its first cell goes into all.
  await typeMark(page, students[0]?.name ?? '', 2, 1);
  await page.getByRole('columnheader', { name: /^Q2/ }).click();
  await page.keyboard.press('Control+d');
  await page.getByText(/^\d+ cells filled/).waitFor();
  await page.getByText(`${third} is absent. Did they sit it after all?`).waitFor();
  await page.getByRole('button', { name: 'No, take the mark out' }).click();
  await page.getByText(`${third} is absent. Did they sit it after all?`).waitFor({ state: 'detached' });
  expect(await is(2)).toBe('absent');
  expect((await sheetOf(page, '11X2')).students[2]?.marks.count).toBe(0);

  await typeMark(page, third ?? '', 1, 2);
  await page.getByRole('button', { name: 'Sat it', exact: true }).click();
  await page.getByRole('button', { name: 'Sat it', exact: true }).waitFor({ state: 'detached' });
  expect(await is(2)).toBe('sat');
  expect((await sheetOf(page, '11X2')).students[2]?.marks).toEqual({ sum: 2, count: 1 });
  // The keys are told by a key.
  await cellOf(page, third ?? '', 2).click();
  await page.keyboard.press('?');
  await page.getByText('find a student', { exact: true }).waitFor();
  expect(await brokenRules(page)).toEqual([]);
});
