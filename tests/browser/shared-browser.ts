import { buffer } from 'node:stream/consumers';
import type { Browser, Download, Locator } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';

let browser: Promise<Browser> | undefined;

/**
 * The one browser of a worker, which ends with it. Its pages live for seconds only: the optimising compilers take a tenth of its processor
 * time, and what they have compiled is hardly used.
 */
export const openBrowser = (): Promise<Browser> => {
  browser ??= launched();
  return browser;
};

const launched = async (): Promise<Browser> => {
  const opened = await launchBrowser(['--js-flags=--no-turbofan --no-maglev']);
  return opened.on('disconnected', () => {
    browser = undefined;
  });
};

/** What was downloaded: the browser's own file is out of reach. */
export const downloaded = async (download: Download): Promise<Buffer> => buffer(await download.createReadStream());

/** What is downloaded when the button is pressed. */
export const downloadBy = async (button: Locator): Promise<{ readonly name: string; readonly file: Buffer }> => {
  const [download] = await Promise.all([button.page().waitForEvent('download'), button.click()]);
  return { name: download.suggestedFilename(), file: await downloaded(download) };
};
