import type { Page } from 'playwright-core';
import { test } from 'vitest';
import { isGone } from './looks.ts';
import { commitTotals, dialogOf, marktrailInBrowser, previewTotals, rowOf, totalsOf } from './marktrail.ts';

const marktrail = marktrailInBrowser();
const TOTALS = 'Upload Student Assessment Totals';

test('two people upload to one class at once: every value survives, and where they disagree both are asked', async () => {
  const [leader, teacher] = await Promise.all([
    marktrail.person('leader@demo.example', { at: '/' }),
    marktrail.person('teacher1@demo.example', { at: '/' }),
  ]);
  // Somebody else looks on.
  const watcher = await marktrail.person('teacher2@demo.example', { at: '/teacher/markbook?year=11&find=Edwards' });
  await rowOf(watcher, 'Edwards, Sophie').waitFor();

  // Both look at the same state, then both commit.
  await previewTotals(
    leader,
    totalsOf([
      ['M0001', 'Edwards, Sophie', 18],
      ['M0002', 'Kowalski, Joseph', 21],
    ]),
  );
  await previewTotals(
    teacher,
    totalsOf([
      ['M0001', 'Edwards, Sophie', 22],
      ['M0003', 'Lee, Kayleigh', 25],
    ]),
  );
  await Promise.all([commitTotals(leader), commitTotals(teacher)]);
  // Whoever came second is told at once.
  const told = (page: Page) => dialogOf(page, TOTALS).getByText('1 cell of the file holds several values.').waitFor();
  await Promise.any([told(leader), told(teacher)]);

  // The watcher's markbook follows by itself.
  await rowOf(watcher, 'Edwards, Sophie').locator('[data-contested]').first().waitFor();

  await leader.goto('/leader/markbook?year=11');
  const find = leader.getByLabel(/Find a student/);
  await find.fill('Kowalski, Joseph');
  await leader.getByRole('row', { name: /Kowalski, Joseph.*21/ }).waitFor();
  await find.fill('Lee, Kayleigh');
  await leader.getByRole('row', { name: /Lee, Kayleigh.*25/ }).waitFor();
  await find.fill('Edwards, Sophie');
  await rowOf(leader, 'Edwards, Sophie').locator('[data-contested]').first().click();
  const history = leader.getByRole('dialog', { name: /Edwards, Sophie/ });
  await history.getByRole('button', { name: 'Use 18' }).waitFor();
  await history.getByRole('button', { name: 'Use 22' }).click();
  await history.getByRole('button', { name: 'Use 22' }).waitFor({ state: 'detached' });
  await leader.keyboard.press('Escape');
  await leader.getByRole('row', { name: /Edwards, Sophie.*22/ }).waitFor();
  // The total may have read 22 before: what was decided shows by the folded corner that goes.
  for (const page of [leader, watcher]) await isGone(rowOf(page, 'Edwards, Sophie').locator('[data-contested]'));
  await rowOf(watcher, 'Edwards, Sophie').getByText('22').waitFor();
});
