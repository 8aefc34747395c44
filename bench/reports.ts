/** (r) Reports of a class, made in the browser: from the click to the file. */
import type { Browser, Page } from 'playwright-core';
import { openBackend } from '../run/backend.ts';
import { readSettings } from '../run/settings.ts';
import { openBrowser } from './browser.ts';
import { type Figure, median, plain } from './figures.ts';
import { startProduct } from './processes.ts';
import { signIn } from './school.ts';
import { signedInPage } from './signed-in.ts';
import { buildTaught, type TaughtSchool } from './taught.ts';

/** @param databaseUrl a migrated database with an empty log */
export const reportsFigures = async (databaseUrl: string, dataDir: string, rounds: number, tests: number): Promise<Figure[]> => {
  const backend = await openBackend({ ...readSettings({ DATA_DIR: dataDir }), databaseUrl, tell: () => undefined });
  let school: TaughtSchool;
  try {
    school = await buildTaught(backend, { sets: 1, students: 30, tests, questions: 13 }, 0);
  } finally {
    await backend.close();
  }
  const product = await startProduct(databaseUrl, dataDir, { apps: true });
  const browser = await openBrowser('reports');
  try {
    return browser ? await made(browser, product.url, await signIn(product.url, school.leader), rounds, tests) : [];
  } finally {
    await browser?.close();
    await product.stop();
  }
};

const made = async (browser: Browser, url: string, cookie: string, rounds: number, tests: number): Promise<Figure[]> => {
  const page = await signedInPage(browser, url, cookie);
  page.setDefaultTimeout(120_000);
  await page.goto(`${url}/leader?year=11&set=11X0`);
  const students = await downloads(page, 'Student reports', rounds);
  const workbook = await downloads(page, 'Class report', rounds);
  return [
    plain('30 student reports in one file: s from the click to the file', median(students.map(({ ms }) => ms)) / 1000, {
      is: '<=',
      than: 5,
    }),
    plain('30 student reports in one file: MB', median(students.map(({ bytes }) => bytes)) / 1e6, { is: '<=', than: 3 }),
    plain(
      `class report of 30 students and ${tests} assessments: s from the click to the file, with what it asks the server for`,
      median(workbook.map(({ ms }) => ms)) / 1000,
      { is: '<=', than: 2 },
    ),
  ];
};

const downloads = async (page: Page, report: string, rounds: number): Promise<{ readonly ms: number; readonly bytes: number }[]> => {
  await page.getByRole('button', { name: report, exact: true }).click();
  const button = page.getByRole('dialog').getByRole('button', { name: 'Download' });
  const times: { ms: number; bytes: number }[] = [];
  for (let round = 0; round <= rounds; round++) {
    const start = performance.now();
    const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
    const ms = performance.now() - start;
    let bytes = 0;
    for await (const part of await download.createReadStream()) bytes += (part as Buffer).length;
    // The first one loads what makes it.
    if (round > 0) times.push({ ms, bytes });
  }
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  return times;
};
