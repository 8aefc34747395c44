import { expect, test } from 'vitest';
import { brokenRules } from '../axe.ts';
import { reads } from '../looks.ts';
import { marktrailInBrowser } from '../marktrail.ts';

const marktrail = marktrailInBrowser();

test('a slider goes through every change by keyboard; the change is said and marked, two moments are compared, and a change leads to its moment', async () => {
  const page = await marktrail.signedIn('leader@demo.example');
  await page.goto('/leader/markbook?year=11');
  await page.getByRole('link', { name: 'Replay' }).click();
  const slider = page.getByRole('slider', { name: 'Change' });
  const said = page.getByRole('region', { name: 'Replay' }).getByRole('status');
  await slider.focus();
  await page.keyboard.press('Home');
  await said.getByText('Before the first change.').waitFor();
  await page.keyboard.press('End');
  await page.getByText(/^(\d+) of \1$/u).waitFor();
  await page.locator('td[data-changed]').first().waitFor();
  await page.keyboard.press('ArrowLeft');
  await page.locator('td[data-changed]').waitFor({ state: 'detached' });
  await reads(said, /chose the assessments of a class/u);
  expect(await brokenRules(page, { serious: true })).toEqual([]);

  await page.waitForURL(/[?&]step=/u);
  await page.reload();
  await reads(said, /chose the assessments of a class/u);

  await page.getByRole('button', { name: 'Compare' }).click();
  const moved = page.getByRole('region', { name: 'Two moments' });
  await moved.getByText(/^Between .* and now/u).waitFor();
  expect(await brokenRules(page, { serious: true })).toEqual([]);

  await page.getByRole('link', { name: 'Open this moment' }).click();
  await page.getByText('As it was on').waitFor();
});
