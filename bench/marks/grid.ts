/** Marks in a browser: how soon the grid is drawn, answers a key, takes a block, and stores what is typed. */
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../browser.ts';
import { type Figure, median, plain, quantile } from '../figures.ts';
import { spending } from '../processor-time.ts';
import { QUESTIONS } from '../school.ts';
import { signedInPage } from '../signed-in.ts';
import { ANSWERED, choose, HELPERS, KEYS, pasteAndWait, PRESSED, shows } from './in-page.ts';
import { CLASS, type MarksSchool, YEAR } from './school.ts';

type Sitting = { readonly browser: Browser; readonly url: string; readonly leader: string; readonly teacher: string };
export type GridSizes = { readonly mounts: number; readonly keys: number; readonly pastes: number; readonly pauses: number };

/** `leader`, `teacher`: their cookies. Nothing where there is no browser. */
export const gridFigures = async (people: Omit<Sitting, 'browser'>, school: MarksSchool, sizes: GridSizes): Promise<Figure[]> => {
  const browser = await openBrowser('marks, the grid in a browser');
  if (!browser) return [];
  const sitting = { ...people, browser };
  try {
    return [
      ...(await largeGrid(sitting, school, sizes)),
      ...(await pasted(sitting, school, sizes)),
      ...(await paused(sitting, school, sizes)),
    ];
  } finally {
    await browser.close();
  }
};

/** The grid of all students of the year, with the answer at hand: the other class was looked at in between. */
const largeGrid = async (sitting: Sitting, { filled }: MarksSchool, { mounts, keys }: GridSizes): Promise<Figure[]> => {
  const page = await openGrid(sitting, 'leader', YEAR.name, filled.testId);
  const drawn: number[] = [];
  const drawing = await spending(async () => {
    for (let time = 0; time < mounts + WARM; time++) {
      await page.evaluate<number>(choose(CLASS.name, CLASS.students));
      const took = await page.evaluate<number>(choose(YEAR.name, YEAR.students));
      if (time >= WARM) drawn.push(took);
      await page.waitForTimeout(REST_MS);
    }
  });
  await page.locator('[data-row="0"][data-column="0"]').click();
  const answered: number[] = [];
  const typing = await spending(async () => {
    for (let time = 0; time < keys; time++) {
      // Another mark than the one that stands there, the next cell; and now and then down the class.
      for (const key of [String((time + 1) % 4), 'Tab', ...(time % 4 === 0 ? ['ArrowDown'] : [])]) {
        await page.keyboard.press(key);
        await page.waitForTimeout(BETWEEN_KEYS_MS);
      }
    }
    answered.push(...(await page.evaluate<number[]>(KEYS)).slice(2 * WARM));
    await untilStored(page);
  });
  await page.context().close();
  const grid = `grid of ${YEAR.students} x ${QUESTIONS} in a browser`;
  return [
    plain(
      `${grid}: ms from choosing the class, its answer at hand, until it is drawn`,
      median(drawn),
      { is: '<=', than: 150 },
      drawing.spent,
    ),
    plain(
      `${grid}: ms from a key to the frame that shows it, 95 % of ${answered.length}`,
      quantile(answered, 0.95),
      { is: '<=', than: 33 },
      typing.spent,
    ),
  ];
};

/** A whole class, again and again with other marks. */
const pasted = async (sitting: Sitting, { empty }: MarksSchool, { pastes }: GridSizes): Promise<Figure[]> => {
  const page = await openGrid(sitting, 'leader', CLASS.name, empty.testId);
  const shown: number[] = [];
  const stored: number[] = [];
  const { spent } = await spending(async () => {
    for (let time = 0; time < pastes + 1; time++) {
      await page.locator('[data-row="0"][data-column="0"]').click();
      const mark = String(1 + (time % 3));
      const block = `${Array.from({ length: QUESTIONS }, () => mark).join('\t')}\n`.repeat(CLASS.students);
      const took = await page.evaluate<{ shown: number; stored: number }>(pasteAndWait(block, mark));
      // The first one includes just-in-time compilation.
      if (time > 0) {
        shown.push(took.shown);
        stored.push(took.stored);
      }
      await page.waitForTimeout(REST_MS);
    }
  });
  await page.context().close();
  const paste = `a paste of ${CLASS.students} x ${QUESTIONS} in a browser`;
  return [
    plain(`${paste}: ms until it shows`, median(shown), { is: '<=', than: 100 }, spent),
    plain(`${paste}: ms until no cell waits to be stored`, median(stored), { is: '<=', than: 1_000 }, spent),
  ];
};

/** The leader types a mark and pauses, and the teacher has the same class open. Both are counted from the last key, with the 800 ms that autosave waits. */
const paused = async (sitting: Sitting, { empty }: MarksSchool, { pauses }: GridSizes): Promise<Figure[]> => {
  const page = await openGrid(sitting, 'leader', CLASS.name, empty.testId);
  const other = await openGrid(sitting, 'teacher', CLASS.name, empty.testId);
  const logged: number[] = [];
  const seen: number[] = [];
  const { spent } = await spending(async () => {
    for (let time = 0; time < pauses + 1; time++) {
      const [row, column] = [time % 20, 3];
      const before = await other.evaluate<string>(`bench.textAt(${row}, ${column})`);
      const mark = String((Number(before) + 1) % 4);
      await page.locator(`[data-row="${row}"][data-column="${column}"]`).click();
      const drawn = other.evaluate<number>(shows(row, column, mark));
      await page.keyboard.press(mark);
      const pressed = await page.evaluate<number>(PRESSED);
      const at = await drawn;
      await untilStored(page);
      if (time === 0) continue;
      seen.push(at - pressed);
      logged.push((await page.evaluate<number>(ANSWERED)) - pressed);
    }
  });
  await other.context().close();
  await page.context().close();
  const key = 'ms from the last key, with the 800 ms of the pause,';
  return [
    plain(
      `${key} until the server has answered that it is in the log, the slowest of ${pauses}`,
      Math.max(...logged),
      { is: '<=', than: 1_000 },
      spent,
    ),
    plain(`${key} until a colleague's open grid shows it, the slowest of ${pauses}`, Math.max(...seen), { is: '<=', than: 2_000 }, spent),
  ];
};

const openGrid = async ({ browser, url, ...cookies }: Sitting, who: 'leader' | 'teacher', set: string, testId: string): Promise<Page> => {
  const page = await signedInPage(browser, url, cookies[who]);
  await page.goto(`${url}/${who}/marks?${new URLSearchParams({ year: '11', set, test: testId })}`);
  await page.getByRole('grid').waitFor();
  // Its line has opened, and nothing more is on its way.
  await page.waitForLoadState('load');
  await page.waitForTimeout(1_500);
  await page.evaluate(HELPERS);
  return page;
};

/** Nothing waits, neither to be sent nor to be answered. */
const untilStored = async (page: Page): Promise<void> => {
  await page.getByText(/^Saved \d\d:\d\d$/).waitFor();
  await page.evaluate('bench.until(() => bench.isStored())');
};

/** Just-in-time compilation. */
const WARM = 2;
const REST_MS = 300;
const BETWEEN_KEYS_MS = 40;
