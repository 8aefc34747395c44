/** How soon a class is in sight: its markbook opened and opened again, another class chosen, and the first visit on a slow phone's connection. */
import type { Browser } from 'playwright-core';
import { openBrowser } from './browser.ts';
import { millisecondsOf } from './processor-time.ts';
import { type Figure, median, plain } from './figures.ts';
import type { Server } from './processes.ts';
import { type School, signIn } from './school.ts';
import { signedInPage } from './signed-in.ts';
import { typedTotalsFigures } from './typed-totals.ts';

export const openingFigures = async (product: Server, school: School, visits: number): Promise<Figure[]> => {
  const browser = await openBrowser('opening');
  if (!browser) return [];
  try {
    const cookie = await signIn(product.url, school.readers[2]!);
    const opened = await opensOf(browser, product.url, cookie, visits);
    const cold = await coldOpening(browser, product.url, cookie);
    return [
      plain(
        'opening a class in a browser that knows the app, in a new process: ms until its students are drawn',
        median(opened.map(({ first }) => first)),
        { is: '<=', than: 560 },
      ),
      plain('the same again in the same process: ms until its students are drawn', median(opened.map(({ again }) => again)), {
        is: '<=',
        than: 200,
      }),
      plain(
        'the same: ms of processors, of browser, server and database, until nothing more comes',
        median(opened.map(({ spent }) => spent)),
      ),
      plain('another class: ms from choosing it until its students are drawn', median(opened.map(({ other }) => other)), {
        is: '<=',
        than: 200,
      }),
      plain('opening a class: answers of the server after one another', median(opened.map(({ steps }) => steps)), { is: '<=', than: 2 }),
      plain('opening a class for the first time, slow 4G (150 ms, 1.6 Mbit/s): s until its students are drawn', cold.drawn / 1000, {
        is: '<=',
        than: 1.75,
      }),
      plain('the same: requests until then', cold.requests, { is: '<=', than: 10 }),
      plain('the same: kB until then', cold.kilobytes, { is: '<=', than: 150 }),
      ...(await typedTotalsFigures(browser, product.url, cookie, visits)),
    ];
  } finally {
    await browser.close();
  }
};

/** `spent`: ms of processors for `again`. */
type Opened = {
  readonly first: number;
  readonly again: number;
  readonly spent: number;
  readonly other: number;
  readonly steps: number;
};
type Cold = { readonly drawn: number; readonly requests: number; readonly kilobytes: number };

const opensOf = async (browser: Browser, url: string, cookie: string, visits: number): Promise<Opened[]> => {
  const page = await signedInPage(browser, url, cookie);
  const opened: Opened[] = [];
  // The first visit fills the browser's cache.
  for (let visit = 0; visit <= visits; visit++) {
    await page.goto('about:blank');
    await page.goto(url + CLASS, { waitUntil: 'commit' });
    const first = await page.evaluate<number>(drawn('Student 0'));
    const steps = await page.evaluate<number>(STEPS);
    await page.waitForTimeout(SETTLED);
    const before = millisecondsOf([process.pid]);
    await page.reload({ waitUntil: 'commit' });
    const again = await page.evaluate<number>(drawn('Student 0'));
    await page.waitForTimeout(SETTLED);
    const spent = millisecondsOf([process.pid]) - before;
    const since = await page.evaluate<number>('performance.now()');
    const other = page.evaluate<number>(drawn('Student 30'));
    await page.getByRole('combobox', { name: 'Set' }).selectOption('11X1');
    if (visit > 0) opened.push({ first, again, spent, other: (await other) - since, steps });
    else await other;
    await page.waitForTimeout(SETTLED);
  }
  await page.context().close();
  return opened;
};

const coldOpening = async (browser: Browser, url: string, cookie: string): Promise<Cold> => {
  const page = await signedInPage(browser, url, cookie);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: 200e3,
    uploadThroughput: 94e3,
  });
  await page.goto(url + CLASS, { waitUntil: 'commit' });
  const at = await page.evaluate<number>(drawn('Student 0'));
  const { requests, bytes } = await page.evaluate<{ requests: number; bytes: number }>(LOADED);
  await page.context().close();
  return { drawn: at, requests, kilobytes: bytes / 1000 };
};

const CLASS = '/teacher/markbook?year=11&set=11X0';
/** ms after which nothing more is on its way */
const SETTLED = 1_500;

/** Evaluated in the page: ms from the navigation to the frame in which the student's row is there. */
const drawn = (name: string): string => `new Promise((resolve) => {
  const look = () => [...document.querySelectorAll('tbody tr')].some((row) => row.cells[0]?.textContent.trim().startsWith(${JSON.stringify(name)}))
    ? resolve(performance.now()) : requestAnimationFrame(look);
  look();
})`;

/** Evaluated in the page: how many answers of the API each began after the one before had ended, until now. */
const STEPS = `(() => {
  const asked = performance.getEntriesByType('resource').filter(({ name, initiatorType, responseEnd }) => initiatorType === 'fetch' && responseEnd > 0).sort((a, b) => a.startTime - b.startTime);
  let steps = 0;
  let end = 0;
  for (const { startTime, responseEnd } of asked) if (startTime >= end) { steps += 1; end = responseEnd; }
  return steps;
})()`;

/** Evaluated in the page: what has come of it so far, the document among it. */
const LOADED = `(() => {
  const come = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].filter(({ responseEnd }) => responseEnd > 0);
  return { requests: come.length, bytes: come.reduce((sum, { transferSize }) => sum + transferSize, 0) };
})()`;
