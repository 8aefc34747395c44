import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser, type LaunchOptions } from 'playwright-core';
import { limit } from './limits.ts';

/**
 * A headless Chrome or Chromium of one's own. Close it when done. `more`: further command-line switches; `how`: further options of playwright.
 * @throws Error with one line on how to install one
 */
export async function launchBrowser(more: readonly string[] = [], how: LaunchOptions = {}): Promise<Browser> {
  return chromium.launch({ ...howToLaunch(more), ...how });
}

function howToLaunch(more: readonly string[] = []): LaunchOptions {
  const executablePath = findBrowser();
  if (executablePath === undefined) throw new Error(howToInstall);
  return {
    executablePath,
    timeout: limit.test,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--disable-features=${switchedOff.join(',')}`,
      ...more,
    ],
  };
}

/** The browser heeds the last list only, so playwright's own is repeated. */
const switchedOff: readonly string[] = [
  // Each window loads two pages behind the address bar, which nobody sees here and which take as long as a page of ours.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  // A process for a page that may come.
  'SpareRendererForSitePerProcess',
  // Playwright's.
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'TcpPortRandomizationWin',
  'ThirdPartyStoragePartitioning',
];

/** CHROME_PATH, otherwise the usual names and paths. */
export function findBrowser(): string | undefined {
  const chosen = process.env['CHROME_PATH'];
  if (chosen) return existsSync(chosen) ? chosen : undefined;
  const inPath = (process.env['PATH'] ?? '').split(delimiter).flatMap((directory) => names.map((name) => join(directory, name)));
  return [...inPath, ...places].find((path) => existsSync(path));
}

/** On Debian and its derivatives root may install one without asking; elsewhere the browser tests say what is missing. */
export function installBrowserIfMissing(): void {
  if (findBrowser() !== undefined) return;
  if (process.getuid?.() === 0 && existsSync('/etc/debian_version')) {
    console.log('Installing Chromium for the browser tests ...');
    // Not every derivative has the first one.
    if (!aptGet('update', '-q') || !(aptGet('install', ...quietly, LIGHTEST) || aptGet('install', ...quietly, 'chromium')))
      console.log('Chromium could not be installed by apt-get.');
  }
  if (findBrowser() === undefined) console.log(howToInstall);
}

const quietly = ['-y', '-q', '--no-install-recommends'];

function aptGet(...words: readonly string[]): boolean {
  const { status } = spawnSync('apt-get', words, { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
  return status === 0;
}

/** Debian's Chromium without the windows of a desktop, which nobody sees here: it takes a fifth less of the processors. */
const LIGHTEST = 'chromium-headless-shell';

const howToInstall =
  'The browser tests need Chrome or Chromium: install it (Debian: sudo apt-get install -y chromium-headless-shell), or set CHROME_PATH to its program.';

const names = [LIGHTEST, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

const places = [
  '/snap/bin/chromium',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];
