import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/**
 * What of the page breaks a rule of accessibility: where, which rule, and the elements. `serious`: only what axe finds serious or critical.
 *
 * In one run in the page itself ("legacy"), which takes half as long as a second page that puts frames together: our pages have none of
 * another origin.
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
