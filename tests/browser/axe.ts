import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/**
 * The accessibility rules that a page breaks, with the elements that break them. `serious`: only serious and critical ones.
 *
 * In "legacy" mode, which runs in the page itself and takes half the time of the second page that axe opens to combine frames: our pages
 * have no cross-origin frames.
 */
export const brokenRules = async (page: Page, { serious = false } = {}): Promise<string[]> => {
  const { violations } = await new AxeBuilder({ page })
    .options({ resultTypes: ['violations'] })
    .setLegacyMode()
    .analyze();
  return violations
    .filter(({ impact }) => !serious || impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${new URL(page.url()).pathname}: ${id} ${nodes.map(({ html }) => html).join(' ')}`);
};
