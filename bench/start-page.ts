/** How soon the start page and the log-in can be used: the size of the script in its first load, and the time on a slow phone and connection. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { root } from '../run/apps.ts';
import { openBrowser } from './browser.ts';
import { type Figure, median, plain } from './figures.ts';
import type { Server } from './processes.ts';

type Line = { readonly called: string; readonly latency: number; readonly bitsPerSecond: number };

/** A cheap phone: a processor slowed down four times. */
const SLOWER = 4;
/** Slow 4G as in Lighthouse: each response takes an additional round trip of 150 ms. */
const SLOW_4G: Line = { called: 'slow 4G (150 ms, 1.6 Mbit/s)', latency: 150, bitsPerSecond: 1.6e6 };
/** Slow 4G as in the browser's own tools: each response takes 3.75 additional round trips, as if it needed a new connection. */
const SLOWER_4G: Line = { called: "slow 4G of the browser's tools (563 ms, 1.44 Mbit/s)", latency: 562.5, bitsPerSecond: 1.44e6 };

export const startPageFigures = async (product: Server, visits: number): Promise<Figure[]> => {
  const browser = await openBrowser('start-page');
  if (!browser) return [];
  const figures: Figure[] = [];
  const most = { is: '<=', than: 2 } as const;
  try {
    for (const line of [SLOW_4G, SLOWER_4G]) {
      const start = await visitsTo(browser, `${product.url}/`, line, visits, async (page) => {
        await page.getByRole('link', { name: 'Log in', exact: true }).waitFor();
        const seen = await page.evaluate<number>(NOW);
        // The cookie banner is rendered by the script only: once it is visible, hydration is complete.
        await page.getByRole('button', { name: 'Accept', exact: true }).waitFor();
        return { seen, used: await page.evaluate<number>(IDLE), scripts: await page.evaluate<string[]>(SCRIPTS) };
      });
      const logIn = await visitsTo(browser, `${product.url}/login`, line, visits, async (page) => {
        await page.getByRole('button', { name: 'Login', exact: true }).waitFor();
        return { used: await page.evaluate<number>(IDLE) };
      });
      if (line === SLOW_4G) {
        const scripts = median(start.map((visit) => gzipped(visit.scripts)));
        figures.push(plain('start page: kB of JavaScript that / takes at first load, gzipped', scripts, { is: '<=', than: 85 }));
      }
      const on = `${line.called}, 4x slower processor`;
      figures.push(
        plain(`start page: s until / is read and its links can be followed, ${on}`, median(start.map(({ seen }) => seen)) / 1000),
        plain(`start page: s until all of / can be used, ${on}`, median(start.map(({ used }) => used)) / 1000, most),
        plain(`start page: s until /login can be used, ${on}`, median(logIn.map(({ used }) => used)) / 1000, most),
      );
    }
    return figures;
  } finally {
    await browser.close();
  }
};

/** Evaluated in the page: ms since the navigation started; the same once the page is idle; the addresses of its scripts. */
const NOW = 'performance.now()';
const IDLE = 'new Promise((idle) => requestIdleCallback(() => idle(performance.now())))';
const SCRIPTS = `performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname).filter((path) => path.endsWith('.js'))`;

/** Gzipped size of files in dist/, in kB. */
const gzipped = (paths: readonly string[]): number => {
  if (paths.length === 0) throw new Error('The page has asked for no script.');
  return paths.reduce((sum, path) => sum + gzipSync(readFileSync(join(root, 'dist', path))).length, 0) / 1000;
};

/** The results of `look` for several visitors, each with an empty cache. */
const visitsTo = async <Seen>(
  browser: Browser,
  url: string,
  { latency, bitsPerSecond }: Line,
  visits: number,
  look: (page: Page) => Promise<Seen>,
): Promise<Seen[]> => {
  const seen: Seen[] = [];
  for (let visit = 0; visit < visits; visit++) {
    const context = await browser.newContext({ viewport: { width: 390, height: 800 }, isMobile: true, hasTouch: true });
    context.setDefaultTimeout(120_000);
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency,
      downloadThroughput: bitsPerSecond / 8,
      uploadThroughput: 750e3 / 8,
    });
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
    await page.goto(url, { waitUntil: 'commit' });
    seen.push(await look(page));
    await context.close();
  }
  return seen;
};
