/** Feedback tasks in a browser: how soon another screen shows what somebody has done, and a year group's markbook as an Excel file. */
import type { Page } from 'playwright-core';
import { openBrowser } from './browser.ts';
import { type Figure, median, plain } from './figures.ts';
import { HELPERS } from './marks/in-page.ts';
import { asker } from './marks/http.ts';
import { spending } from './processor-time.ts';
import { signedInPage } from './signed-in.ts';

export type RankedYear = {
  readonly year: number;
  readonly students: number;
  readonly tests: number;
  readonly taskId: string;
  readonly terminalExamId: string;
  readonly testIds: readonly string[];
  readonly sets: readonly { readonly setId: string; readonly name: string }[];
};

type Cookies = { readonly leader: string; readonly teacher: string };

/** The screens of a year group that is ranked already; the teacher has its first class. No figures where there is no browser. */
export const taskScreenFigures = async (url: string, cookies: Cookies, ranked: RankedYear): Promise<Figure[]> => {
  const browser = await openBrowser('ranking, what is seen in a browser');
  if (!browser) return [];
  try {
    const open = async (who: keyof Cookies, path: string): Promise<Page> => {
      const page = await signedInPage(browser, url, cookies[who]);
      await page.goto(`${url}/${who}${path}`);
      return page;
    };
    return [...(await statusFigures(open, asker(url, cookies.leader), ranked)), ...(await excelFigures(open, ranked))];
  } finally {
    await browser.close();
  }
};

type Open = (who: keyof Cookies, path: string) => Promise<Page>;

/** The leader has the step of the checks open, and a teacher the class: each check and each new ranking is seen on the other screen. */
const statusFigures = async (open: Open, { command }: ReturnType<typeof asker>, ranked: RankedYear): Promise<Figure[]> => {
  const { year, taskId, terminalExamId, testIds, sets } = ranked;
  const [first] = sets;
  const [leader, teacher] = [await open('leader', `?year=${year}`), await open('teacher', `?year=${year}&set=${first?.name ?? ''}`)];
  await leader.getByRole('button', { name: /^Open / }).click();
  await leader.getByText(`Awaiting ${sets.length} classes`).waitFor();
  await teacher.getByText(TO_CHECK).waitFor();
  for (const page of [leader, teacher]) {
    await page.waitForLoadState('load');
    // Their lines have opened, and nothing more is on its way.
    await page.waitForTimeout(1_500);
    await page.evaluate(HELPERS);
  }
  const seen: number[] = [];
  const until = async (page: Page, text: string, act: () => Promise<unknown>): Promise<void> => {
    const drawn = page.evaluate<number>(`bench.until(() => document.body.textContent.includes(${JSON.stringify(text)}))`);
    const began = performance.timeOrigin + performance.now();
    await act();
    seen.push((await drawn) - began);
  };
  const { spent } = await spending(async () => {
    for (let time = 0; time < TIMES; time++) {
      const some = time % 2 === 0 ? testIds.slice(1) : testIds;
      await until(teacher, CHECKED, () => command('CheckRanking', { taskId, setId: first?.setId, rows: [] }));
      await until(teacher, TO_CHECK, () => command('RankTask', { taskId, terminalExamId, testIds: some }));
      for (const [index, { setId }] of sets.slice(1, 4).entries())
        await until(leader, `Awaiting ${sets.length - index - 1} classes`, () => command('CheckRanking', { taskId, setId, rows: [] }));
    }
  });
  return [
    plain(
      `a step of a feedback task of ${ranked.students}: ms from the request until another screen shows it, the slowest of ${seen.length}`,
      Math.max(...seen),
      { is: '<=', than: 2_000 },
      spent,
    ),
  ];
};

/** From the click to the file; the first time with the part of the app that writes it. */
const excelFigures = async (open: Open, { year, students, tests }: RankedYear): Promise<Figure[]> => {
  const page = await open('leader', `/markbook?year=${year}`);
  await page.getByRole('grid').getByRole('row').nth(15).waitFor();
  await page.waitForLoadState('load');
  await page.waitForTimeout(1_500);
  const took: number[] = [];
  const { spent } = await spending(async () => {
    for (let time = 0; time < TIMES; time++) {
      const began = performance.now();
      await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download to Excel' }).click()]);
      took.push(performance.now() - began);
    }
  });
  const [first = 0] = took;
  const file = `Excel file of the markbook of ${students} x ${tests} in a browser: ms from the click to the file`;
  return [
    plain(`${file}, the first`, first, { is: '<=', than: 1_000 }, spent),
    plain(`${file}, the median of ${took.length}`, median(took), { is: '<=', than: 1_000 }, spent),
  ];
};

const TO_CHECK = 'Ranking complete: check your class';
const CHECKED = 'Ranking checked: awaiting grades';
const TIMES = 5;
