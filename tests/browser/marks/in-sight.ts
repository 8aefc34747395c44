import type { Locator, Page } from 'playwright-core';

/** Whether it is in the window, and a finger that is put on its middle hits it. */
export const isInReach = (one: Locator): Promise<boolean> =>
  one.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return hit !== null && (element.contains(hit) || hit.contains(element));
  });

/** Words in the heads of columns that go on in another line. */
export const brokenWords = (page: Page): Promise<readonly string[]> =>
  page.getByRole('columnheader').evaluateAll((heads) =>
    heads.flatMap((head) => {
      const texts = document.createTreeWalker(head, NodeFilter.SHOW_TEXT);
      const range = document.createRange();
      const broken: string[] = [];
      for (let text = texts.nextNode(); text; text = texts.nextNode())
        for (const { 0: word, index } of (text.nodeValue ?? '').matchAll(/\p{L}+/gu)) {
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) broken.push(word);
        }
      return broken;
    }),
  );

/** Opens the marks of a class in the dialog that its teacher has on the page of the class. */
export const openMarksDialog = async (page: Page, set: string): Promise<Locator> => {
  await page.goto(`/teacher?year=11&set=${set}`);
  await page.getByRole('button', { name: /^Enter question-level analysis of/ }).click();
  return page.getByRole('dialog', { name: 'Enter question-level analysis' });
};
