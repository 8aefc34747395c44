/** What a key costs the browser where an admin types into a list: Classes, the questions of an assessment, Teachers. */
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from './browser.ts';
import { type Figure, median, plain } from './figures.ts';
import type { Server } from './processes.ts';
import { type School, signIn } from './school.ts';

import { signedInPage } from './signed-in.ts';

/** @param rounds of KEYS keys each */
export const typingInListsFigures = async (product: Server, school: School, rounds: number): Promise<Figure[]> => {
  const browser = await openBrowser('typing-in-lists');
  if (!browser) return [];
  try {
    const [admin] = school.readers;
    if (!admin) throw new Error('The school has no admin.');
    const page = await signedInPage(browser, product.url, await signIn(product.url, admin));
    const figures: Figure[] = [];
    for (const [what, open] of lists) {
      await page.goto(`${product.url}/admin/${open.at}`);
      await page.getByLabel('Subject', { exact: true }).first().selectOption({ label: open.subject });
      await open.to(page);
      const each = await perKey(browser, page, rounds);
      figures.push(plain(`${what}: ms of the browser's processors a key`, each, { is: '<=', than: 30 }));
    }
    return figures;
  } finally {
    await browser.close();
  }
};

type List = {
  readonly at: string;
  readonly subject: string;
  /** Puts the focus where is typed. */ readonly to: (page: Page) => Promise<void>;
};

const lists: readonly (readonly [what: string, list: List])[] = [
  [
    'Classes, the name of a set among 10',
    {
      at: 'classes',
      subject: 'Mathematics',
      async to(page) {
        await page.getByRole('button', { name: /^Year 11/ }).click();
        await page
          .getByLabel(/^(Group name|Name of)/)
          .first()
          .click();
      },
    },
  ],
  [
    'Questions, the topic of one of 50',
    {
      at: 'assessments',
      subject: 'Mathematics',
      async to(page) {
        await page
          .getByRole('button', { name: /^Test 01/ })
          .first()
          .click();
        await page
          .getByRole('button', { name: /Edit questions/ })
          .first()
          .click();
        await page.getByLabel('Topic of question 1', { exact: true }).click();
      },
    },
  ],
  [
    'Teachers, the name of one of 25',
    {
      at: 'teachers',
      subject: 'Chemistry',
      async to(page) {
        await page.getByLabel('Teacher name').first().click();
      },
    },
  ],
];

/** Types into the field that has the focus, a letter at a time as a person would. The first round includes just-in-time compilation. */
const perKey = async (browser: Browser, page: Page, rounds: number): Promise<number> => {
  const devtools = await browser.newBrowserCDPSession();
  const spent = async (): Promise<number> => {
    const { processInfo } = await devtools.send('SystemInfo.getProcessInfo');
    return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime * 1000, 0);
  };
  await page.waitForTimeout(SETTLED);
  const all: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const before = await spent();
    for (let key = 0; key < KEYS / 2; key++) await page.keyboard.press('x', { delay: 0 }).then(() => page.waitForTimeout(BETWEEN));
    for (let key = 0; key < KEYS / 2; key++) await page.keyboard.press('Backspace').then(() => page.waitForTimeout(BETWEEN));
    if (round > 0) all.push(((await spent()) - before) / KEYS);
  }
  await devtools.detach();
  return median(all);
};

const KEYS = 20;
/** ms between two keys, in which all of the first is drawn */
const BETWEEN = 120;
const SETTLED = 1_500;
