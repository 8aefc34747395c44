import { expect, test } from 'vitest';
import { hasFocus } from '../../../browser/keyboard.ts';
import { marktrailInBrowser } from '../../../browser/marktrail.ts';
import { mockRanking } from '../../../browser/tasks/mock-ranking.ts';

/** Of a task that the demo school has not, beside its own two. */
const marktrail = marktrailInBrowser({ past: true });

test('the markbook says from which task its ranking is, and offers the others', async () => {
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
  await leader.getByText(/^\d\d\/\d\d\/\d{4}, over \d+ students of 11X1 and 11Y1$/).waitFor();
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
});
