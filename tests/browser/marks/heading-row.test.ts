import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { hasFocus } from '../keyboard.ts';
import { marktrailInBrowser } from '../marktrail.ts';
import { openSheet, sheetOf } from '../sheet.ts';

const marktrail = marktrailInBrowser();

/** Whether its middle is what one sees there, and not what lies above it. */
const isSeen = (one: Locator): Promise<boolean> =>
  one.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  });

test('in the last cell of a large class one still sees the head of its question, the name of its student and the mean', async () => {
  const page = await marktrail.signedIn('teacher1@demo.example', { viewport: { width: 768, height: 640 } });
  await openSheet(page, '11X2');
  const { students, questions } = await sheetOf(page, '11X2');
  const [row, column] = [students.length - 1, questions.length - 1];
  const at = (of: number, question: number) => page.locator(`[data-row="${of}"][data-column="${question}"]`);
  const last = at(row, column).getByRole('textbox');
  const heads = [
    page.getByRole('columnheader', { name: new RegExp(`^Q${column + 1}\\b`) }),
    page.getByRole('rowheader', { name: students[row]?.name ?? '' }),
    page.getByRole('row', { name: /^Mean/ }).getByRole('rowheader'),
  ];
  await hasFocus(at(0, 0).getByRole('textbox'));
  await page.keyboard.press('Control+End');
  await hasFocus(last);
  await expect.poll(() => Promise.all([last, ...heads].map(isSeen))).toEqual([true, true, true, true]);
  // It has gone far down and to the right.
  for (const gone of [at(0, column), at(row, 0)])
    await expect.poll(async () => (await gone.count()) > 0 && (await isSeen(gone))).toBe(false);
});
