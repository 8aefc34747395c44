import { buffer } from 'node:stream/consumers';
import { chromium, type Browser, type Download } from 'playwright-core';
import { madeOnce } from '../support/made-once.ts';

/** The one browser of a run. Closing it closes what was opened through this connection, not the browser. */
export const openBrowser = async (): Promise<Browser> => chromium.connect(await madeOnce('browser'), { timeout: 200_000 });

/** What was downloaded: the browser's own file is out of reach. */
export const downloaded = async (download: Download): Promise<Buffer> => buffer(await download.createReadStream());
