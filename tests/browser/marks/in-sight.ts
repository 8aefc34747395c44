import type { Locator, Page } from 'playwright-core';

/** Whether it is in the window, and a finger that is put on its middle hits it. */
export const isInReach = (one: Locator): Promise<boolean> =>
  one.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return hit !== null && (element.contains(hit) || hit.contains(element));
  });

/** Opens the marks of a class in the dialog that its teacher has on the page of the class. */
export const openMarksDialog = async (page: Page, set: string): Promise<Locator> => {
  await page.goto(`/teacher?year=11&set=${set}`);
  await page.getByRole('button', { name: /^Enter marks of/ }).click();
  return page.getByRole('dialog', { name: 'Enter question-level analysis' });
};
