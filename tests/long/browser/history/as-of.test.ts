import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { brokenOnAnyScreen } from '../../../browser/axe.ts';
import { hasFocus, pressEnter } from '../../../browser/keyboard.ts';
import { reads } from '../../../browser/looks.ts';
import { dialogOf, marktrailInBrowser } from '../../../browser/marktrail.ts';

const marktrail = marktrailInBrowser();
const SHOW = 'Show an earlier moment';

const chosen = (page: Page) => page.getByRole('button', { name: /choose the moment to show/ });

/** Whatever is done after it has a later time. */
const now = async (): Promise<Date> => {
  const moment = new Date();
  while (Date.now() === moment.getTime()) await new Promise(setImmediate);
  return moment;
};

test('the moment is chosen by keyboard; one that lies in the future is refused, one before the school says so', async () => {
  const page = await marktrail.person('leader@demo.example', { at: '/leader/markbook' });
  await page.getByRole('row', { name: /Adeyemi, Anh/ }).waitFor();
  await chosen(page).focus();
  await page.keyboard.press('Enter');
  const dialog = dialogOf(page, SHOW);
  await dialog.getByLabel('Day').fill('2999-01-01');
  await dialog.getByLabel('Time').press('Enter');
  await dialog.getByText('This moment is in the future: choose one that has passed.').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await hasFocus(chosen(page));

  await page.keyboard.press('Enter');
  await dialog.getByLabel('Day').fill('2020-03-02');
  await dialog.getByLabel('Time').fill('09:30');
  await pressEnter(dialog.getByRole('button', { name: 'Show this moment' }));
  await page.getByText('There was nothing here yet').waitFor();
  await reads(chosen(page), /02\/03\/2020, 09:30/);
  await pressEnter(page.getByRole('button', { name: 'Back to now' }).first());
  await page.getByRole('row', { name: /Adeyemi, Anh/ }).waitFor();
});

test('an earlier moment breaks no rule of accessibility on any screen, and its banner stays in sight', async () => {
  const page = await marktrail.signedIn('leader@demo.example');
  const check = async (room: string): Promise<void> => {
    expect(await brokenOnAnyScreen(page), room).toEqual([]);
  };
  await page.goto(`/leader/markbook?asOf=${(await now()).toISOString()}`);
  await page.getByRole('row', { name: /Adeyemi, Anh/ }).waitFor();
  await check('earlier markbook');
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    // Not by the mouse wheel, which scrolls asynchronously.
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await page.getByText(/^As it was on/).waitFor();
    await expect
      .poll(async () => {
        const box = await page.getByRole('button', { name: 'Back to now' }).boundingBox();
        return box && box.y >= 0 && box.y < 200 && box.x >= 0 && box.x + box.width <= width;
      })
      .toBe(true);
  }
  await check('earlier markbook scrolled');
  await pressEnter(chosen(page));
  await dialogOf(page, SHOW).waitFor();
  await check('choosing the moment');
  await page.goto('/leader/markbook?asOf=2020-01-01T00:00:00Z');
  await page.getByText('There was nothing here yet').waitFor();
  await check('before the school');
  await page.goto('/leader/markbook');
  await page.getByRole('row', { name: /Adeyemi, Anh/ }).waitFor();
  await check('now');
});
