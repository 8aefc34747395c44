import { expect, test, vi } from 'vitest';
import { leftOut, openBrowser } from '../../bench/browser.ts';
import { lineOf } from '../../bench/figures.ts';

test('a chapter that needs a browser is left out where there is none, and the reason is said', async () => {
  vi.stubEnv('CHROME_PATH', '/nowhere/chrome');
  expect(await openBrowser('start-page')).toBeUndefined();
  vi.unstubAllEnvs();
  expect(leftOut()).toEqual([expect.stringMatching(/^Left out: start-page\. The browser tests need Chrome or Chromium/)]);
});

test('a figure is said on one line as it comes', () => {
  const figure = { figure: 'appends/s', value: 1234.5, limit: 1000, ratio: 1.2345, goal: 'ratio >= 0.5', met: true };
  expect(lineOf(figure)).toBe('appends/s: 1235, limit 1000, ratio 1.23');
  expect(lineOf({ ...figure, limit: null, ratio: null })).toBe('appends/s: 1235');
});
