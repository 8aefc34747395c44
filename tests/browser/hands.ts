import type { Locator } from 'playwright-core';

/** What a user did on the way: `clicks` includes single key presses, `fields` are fields typed into. */
export type Effort = { clicks: number; fields: number; files: number };

/** Acts as a user of the product and counts every action. */
export const openHands = () => {
  const effort: Effort = { clicks: 0, fields: 0, files: 0 };
  return {
    effort: (): Readonly<Effort> => ({ ...effort }),
    async click(what: Locator): Promise<void> {
      await what.click();
      effort.clicks++;
    },
    async press(what: Locator, key: string): Promise<void> {
      await what.press(key);
      effort.clicks++;
    },
    async type(field: Locator, text: string): Promise<void> {
      await field.fill(text);
      effort.fields++;
    },
    /** A click opens the system's file dialog. */
    async choose(picker: Locator, path: string): Promise<void> {
      const [chooser] = await Promise.all([picker.page().waitForEvent('filechooser'), picker.click()]);
      await chooser.setFiles(path);
      effort.clicks++;
      effort.files++;
    },
  };
};
