import type { Locator } from 'playwright-core';

/** What somebody did on the way: `clicks` holds keys that were pressed by themselves too, `fields` are those that he typed into. */
export type Effort = { clicks: number; fields: number; files: number };

/** The hands of somebody who uses the product: whatever a test does by them is counted. */
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
    /** A click opens the dialog of the system, in which a file is chosen. */
    async choose(picker: Locator, path: string): Promise<void> {
      const [chooser] = await Promise.all([picker.page().waitForEvent('filechooser'), picker.click()]);
      await chooser.setFiles(path);
      effort.clicks++;
      effort.files++;
    },
  };
};
