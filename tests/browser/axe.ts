import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';
import { root } from '../../run/apps.ts';

type Judge = (this: { data(found: unknown): void }, element: Element, ...more: readonly unknown[]) => boolean | undefined;

declare global {
  interface Window {
    readonly axe: typeof axe & { readonly _audit: { readonly checks: Readonly<Record<string, { readonly evaluate: Judge }>> } };
    /** Before each run: the looks that are known to be readable. They grow by those that it finds. */
    readonly looksAt: (known: readonly number[]) => Set<number>;
  }
}

/** The minified one, which a page reads in a third of the time. */
const source = readFileSync(join(root, 'node_modules/axe-core/axe.min.js'), 'utf8');

/** Looks whose contrast is enough, as the pages before have found. */
const readable = new Set<number>();

/**
 * The accessibility rules that a page breaks, with the elements that break them. `serious`: only serious and critical ones.
 *
 * It runs in the page itself, which answers only what is broken: our pages have no frames from elsewhere to be looked into apart.
 */
export const brokenRules = async (page: Page, { serious = false } = {}): Promise<string[]> => {
  if (!(await page.evaluate(() => 'axe' in window))) {
    await page.evaluate(source);
    await page.evaluate(rememberContrast);
  }
  const [violations, found] = await page.evaluate(
    async (known) => {
      const looks = window.looksAt(known);
      const broken = await window.axe.run({ resultTypes: ['violations'] });
      return [
        broken.violations.map(({ id, impact, nodes }) => ({ id, impact, elements: nodes.map(({ html }) => html) })),
        [...looks].slice(known.length),
      ] as const;
    },
    [...readable],
  );
  for (const look of found) readable.add(look);
  return violations
    .filter(({ impact }) => !serious || impact === 'serious' || impact === 'critical')
    .map(({ id, elements }) => `${new URL(page.url()).pathname}: ${id} ${elements.join(' ')}`);
};

/**
 * Contrast takes half of axe's time, and depends on nothing but the look of an element and of what is behind it: what was measured to be
 * enough is not measured again. In the page. A look is the tags, classes, colours and fonts from the root, or from an opaque layer, down;
 * whatever may stand before something else than its ancestors, or shines through, has none and is measured each time.
 */
const rememberContrast = (): void => {
  let readableLooks = new Set<number>();
  let looks = new Map<Element, number | 'elsewhere' | 'faded'>();
  const hash = (text: string): number => {
    let [high, low] = [0xdeadbeef, 0x41c6ce57];
    for (let at = 0; at < text.length; at++) {
      high = Math.imul(high ^ text.charCodeAt(at), 2_654_435_761);
      low = Math.imul(low ^ text.charCodeAt(at), 1_597_334_677);
    }
    return 4_294_967_296 * (2_097_151 & (low ^ (low >>> 13))) + ((high ^ (high >>> 16)) >>> 0);
  };
  const isLayer = ({ position, transform, width }: CSSStyleDeclaration): boolean =>
    (/^(absolute|fixed|sticky)$/.test(position) || transform !== 'none') && !(Number.parseFloat(width) <= 1);
  const look = (element: Element): number | 'elsewhere' | 'faded' => {
    const style = getComputedStyle(element);
    const around = element.parentElement ? lookOf(element.parentElement) : 0;
    if (around === 'faded' || style.opacity !== '1' || style.filter !== 'none' || style.mixBlendMode !== 'normal') return 'faded';
    // What is placed relatively stands before the layers beside it.
    const beside = style.position === 'relative' ? [...(element.parentElement?.children ?? [])] : [];
    const behind = isLayer(style) || beside.some((one) => isLayer(getComputedStyle(one))) ? 'elsewhere' : around;
    const hides = style.backgroundColor.startsWith('rgb(');
    if (behind === 'elsewhere' && !hides) return behind;
    const { color, backgroundColor, backgroundImage, fontSize, fontWeight, textShadow } = style;
    const own = [element.tagName, element.getAttribute('class'), color, backgroundColor, backgroundImage, fontSize, fontWeight, textShadow];
    return hash([behind, ...own].join('|'));
  };
  const lookOf = (element: Element): number | 'elsewhere' | 'faded' => {
    const found = looks.get(element) ?? look(element);
    looks.set(element, found);
    return found;
  };
  const measure = window.axe._audit.checks['color-contrast']?.evaluate;
  if (!measure) throw new Error('axe no longer keeps its check of contrast where it did: nothing would be measured');
  const evaluate: Judge = function judge(element, ...more) {
    const own = lookOf(element);
    if (typeof own === 'number' && readableLooks.has(own)) return true;
    let ratio: unknown;
    const data = (found: unknown): void => {
      if (typeof found === 'object' && found !== null && 'contrastRatio' in found) ratio = found.contrastRatio;
      this.data(found);
    };
    const enough = measure.call({ ...this, data }, element, ...more);
    // Without a ratio it was not measured: it is out of sight, or a single letter.
    if (enough && typeof own === 'number' && typeof ratio === 'number') readableLooks.add(own);
    return enough;
  };
  window.axe.configure({ checks: [{ id: 'color-contrast', evaluate }] });
  const looksAt = (known: readonly number[]): Set<number> => {
    [readableLooks, looks] = [new Set(known), new Map()];
    return readableLooks;
  };
  Object.assign(window, { looksAt });
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
