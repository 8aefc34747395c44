import type { Locator } from 'playwright-core';
import { expect } from 'vitest';

/**
 * What a page shows is on its way until it is there. So tests do not look once, but wait: with these, with a locator's own `waitFor`, or
 * with `expect.poll`.
 */

/** Waits until its text is this, or matches. */
export const reads = (what: Locator, text: string | RegExp): Promise<void> => {
  const poll = expect.poll(() => what.textContent());
  return typeof text === 'string' ? poll.toBe(text) : poll.toMatch(text);
};

/** Waits until there are so many. */
export const counts = (what: Locator, count: number): Promise<void> => expect.poll(() => what.count()).toBe(count);

/** Waits until it has gone. Only after something that shows that it would be there by now. */
export const isGone = (what: Locator): Promise<void> => counts(what, 0);

/** Waits until the field holds this. */
export const holds = (field: Locator, value: string): Promise<void> => expect.poll(() => field.inputValue()).toBe(value);

/** Waits until it can be pressed, or filled in. */
export const isEnabled = (control: Locator): Promise<void> => expect.poll(() => control.isEnabled()).toBe(true);

/** Waits until it cannot. */
export const isDisabled = (control: Locator): Promise<void> => expect.poll(() => control.isDisabled()).toBe(true);
