import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { brokenOnAnyScreen } from '../axe.ts';
import { hasFocus, pressEnter } from '../keyboard.ts';
import { dialogOf, marktrailInBrowser, previewTotals, totalsOf } from '../marktrail.ts';
import { downloaded } from '../shared-browser.ts';
import { readExcel, rowWith } from '../../support/excel.ts';

const marktrail = marktrailInBrowser();
const TOTALS = 'Upload Student Assessment Totals';
const SHOW = 'Show an earlier moment';

const upload = async (page: Page, total: number): Promise<void> => {
  await previewTotals(page, totalsOf([['M0001', 'Edwards, Sophie', total]]));
  const dialog = dialogOf(page, TOTALS);
  await dialog.getByRole('button', { name: 'Commit to DB' }).click();
  await dialog.getByText('1 total stored.').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
};

const sophies = async (page: Page): Promise<string> => (await page.getByRole('row', { name: /Edwards, Sophie/ }).innerText()).trim();
const chosen = (page: Page) => page.getByRole('button', { name: /choose the moment to show/ });

/** The address of the markbook at this very moment. */
const markbookAsOf = (moment: Date): string => `/leader/markbook?find=Edwards%2C+Sophie&asOf=${moment.toISOString()}`;

/** Whatever is done after it has a later time. */
const now = async (): Promise<Date> => {
  const moment = new Date();
  while (Date.now() === moment.getTime()) await new Promise(setImmediate);
  return moment;
};

test('a leader looks at the markbook of an earlier moment, where nothing can be changed, and comes back', async () => {
  const page = await marktrail.person('leader@demo.example', { at: '/leader/markbook?find=Edwards%2C+Sophie' });
  await page.getByRole('row', { name: /Edwards, Sophie.*20/ }).waitFor();
  const before = await now();
  await upload(page, 13);
  await page.getByRole('row', { name: /Edwards, Sophie.*13/ }).waitFor();

  await page.goto(markbookAsOf(before));
  await page.getByText(/^As it was on/).waitFor();
  await page.getByRole('row', { name: /Edwards, Sophie.*20/ }).waitFor();
  expect(await page.getByRole('button', { name: /Upload/ }).count()).toBe(0);
  expect(await page.getByText('Live', { exact: true }).count()).toBe(0);
  await page
    .getByRole('row', { name: /Edwards, Sophie/ })
    .getByText('20')
    .click();
  const history = page.getByRole('dialog', { name: /Edwards, Sophie/ });
  await history.getByRole('heading', { name: 'History' }).waitFor();
  expect((await history.innerText()).split('\n')).not.toContain('13');
  await history.getByRole('button', { name: 'Close' }).click();
  await page.reload();
  await page.getByRole('row', { name: /Edwards, Sophie.*20/ }).waitFor();

  // The Excel file is of that moment too, and says so.
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download to Excel' }).click()]);
  const sheets = readExcel(await downloaded(download));
  expect(rowWith(sheets.get('Year 11'), 'Edwards, Sophie').at(-1)?.value).toBe(20);
  const [, asOf] = rowWith(sheets.get('About'), 'As of');
  await page.getByText(`As it was on ${asOf?.value}`).waitFor();

  await page.getByRole('button', { name: 'Back to now' }).click();
  await page.getByRole('row', { name: /Edwards, Sophie.*13/ }).waitFor();
  await page.getByText(/^As it was on/).waitFor({ state: 'detached' });
  await page.goBack();
  await page.getByRole('row', { name: /Edwards, Sophie.*20/ }).waitFor();

  // The other pages show the same moment, until one goes back to now.
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click();
  await page.getByRole('link', { name: 'Show Markbook' }).first().click();
  await page.getByRole('row', { name: /Adeyemi, Anh/ }).waitFor();
  await page.getByText(`As it was on ${asOf?.value}`).waitFor();
});

test('what a colleague does now does not show in an earlier moment', async () => {
  const [reader, writer] = [await marktrail.signedIn('leader@demo.example'), await marktrail.signedIn('leader@demo.example')];
  await writer.goto('/leader/markbook?find=Edwards%2C+Sophie');
  await upload(writer, 15);
  await reader.goto(markbookAsOf(await now()));
  await reader.getByRole('row', { name: /Edwards, Sophie.*15/ }).waitFor();
  await upload(writer, 16);
  await writer.getByRole('row', { name: /Edwards, Sophie.*16/ }).waitFor();
  expect(await sophies(reader)).toMatch(/15/);
});

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
  await expect.poll(() => chosen(page).innerText()).toContain('02/03/2020, 09:30');
  await pressEnter(page.getByRole('button', { name: 'Back to now' }).first());
  await page.getByRole('row', { name: /Adeyemi, Anh/ }).waitFor();

  // So do all pages that can show it.
  for (const at of ['/leader', '/leader/marks', '/leader/predictors']) {
    await page.goto(`${at}?asOf=2020-03-02T09:30:00.000Z`);
    await page.getByText('There was nothing here yet').waitFor();
  }
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
  await chosen(page).scrollIntoViewIfNeeded();
  await chosen(page).click();
  await dialogOf(page, SHOW).waitFor();
  await check('choosing the moment');
  await page.goto('/leader/markbook?asOf=2020-01-01T00:00:00Z');
  await page.getByText('There was nothing here yet').waitFor();
  await check('before the school');
  await page.goto('/leader/markbook');
  await page.getByRole('row', { name: /Adeyemi, Anh/ }).waitFor();
  await check('now');
});
