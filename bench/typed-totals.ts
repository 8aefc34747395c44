/** The totals of a class, typed in the dialog over the markbook: how soon they are stored and shown, and what that costs the browser. */
import type { Browser, Page } from 'playwright-core';
import { type Figure, median, plain } from './figures.ts';
import { HELPERS } from './marks/in-page.ts';
import { CLASSES, STUDENTS } from './school.ts';
import { signedInPage } from './signed-in.ts';

/** `cookie`: of the teacher of the class. */
export const typedTotalsFigures = async (browser: Browser, url: string, cookie: string, times: number): Promise<Figure[]> => {
  const devtools = await browser.newBrowserCDPSession();
  const spent = async (): Promise<number> => {
    const { processInfo } = await devtools.send('SystemInfo.getProcessInfo');
    return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime * 1000, 0);
  };
  const page = await signedInPage(browser, url, cookie);
  await page.goto(`${url}/teacher/markbook?year=11&set=11X0`);
  await page.getByRole('row', { name: /^Student 0\b/ }).waitFor();
  await page.waitForTimeout(SETTLED);
  await page.evaluate(HELPERS);
  const all: { submitted: number; closed: number; processors: number }[] = [];
  // The first one includes just-in-time compilation.
  for (let time = 0; time <= times; time++) {
    const mark = 50 + time;
    await typed(page, mark);
    await page.waitForTimeout(SETTLED);
    const before = await spent();
    const submitted = await page.evaluate<number>(SUBMIT);
    await page.waitForTimeout(SETTLED);
    const closed = await page.evaluate<number>(CLOSE(mark));
    await page.waitForTimeout(SETTLED);
    if (time > 0) all.push({ submitted, closed, processors: (await spent()) - before });
  }
  await page.context().close();
  const what = `${EACH} totals typed over the markbook`;
  return [
    plain(`${what}: ms from Submit until the sheet says that they are stored`, median(all.map(({ submitted }) => submitted)), {
      is: '<=',
      than: 150,
    }),
    plain(`${what}: ms from closing it until the markbook shows them`, median(all.map(({ closed }) => closed)), { is: '<=', than: 100 }),
    plain(`${what}: ms of the browser's processors for both`, median(all.map(({ processors }) => processors)), { is: '<=', than: 350 }),
  ];
};

/** Opens the sheet of the last test, and types the same total for everybody, who had another one. */
const typed = async (page: Page, mark: number): Promise<void> => {
  await page.getByRole('button', { name: 'Upload totals' }).click();
  const dialog = page.getByRole('dialog', { name: 'Upload Student Assessment Totals' });
  await dialog.getByRole('tab', { name: 'Manual Entry' }).click();
  await dialog.getByLabel('Select an assessment').selectOption({ label: `${TEST} (of 150)` });
  await dialog.locator('[data-row="0"][data-column="0"]').click();
  for (let row = 0; row < EACH; row++) {
    await page.keyboard.type(String(mark));
    await page.keyboard.press('ArrowDown');
  }
};

const EACH = STUDENTS / CLASSES;
const TEST = 'Test 12';
/** ms after which nothing more is on its way */
const SETTLED = 1_500;

const SUBMIT = `(async () => {
  const dialog = document.querySelector('dialog[open]');
  const began = bench.now();
  [...dialog.querySelectorAll('button')].find(({ textContent }) => textContent === 'Submit').click();
  return (await bench.until(() => dialog.querySelector('[data-done]') && bench.isStored())) - began;
})()`;

const CLOSE = (mark: number): string => `(async () => {
  const dialog = document.querySelector('dialog[open]');
  const began = bench.now();
  [...dialog.querySelectorAll('button')].find(({ textContent }) => textContent === 'Close').click();
  const table = document.querySelector('table[aria-label^="Markbook"]');
  const column = [...table.tHead.rows[0].cells].findIndex(({ textContent }) => textContent.includes('${TEST}'));
  return (await bench.until(() => !dialog.open && [...table.tBodies[0].rows].every(({ cells }) => parseInt(cells[column].textContent) === ${mark}))) - began;
})()`;
