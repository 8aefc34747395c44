import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** Waits until the control has the focus. */
export const hasFocus = (control: Locator): Promise<void> =>
  expect.poll(() => control.evaluate((one) => one === document.activeElement)).toBe(true);

/** Presses Enter on a button once it can be pressed: beside whatever is still being sent, a key would be lost. */
export const pressEnter = (button: Locator): Promise<void> => button.and(button.page().locator(':not(:disabled)')).press('Enter');

/** Presses Tab until the control of this name has the focus, at most so often. */
export const tabTo = async (page: Page, name: string, most = 30): Promise<void> => {
  const named = { name, exact: true };
  const wanted = page
    .getByRole('link', named)
    .or(page.getByRole('button', named))
    .or(page.getByRole('tab', named))
    .or(page.getByLabel(name, { exact: true }))
    .first();
  for (let tabs = 0; tabs < most; tabs++) {
    await page.keyboard.press('Tab');
    if (await wanted.evaluate((control) => control === document.activeElement)) return;
  }
  throw new Error(`Tab does not lead to ${name}`);
};

/** Replaces what stands in the field. */
export const typeOver = async (page: Page, text: string): Promise<void> => {
  await page.keyboard.press('Control+A');
  await page.keyboard.type(text);
};
