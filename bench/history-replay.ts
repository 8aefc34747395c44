/** The replay of a year group's markbook in a browser: how soon all its changes are there, and a step of the slider. */
import { openBackend } from '../run/backend.ts';
import { readSettings } from '../run/settings.ts';
import { openBrowser } from './browser.ts';
import { type Figure, median, plain } from './figures.ts';
import { startProduct } from './processes.ts';
import { signIn } from './school.ts';
import { signedInPage } from './signed-in.ts';
import { buildTaught, type TaughtSchool } from './taught.ts';

const SETS = 10;
const STUDENTS = 30;
const QUESTIONS = 13;

/** @param databaseUrl a migrated database with an empty log */
export const replayFigures = async (databaseUrl: string, dataDir: string, rounds: number, tests: number): Promise<Figure[]> => {
  const browser = await openBrowser('history, the replay of a markbook');
  if (!browser) return [];
  const backend = await openBackend({ ...readSettings({ DATA_DIR: dataDir }), databaseUrl, tell: () => undefined });
  let school: TaughtSchool;
  try {
    school = await buildTaught(backend, { sets: SETS, students: STUDENTS, tests, questions: QUESTIONS }, 0);
  } finally {
    await backend.close();
  }
  const product = await startProduct(databaseUrl, dataDir, { apps: true });
  try {
    const page = await signedInPage(browser, product.url, await signIn(product.url, school.leader));
    page.setDefaultTimeout(120_000);
    const loads: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      await page.goto('about:blank');
      const start = performance.now();
      await page.goto(`${product.url}/leader/markbook/replay?year=11`);
      await page.getByRole('slider', { name: 'Change' }).waitFor();
      // The first one fills the browser's cache.
      if (round > 0) loads.push(performance.now() - start);
    }
    const steps = await page.evaluate<number[]>(STEPS);
    const of = `a year of ${SETS * STUDENTS} x ${tests}, ${QUESTIONS} questions each`;
    return [
      plain(`replay of ${of}: s from its address to the slider`, median(loads) / 1000, { is: '<=', than: 5 }),
      plain('replay, a step of the slider: ms until it is drawn, median', median(steps), { is: '<=', than: 100 }),
      plain('replay, a step of the slider: ms until it is drawn, the slowest of thirty', Math.max(...steps)),
    ];
  } finally {
    await browser.close();
    await product.stop();
  }
};

/** Back by thirty steps, each until the frame after it was drawn. */
const STEPS = `(async () => {
  const drawn = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const times = [];
  for (let step = 0; step < 30; step++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const start = performance.now();
    document.querySelector('button[aria-label="Step back"]').click();
    await drawn();
    times.push(performance.now() - start);
  }
  return times;
})()`;
