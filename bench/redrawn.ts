/** A page of the markbook in a browser, and when it has drawn a change. */
import type { Browser } from 'playwright-core';
import { openBrowser } from './browser.ts';
import { signedInPage } from './signed-in.ts';

export type Expected = { readonly name: string; readonly is: number };

export type BrowserPage = {
  /** Call it before the save: fulfilled with the time, in ms since 1970, of the first frame in which the student's row has this mark. */
  readonly redrawn: (expected: Expected) => Promise<number>;
  /** What all processes of the browser have used, in ms of processor time. */
  readonly spent: () => Promise<number>;
  readonly close: () => Promise<void>;
};

/** `cookie`: of a teacher's session, as a header. Undefined: there is no browser here. */
export const openInBrowser = async (url: string, cookie: string): Promise<BrowserPage | undefined> => {
  const browser = await openBrowser('live, when one markbook is drawn in a browser');
  return browser && (await openPage(browser, url, cookie));
};

const openPage = async (browser: Browser, url: string, cookie: string): Promise<BrowserPage> => {
  const page = await signedInPage(browser, url, cookie);
  await page.goto(`${url}/teacher/markbook`);
  await page.getByRole('row', { name: /^Student 1\b/ }).waitFor();
  // Its line has opened, and nothing more is on its way.
  await page.waitForLoadState('load');
  await page.waitForTimeout(1_500);
  const session = await browser.newBrowserCDPSession();
  return {
    async spent() {
      const { processInfo } = await session.send('SystemInfo.getProcessInfo');
      return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime * 1000, 0);
    },
    redrawn: (expected) => page.evaluate<number>(REDRAWN(expected)),
    close: () => browser.close(),
  };
};

const REDRAWN = ({ name, is }: Expected): string => `new Promise((resolve) => {
  const isThere = () => [...document.querySelectorAll('tr')].some((row) => row.textContent.startsWith(${JSON.stringify(name)}) &&
    [...row.cells].some((cell) => cell.textContent.trim().startsWith(${JSON.stringify(String(is))})));
  const observer = new MutationObserver(() => {
    if (!isThere()) return;
    observer.disconnect();
    requestAnimationFrame(() => resolve(performance.timeOrigin + performance.now()));
  });
  observer.observe(document.querySelector('table'), { subtree: true, childList: true, characterData: true });
})`;
