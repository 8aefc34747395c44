import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { brokenRules } from '../axe.ts';
import { hasFocus, pressEnter } from '../keyboard.ts';
import { reads } from '../looks.ts';
import { marktrailInBrowser } from '../marktrail.ts';

/** The demo school as its users get it: three assessments of 11X1, of which students have entered marks too. */
const marktrail = marktrailInBrowser({ past: true });
const EXAM = 'Written examination';

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
  const page = await marktrail.person('teacher1@demo.example', { at: '/teacher?year=11&set=11X1' });
  const { all, ofClass } = totals();
  expect([all.length, ofClass.length, percent(all).toFixed(4)]).toEqual([729, 30, '65.1314']);
  const card = page.getByRole('region', { name: 'Assessments', exact: true }).getByRole('listitem').filter({ hasText: EXAM });
  const mean = card.getByRole('button', { name: /^Class mean/ });
  await expect.poll(() => mean.innerText()).toContain(`Class mean ${percent(ofClass).toFixed(1)} %`);
  await expect.poll(() => mean.innerText()).toContain('all 729 students 65.1 %');
  await pressEnter(mean);
  const shown = page.locator('dialog[open]');
  await shown.getByText(`mean ${percent(ofClass).toFixed(4)} % of 30 students`).waitFor();
  await shown.getByText('mean 65.1314 % of 729 students').waitFor();
  await shown.getByText(/everything up to position [\d,]+ of the log/).waitFor();
  await pressEnter(shown.getByRole('button', { name: 'See the totals behind it' }));
  await hasFocus(shown.getByRole('heading', { name: `Totals of 11X1 – ${EXAM}` }));
  const sophies = shown.getByRole('button', { name: '20: who entered it, Edwards, Sophie' });
  await pressEnter(sophies);
  await shown.getByText(/uploaded totals_upload.csv/).waitFor();
  await pressEnter(shown.getByRole('button', { name: /^← Back to Totals/ }));
  await sophies.waitFor();
  await page.keyboard.press('Escape');
  await hasFocus(mean);

  // A topic that nobody was asked about itself says so, and names the pre-requisite.
  const topic = page.getByRole('list', { name: 'Topics of the class' }).getByRole('button', { name: /^77, green Fractions and decimals/ });
  await reads(topic, /predicted from 1 question/);
  await pressEnter(topic);
  await shown.getByText(/^100 × \d+ ÷ \d+ = 77\.\d{4}, cut to 77: green$/).waitFor();
  await shown.getByText('the value comes from its pre-requisites alone').waitFor();
  await pressEnter(shown.getByRole('button', { name: 'Q1 Fractions and decimals' }));
  await shown.getByRole('columnheader', { name: 'Mark of 4' }).waitFor();
  await page.keyboard.press('Escape');
  await hasFocus(topic);
  expect(await brokenRules(page)).toEqual([]);

  // The predictors begin with five students a page; another choice is remembered.
  await page.goto('/teacher/predictors?set=11X1');
  const students = page.getByRole('region', { name: 'Topics by student' }).locator('tbody tr');
  await expect.poll(() => students.count()).toBe(5);
  await page.getByLabel('Rows a page').selectOption('15');
  await expect.poll(() => students.count()).toBe(15);
  await page.reload();
  await expect.poll(() => students.count()).toBe(15);
});
