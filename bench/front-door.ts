/** How soon the front door can be used: the script that its first load takes, and the time on a slow phone with a slow line. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { apps, outputOf } from '../run/apps.ts';
import { launchBrowser } from '../tests/support/browser.ts';
import { type Figure, median, plain } from './figures.ts';
import type { Server } from './processes.ts';

/** Lighthouse's "slow 4G" as Chromium's network applies it, and a processor slowed down four times: a cheap phone. */
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 750e3 / 8 };
const SLOWER = 4;

export const frontDoorFigures = async (product: Server, visits: number): Promise<Figure[]> => {
  const browser = await launchBrowser();
  try {
    const start = await visitsTo(browser, `${product.url}/`, 'link', 'Log in', visits);
    const logIn = await visitsTo(browser, `${product.url}/login`, 'button', 'Login', visits);
    return [
      plain('front door: kB of JavaScript at first load, gzipped', firstScripts(), { is: '<=', than: 85 }),
      plain('front door: s until / can be used, slow 4G (150 ms, 1.6 Mbit/s), 4x slower processor', start, { is: '<=', than: 2 }),
      plain('front door: s until /login can be used, the same', logIn, { is: '<=', than: 2 }),
    ];
  } finally {
    await browser.close();
  }
};

/** In the page: ms since the address was entered, once it has nothing else to do. */
const IDLE = 'new Promise((idle) => requestIdleCallback(() => idle(performance.now())))';

/** What the page itself asks for, before anybody has clicked. */
const firstScripts = (): number => {
  const frontDoor = apps.at(-1);
  if (!frontDoor) throw new Error('There is no front door.');
  const built = outputOf(frontDoor);
  const files = [...readFileSync(join(built, 'index.html'), 'utf8').matchAll(/(?:src|href)="\/[^/"]+\/([^"]+\.js)"/g)];
  if (files.length === 0) throw new Error(`No script is built in ${built}.`);
  return files.reduce((sum, [, file = '']) => sum + gzipSync(readFileSync(join(built, file))).length, 0) / 1000;
};

/**
 * Seconds from the address to the control being there and the page having time for it: the first moment at which an idle turn follows. The
 * median of several visitors, each with an empty cache.
 */
const visitsTo = async (browser: Browser, url: string, role: 'link' | 'button', name: string, visits: number): Promise<number> => {
  const seconds: number[] = [];
  for (let visit = 0; visit < visits; visit++) {
    const context = await browser.newContext({ viewport: { width: 390, height: 800 }, isMobile: true, hasTouch: true });
    context.setDefaultTimeout(120_000);
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', SLOW_4G);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
    await page.goto(url, { waitUntil: 'commit' });
    await page.getByRole(role, { name, exact: true }).waitFor();
    seconds.push((await page.evaluate<number>(IDLE)) / 1000);
    await context.close();
  }
  return median(seconds);
};
