import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { brokenOnAnyScreen } from '../../../browser/axe.ts';
import { hasFocus, pressEnter } from '../../../browser/keyboard.ts';
import { counts, isGone, reads } from '../../../browser/looks.ts';
import { marktrailInBrowser } from '../../../browser/marktrail.ts';

/** The demo school as its users get it: three assessments of 11X1, of which students have entered marks too. */
const marktrail = marktrailInBrowser({ past: true });
const HOME = '/teacher?year=11&set=11X1';
const EXAM = 'Written examination';
const HIGHER = 'Winter assessment, Higher (simulated)';

const card = (page: Page, name: string): Locator =>
  page.getByRole('region', { name: 'Assessments', exact: true }).getByRole('listitem').filter({ hasText: name });
const shown = (page: Page): Locator => page.locator('dialog[open]');
const numbers = async (what: Locator, number: RegExp): Promise<number[]> =>
  (await what.allInnerTexts()).flatMap((text) => (text === '' ? [] : [Number(number.exec(text.trim())?.[1]?.replace('−', '-'))]));
const isFalling = (values: readonly number[]): boolean =>
  values.length > 0 && values.every((value, at) => at === 0 || value <= (values[at - 1] ?? 0));

test('strengths are against all students, or of the class alone: the order follows the switch, and the address keeps it', async () => {
  const page = await marktrail.person('teacher1@demo.example', { at: HOME });
  const strengths = page.getByRole('region', { name: `Strengths, ${HIGHER}` }).getByRole('listitem');
  await counts(strengths, 4);
  await expect.poll(async () => isFalling(await numbers(strengths, /([+−][\d.]+)$/u))).toBe(true);
  await page.getByRole('radio', { name: 'Class only' }).check({ force: true });
  await expect.poll(() => page.url()).toContain('compare=class');
  await expect.poll(async () => isFalling(await numbers(strengths, /([\d.]+) %/u))).toBe(true);
  await page.getByRole('radio', { name: 'All students' }).check({ force: true });
  await expect.poll(() => page.url()).not.toContain('compare=class');
  expect(await brokenOnAnyScreen(page)).toEqual([]);
});

test('a mean that rests on a contested total says so, leads to it, and is settled once somebody has decided', async () => {
  const page = await marktrail.person('teacher1@demo.example', { at: HOME });
  await card(page, HIGHER)
    .getByRole('button', { name: /^1 mark with several values/ })
    .click();
  await shown(page)
    .getByRole('button', { name: /^1 mark with several values/ })
    .click();
  const first = shown(page).getByRole('row').nth(1);
  await first.getByText('several values: open it to decide').waitFor();
  await first.getByRole('button').click();
  await shown(page).getByRole('button', { name: /^Use / }).first().click();
  await shown(page).getByRole('button', { name: /^Use / }).first().waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await card(page, HIGHER)
    .getByText(/several values/)
    .first()
    .waitFor({ state: 'detached' });
});

test('home fits a laptop: nothing sticks out to the right', async () => {
  const page = await marktrail.person('teacher1@demo.example', { at: HOME, viewport: { width: 1366, height: 768 } });
  await card(page, EXAM).getByRole('link', { name: 'Question analysis' }).waitFor();
  for (const width of [1366, 1320, 1280, 1024]) {
    await page.setViewportSize({ width, height: 768 });
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  }
});

test('beside the residual: off at first, remembered on the device, sorted, and each opens how it came about', async () => {
  const page = await marktrail.person('teacher1@demo.example', { at: '/teacher/markbook?year=11&set=11X1' });
  const grid = page.getByRole('grid');
  const heading = grid.getByRole('columnheader', { name: /^Regression residual/ });
  await grid.getByRole('columnheader', { name: /^Residual/ }).waitFor();
  await isGone(heading);
  await page.getByRole('checkbox', { name: 'More beside the residual' }).check();
  await heading.waitFor();
  await page.reload();
  await heading.waitFor();
  await page.getByText(/this cohort, not national\.$/).waitFor();
  await heading.getByRole('button').click();
  const residuals = grid.locator('td[data-of=regression]');
  await expect.poll(async () => isFalling(await numbers(residuals, /^([+−]\d+\.\d)$/u))).toBe(true);
  await reads(grid.locator('td[data-of=class]').first(), /^[+−]\d+\.\d \([+−]\d+\.\d to [+−]\d+\.\d\)/);
  await residuals.first().click();
  await shown(page)
    .getByText(/^Regression residual [+−]\d+\.\d{4}: the score minus/)
    .waitFor();
  await page.keyboard.press('Escape');
  expect(await brokenOnAnyScreen(page)).toEqual([]);
});

test('predictors show five students a page, and each value its questions, by hand or through which pre-requisite', async () => {
  const page = await marktrail.person('teacher1@demo.example', { at: HOME });
  await page.getByRole('link', { name: 'Progress predictors' }).click();
  await page.getByRole('heading', { name: '11X1 – Progress predictors' }).waitFor();
  const table = page.getByRole('region', { name: 'Topics by student' });
  await table.getByRole('rowheader', { name: 'Clarke, Poppy' }).waitFor();
  await counts(table.getByRole('rowheader'), 5);
  await page.getByText('1–5 of 30').waitFor();
  // On paper the menus are gone, and no topic is cut off.
  await page.emulateMedia({ media: 'print' });
  await page.getByRole('link', { name: 'Skip to the page' }).waitFor({ state: 'hidden' });
  await isGone(page.getByRole('link', { name: 'Markbook' }));
  await expect.poll(() => table.evaluate((region) => getComputedStyle(region).overflowX)).toBe('visible');
  await page.emulateMedia({ media: null });
  const value = table.getByRole('button', { name: '75, green: Clarke, Poppy, Fractions and decimals' });
  await value.press('Enter');
  await shown(page).getByText('100 × 3 ÷ 4 = 75.0000, cut to 75: green').waitFor();
  const row = shown(page).getByRole('row', { name: /^Q1 Fractions and decimals/ });
  await reads(row, /through Adding and subtracting fractions/);
  await pressEnter(row.getByRole('button'));
  await shown(page).getByRole('heading', { name: 'Who entered it' }).waitFor();
  await page.keyboard.press('Escape');
  await hasFocus(value);
  await page.getByRole('button', { name: 'Next page' }).click();
  await page.getByText('6–10 of 30').waitFor();
  await table.getByRole('rowheader', { name: 'Clarke, Poppy' }).waitFor({ state: 'detached' });
  expect(await brokenOnAnyScreen(page)).toEqual([]);
});

test('at an earlier moment home, predictors and question marks show what was there then, and offer no change', async () => {
  const page = await marktrail.person('teacher1@demo.example', { at: HOME });
  await card(page, EXAM)
    .getByText(/sat on/)
    .waitFor();
  const [, day, month, year] = /sat on (\d\d)\/(\d\d)\/(\d{4})/u.exec(await card(page, EXAM).innerText()) ?? [];
  const before = new Date(`${year}-${month}-${day}T12:00:00.000Z`);
  before.setUTCDate(before.getUTCDate() - 2);
  await page.goto(`${HOME}&asOf=${before.toISOString()}`);
  await page.getByText(/^As it was on/).waitFor();
  await card(page, 'Autumn assessment')
    .getByRole('button', { name: /^Class mean/ })
    .waitFor();
  await isGone(card(page, EXAM).getByRole('button', { name: /^Class mean/ }));
  await isGone(page.getByRole('button', { name: /Upload|Enter question|Check the|Undo/ }));
  await card(page, 'Autumn assessment').getByRole('link', { name: 'Question marks' }).click();
  await page
    .getByRole('region', { name: /^Marks of Autumn assessment.* at that moment$/ })
    .getByRole('rowheader')
    .first()
    .waitFor();
  await page.getByText(/^As it was on/).waitFor();
  await isGone(page.getByRole('textbox'));
});
