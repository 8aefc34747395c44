import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { brokenOnAnyScreen } from '../axe.ts';
import { hasFocus, pressEnter } from '../keyboard.ts';
import { marktrailInBrowser } from '../marktrail.ts';

/** The demo school as its users get it: three assessments of 11X1, of which students have entered marks too. */
const marktrail = marktrailInBrowser({ past: true });
const HOME = '/teacher?year=11&set=11X1';
const EXAM = 'Written examination';
const HIGHER = 'Winter assessment, Higher (simulated)';

const card = (page: Page, name: string): Locator =>
  page.getByRole('region', { name: 'Assessments', exact: true }).getByRole('listitem').filter({ hasText: name });
const shown = (page: Page): Locator => page.locator('dialog[open]');
const listed = (page: Page, list: 'Strengths' | 'Weaknesses', name: string): Promise<string[]> =>
  page
    .getByRole('region', { name: `${list}, ${name}` })
    .getByRole('listitem')
    .allInnerTexts();

/** The totals of the examination: of everybody, and of 11X1. */
const totals = (): { all: number[]; ofClass: number[] } => {
  const lines = (file: string) =>
    readFileSync(new URL(`../../data/mathexam/${file}`, import.meta.url), 'utf8')
      .trim()
      .split(/\r?\n/u);
  const own = new Set(lines('student_upload.csv').flatMap((line) => (/\b11X1\b/u.test(line) ? [line.split(',')[0]] : [])));
  const rows = lines('totals_upload.csv')
    .slice(1)
    .map((line) => ({ id: line.split(',')[0], total: Number(/",(\d+),/u.exec(line)?.[1]) }));
  return { all: rows.map(({ total }) => total), ofClass: rows.flatMap(({ id, total }) => (own.has(id) ? [total] : [])) };
};
const percent = (values: readonly number[]): number => (100 * values.reduce((sum, value) => sum + value, 0)) / values.length / 26;

test('a class sees how it did beside all students, and each figure opens what it rests on, down to a mark and who entered it', async () => {
  const page = await marktrail.person('teacher1@demo.example', { at: HOME });
  const { all, ofClass } = totals();
  expect([all.length, ofClass.length, percent(all).toFixed(4)]).toEqual([729, 30, '65.1314']);
  const mean = card(page, EXAM).getByRole('button', { name: /^Class mean/ });
  await expect.poll(() => mean.innerText()).toContain(`Class mean ${percent(ofClass).toFixed(1)} %`);
  expect(await mean.innerText()).toContain('all 729 students 65.1 %');
  await mean.click();
  await shown(page)
    .getByText(`mean ${percent(ofClass).toFixed(4)} % of 30 students`)
    .waitFor();
  await shown(page).getByText('mean 65.1314 % of 729 students').waitFor();
  await shown(page)
    .getByText(/everything up to position [\d,]+ of the log/)
    .waitFor();
  await shown(page).getByRole('button', { name: 'See the totals behind it' }).click();
  await hasFocus(shown(page).getByRole('heading', { name: `Totals of 11X1 – ${EXAM}` }));
  await shown(page).getByRole('button', { name: '20: who entered it, Edwards, Sophie' }).click();
  await shown(page)
    .getByText(/uploaded totals_upload.csv/)
    .waitFor();
  await shown(page)
    .getByRole('button', { name: /^← Back to Totals/ })
    .click();
  await shown(page).getByRole('button', { name: '20: who entered it, Edwards, Sophie' }).waitFor();
  await page.keyboard.press('Escape');
  await hasFocus(mean);

  // Against all students, and alone: the order follows the switch, and the address keeps it.
  const signed = (entries: readonly string[]) => entries.map((text) => Number(/[+−]([\d.]+)$/u.exec(text.trim())?.[0].replace('−', '-')));
  const compared = signed(await listed(page, 'Strengths', HIGHER));
  expect(compared).toHaveLength(4);
  expect(compared).toEqual(compared.toSorted((a, b) => b - a));
  await page.getByRole('radio', { name: 'Class only' }).check({ force: true });
  await expect.poll(() => page.url()).toContain('compare=class');
  const percentages = (await listed(page, 'Strengths', HIGHER)).map((text) => Number(/([\d.]+) %/u.exec(text)?.[1]));
  expect(percentages).toEqual(percentages.toSorted((a, b) => b - a));
  await page.getByRole('radio', { name: 'All students' }).check({ force: true });

  // A topic that nobody was asked about itself says so, and names the pre-requisite.
  const topic = page.getByRole('list', { name: 'Topics of the class' }).getByRole('button', { name: /^77, green Fractions and decimals/ });
  await topic.getByText('predicted from 1 question').waitFor();
  await topic.click();
  await shown(page)
    .getByText(/^100 × \d+ ÷ \d+ = 77\.\d{4}, cut to 77: green$/)
    .waitFor();
  await shown(page).getByText('the value comes from its pre-requisites alone').waitFor();
  await shown(page).getByRole('button', { name: 'Q1 Fractions and decimals' }).click();
  await shown(page).getByRole('columnheader', { name: 'Mark of 4' }).waitFor();
  await page.keyboard.press('Escape');
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
  expect(await heading.count()).toBe(0);
  await page.getByRole('checkbox', { name: 'More beside the residual' }).check();
  await heading.waitFor();
  await page.reload();
  await heading.waitFor();
  await page.getByText(/this cohort, not national\.$/).waitFor();
  await heading.getByRole('button').click();
  const residuals = grid.locator('td[data-of=regression]');
  await expect.poll(() => residuals.first().innerText()).toMatch(/^[+−]\d+\.\d$/);
  const values = (await residuals.allInnerTexts()).flatMap((text) => (text === '' ? [] : [Number(text.replace('−', '-'))]));
  expect(values).toEqual(values.toSorted((a, b) => b - a));
  expect(await grid.locator('td[data-of=class]').first().innerText()).toMatch(/^[+−]\d+\.\d \([+−]\d+\.\d to [+−]\d+\.\d\)/);
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
  expect(await table.getByRole('rowheader').count()).toBe(5);
  await page.getByText('1–5 of 30').waitFor();
  // On paper the menus are gone, and no topic is cut off.
  await page.emulateMedia({ media: 'print' });
  await page.getByRole('link', { name: 'Skip to the page' }).waitFor({ state: 'hidden' });
  expect(await page.getByRole('link', { name: 'Markbook' }).count()).toBe(0);
  expect(await table.evaluate((region) => getComputedStyle(region).overflowX)).toBe('visible');
  await page.emulateMedia({ media: null });
  const value = table.getByRole('button', { name: '75, green: Clarke, Poppy, Fractions and decimals' });
  await value.press('Enter');
  await shown(page).getByText('100 × 3 ÷ 4 = 75.0000, cut to 75: green').waitFor();
  const row = shown(page).getByRole('row', { name: /^Q1 Fractions and decimals/ });
  expect(await row.innerText()).toContain('through Adding and subtracting fractions');
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
  expect(
    await card(page, EXAM)
      .getByRole('button', { name: /^Class mean/ })
      .count(),
  ).toBe(0);
  expect(await page.getByRole('button', { name: /Upload|Enter marks|Check the|Undo/ }).count()).toBe(0);
  await card(page, 'Autumn assessment').getByRole('link', { name: 'Question marks' }).click();
  await page
    .getByRole('region', { name: /^Marks of Autumn assessment.* at that moment$/ })
    .getByRole('rowheader')
    .first()
    .waitFor();
  await page.getByText(/^As it was on/).waitFor();
  expect(await page.getByRole('textbox').count()).toBe(0);
});
