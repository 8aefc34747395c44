import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';
import { root } from '../../run/apps.ts';

declare global {
  interface Window {
    readonly axe: typeof axe;
  }
}

/** The minified one, which a page reads in a third of the time. */
const source = readFileSync(join(root, 'node_modules/axe-core/axe.min.js'), 'utf8');

/**
 * The accessibility rules that a page breaks, with the elements that break them. `serious`: only serious and critical ones.
 *
 * It runs in the page itself, which answers only what is broken: our pages have no frames from elsewhere to be looked into apart.
 */
export const brokenRules = async (page: Page, { serious = false } = {}): Promise<string[]> => {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source);
  const violations = await page.evaluate(async () => {
    const found = await window.axe.run({ resultTypes: ['violations'] });
    return found.violations.map(({ id, impact, nodes }) => ({ id, impact, elements: nodes.map(({ html }) => html) }));
  });
  return violations
    .filter(({ impact }) => !serious || impact === 'serious' || impact === 'critical')
    .map(({ id, elements }) => `${new URL(page.url()).pathname}: ${id} ${elements.join(' ')}`);
};

/** The rules that it breaks on a wide screen, and then on a phone, which it is left at: what a page loads is the same on both. */
export const brokenOnAnyScreen = async (page: Page): Promise<string[]> => {
  const broken: string[] = [];
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    // Until the page has been drawn at this width.
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    broken.push(...(await brokenRules(page)).map((rule) => `${width} px: ${rule}`));
  }
  return broken;
};
