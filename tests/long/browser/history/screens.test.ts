import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { brokenRules } from '../../../browser/axe.ts';
import { marktrailInBrowser } from '../../../browser/marktrail.ts';

const marktrail = marktrailInBrowser({ past: true });
const SIZES = [
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1366, height: 768 },
  { width: 1440, height: 900 },
];

/** On every screen, in both themes: the rules of accessibility that are broken, and by how many pixels it sticks out to the right. */
const wrongWith = async (page: Page): Promise<string[]> => {
  const wrong: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
      const out = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      const broken = [...(await brokenRules(page)), ...(out > 0 ? [`${out} px stick out`] : [])];
      wrong.push(...broken.map((what) => `${colorScheme}, ${size.width} px: ${what}`));
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  return wrong;
};

const ENTRY = { name: /open this entry/ } as const;

test.each([
  ['auditor@demo.example', '/history'],
  ['leader@demo.example', '/leader/history?year=11&set=11X1'],
  ['teacher1@demo.example', '/teacher/history'],
])('the record of %s breaks no rule of accessibility on any screen, nor does one entry', async (email, at) => {
  const page = await marktrail.person(email, { at });
  await page.getByRole('button', ENTRY).first().waitFor();
  expect(await wrongWith(page)).toEqual([]);
  await page.getByRole('button', ENTRY).first().click();
  await page.getByRole('dialog', { name: 'What happened' }).getByText('In the log').click();
  expect(await wrongWith(page)).toEqual([]);
});

test('nor does the replay, two moments side by side, or what if', async () => {
  const page = await marktrail.person('leader@demo.example', { at: '/leader/markbook/replay?year=11&set=11X1' });
  await page.getByRole('slider', { name: 'Change' }).waitFor();
  expect(await wrongWith(page)).toEqual([]);
  for (const more of ['Compare', 'What if']) {
    await page.getByRole('button', { name: more }).click();
    expect(await wrongWith(page), more).toEqual([]);
  }
});

test.each([
  ['/leader?year=11', '11X1'],
  ['/admin/users', 'Grace Bell'],
  ['/admin/classes', 'Year 11'],
  ['/history', 'This page cannot show an earlier moment'],
])('nor does %s at an earlier moment', async (at, last) => {
  const page = await marktrail.signedIn('auditor@demo.example');
  await page.goto(`${at}${at.includes('?') ? '&' : '?'}asOf=${new Date(Date.now() - 86_400_000).toISOString()}`);
  await page.getByRole('button', { name: 'Back to now' }).waitFor();
  await page.getByRole('main').getByText(last).first().waitFor();
  expect(await wrongWith(page)).toEqual([]);
});
