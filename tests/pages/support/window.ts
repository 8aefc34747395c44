import { readFileSync } from 'node:fs';
import { configure } from '@testing-library/dom';
import { indexedDB, IDBKeyRange } from 'fake-indexeddb';
import { builtinEnvironments } from 'vitest/runtime';
import { limit } from '../../support/limits.ts';
import { ORIGIN } from '../../support/product.ts';

/*
 * A window, and what jsdom's window lacks of a browser's, as far as the apps look at it. There is no layout: nothing has a size, nothing
 * scrolls, and what style sheets hide is there. Modules keep the window, so there is one for all files of a worker. Imported before React,
 * which looks whether there is one.
 */
await builtinEnvironments.jsdom.setup(globalThis, { jsdom: { url: ORIGIN } });

/** A window of a desktop, 1440 wide; nothing else that a style sheet may ask for is true. */
const matches = (query: string): boolean => Number(/\(min-width: (\d+)px\)/.exec(query)?.[1] ?? Infinity) <= 1440;
const watch = class {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
};
Object.assign(globalThis, {
  matchMedia: (media: string) => Object.assign(new EventTarget(), { media, matches: matches(media) }),
  ResizeObserver: watch,
  IntersectionObserver: watch,
  scrollTo: () => undefined,
  indexedDB,
  IDBKeyRange,
  // What pages load while nobody does anything is not loaded: a test ends before.
  requestIdleCallback: () => 0,
});
Object.assign(Element.prototype, { scrollIntoView: () => undefined, showPopover: () => undefined, hidePopover: () => undefined });

// The theme computes with the colours.
const tokens = /:root \{(.*?)\n\}/s.exec(readFileSync(new URL('../../../ui/tokens.css', import.meta.url), 'utf8'))?.[1] ?? '';
document.documentElement.style.cssText = tokens.replaceAll(/\/\*.*?\*\//g, '');

/** By what an element says itself, as there are no style sheets: looking a rule up in those that MUI makes takes longer than all the rest. */
const styled = (text: string): CSSStyleDeclaration => {
  const { style } = document.createElement('i');
  style.cssText = text;
  return style;
};
const [shown, inline, hidden] = [styled(''), styled('display: inline'), styled('display: none')];
const isInline = /^(?:A|B|CODE|EM|I|KBD|MARK|SMALL|SPAN|STRONG|SUB|SUP|TIME|VAR)$/;
globalThis.getComputedStyle = (element: Element): CSSStyleDeclaration => {
  const isClosed = element instanceof HTMLDialogElement && !element.open;
  const own = element instanceof HTMLElement && element.hasAttribute('style') ? element.style : undefined;
  return isClosed ? hidden : (own ?? (isInline.test(element.tagName) ? inline : shown));
};

/** The modal dialogs that are open, with what had the focus before each. */
const open = new Map<HTMLDialogElement, Element | null>();
Object.assign(HTMLDialogElement.prototype, {
  showModal(this: HTMLDialogElement) {
    open.set(this, document.activeElement);
    this.open = true;
    this.querySelector<HTMLElement>('[autofocus], button, input, select, textarea')?.focus();
  },
  close(this: HTMLDialogElement) {
    if (!this.open) return;
    this.open = false;
    const before = open.get(this);
    open.delete(this);
    if (before instanceof HTMLElement) before.focus();
    setTimeout(() => this.dispatchEvent(new Event('close')));
  },
});
// A browser closes a dialog once everybody has heard of the key.
window.addEventListener('keydown', ({ key, defaultPrevented }) => {
  const last = [...open.keys()].findLast((dialog) => dialog.isConnected);
  if (key !== 'Escape' || defaultPrevented || !last) return;
  if (last.dispatchEvent(new Event('cancel', { cancelable: true }))) last.close();
});

// What a button opens beneath it is there from then on.
document.addEventListener('click', ({ target }) => {
  const id = target instanceof Element ? target.closest('button[popovertarget]')?.getAttribute('popovertarget') : undefined;
  if (typeof id === 'string') document.getElementById(id)?.dispatchEvent(Object.assign(new Event('beforetoggle'), { newState: 'open' }));
});

configure({
  asyncUtilTimeout: limit.wait,
  getElementError: (message) => new Error(`${message}\n\n${document.body.textContent.slice(0, 3000)}`),
});

/** As a browser profile that nobody has used; the question about cookies is answered. */
export const emptyProfile = async (): Promise<void> => {
  localStorage.clear();
  sessionStorage.clear();
  document.cookie = 'marktrail_consent=declined';
  for (const { name = '' } of await indexedDB.databases())
    await new Promise((gone) => Object.assign(indexedDB.deleteDatabase(name), { onsuccess: gone }));
};
