/** The browser of the chapters that need one, and what is left out where there is none. */
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../tests/support/browser.ts';

const open = new Set<Browser>();
const missing: string[] = [];

/** Undefined where none starts: `what` is then left out, and the reason said at the end. Close it when done. */
export const openBrowser = async (what: string): Promise<Browser | undefined> => {
  try {
    // Playwright would end this process at once with Ctrl-C, before the database is stopped.
    const browser = await launchBrowser([], { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false });
    open.add(browser);
    browser.once('disconnected', () => open.delete(browser));
    return browser;
  } catch (error) {
    const [why = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    missing.push(`Left out: ${what}. ${why}`);
    return undefined;
  }
};

/** A line for each that was left out, with the reason. */
export const leftOut = (): readonly string[] => missing;

export const closeBrowsers = async (): Promise<void> => {
  await Promise.all([...open].map((browser) => browser.close()));
};
