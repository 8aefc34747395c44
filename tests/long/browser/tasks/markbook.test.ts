import { expect, test } from 'vitest';
import { hasFocus } from '../../../browser/keyboard.ts';
import { marktrailInBrowser } from '../../../browser/marktrail.ts';
import { downloadBy } from '../../../browser/shared-browser.ts';
import { mockRanking } from '../../../browser/tasks/mock-ranking.ts';
import { readExcel, rowsOf, rowWith } from '../../../support/excel.ts';

/** Of a task that the demo school has not, beside its own two. */
const marktrail = marktrailInBrowser({ past: true });
const BANDS = new Map([
  ['CFE8B4', 'green'],
  ['FFE2A8', 'amber'],
  ['F9C9C1', 'red'],
]);

test('the markbook says from which task its ranking is, offers the others, and is an Excel file of what the screen shows', async () => {
  const leader = await marktrail.signedIn('leader@demo.example');
  const { ranked, checked, graded } = await mockRanking(leader.request, 'Mock ranking');
  await ranked();
  await checked();
  await graded();
  await leader.goto('/leader/markbook?year=11');
  const grid = leader.getByRole('grid', { name: /^Markbook of year 11/ });
  const rowsShown = async () => {
    await grid.getByRole('row').nth(15).waitFor();
    return Number(await grid.getAttribute('aria-rowcount'));
  };
  const all = await rowsShown();
  await leader.getByText(/^\d\d\/\d\d\/\d{4}, \d\d:\d\d, over \d+ students of 11X1 and 11Y1$/).waitFor();
  await leader.goto('/leader/markbook?year=11&set=11X1');
  const rows = await rowsShown();
  expect(rows).toBeLessThan(all);

  // A score says how it came about.
  const scored = grid.getByTitle('How it came about').first();
  await scored.press('Enter');
  await leader
    .getByRole('dialog', { name: /^Score of / })
    .getByText('Weight × (z + 3)')
    .waitFor();
  await leader.keyboard.press('Escape');
  await hasFocus(scored);
  const shownRanking = leader.getByLabel('Ranking of');
  await expect.poll(() => shownRanking.locator('option').allTextContents()).toEqual(['Mock ranking', 'Winter ranking', 'Autumn ranking']);
  await shownRanking.selectOption('Autumn ranking');
  await leader.getByText(/, over 180 students of 11X1, 11X2, 11X3 and 3 more$/).waitFor();
  await shownRanking.selectOption('Mock ranking');
  await leader.getByText(/ of 11X1 and 11Y1$/).waitFor();

  const { name, file } = await downloadBy(leader.getByRole('button', { name: 'Download to Excel' }));
  expect(name).toMatch(/^Markbook Mathematics 11X1 \d{4}-\d\d-\d\d\.xlsx$/);
  const sheets = readExcel(file);
  expect([...sheets.keys()]).toEqual(['11X1', 'About']);
  expect(rowsOf(sheets.get('11X1'))).toHaveLength(rows);
  const about = (what: string) => rowWith(sheets.get('About'), what).map(({ value }) => value);
  expect([about('Feedback task'), about('Formula')]).toEqual([
    ['Feedback task', 'Mock ranking'],
    ['Formula', 'R3'],
  ]);
  const shown = await grid.locator('tbody tr').evaluateAll((lines) =>
    lines.map((row) => ({
      id: row.querySelector('th')?.title ?? '',
      bands: [...row.querySelectorAll<HTMLElement>('td[data-band]')].map(
        (cell) => `${Number.parseFloat(cell.innerText)} ${cell.dataset['band']}`,
      ),
    })),
  );
  expect(shown.flatMap(({ bands }) => bands).length).toBeGreaterThan(15);
  for (const { id, bands } of shown) {
    const ofFile = rowWith(sheets.get('11X1'), id).filter(({ fill }) => fill);
    expect([id, ...ofFile.map(({ value, fill }) => `${value} ${BANDS.get(fill ?? '')}`)]).toEqual([id, ...bands]);
  }
});
