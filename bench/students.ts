/** (q) Three hundred phones open the students' dashboard while teachers type, what its questions cost, and its first visit on a slow phone. */
import { NOTHING } from '../api/pipeline/about.ts';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { systemActor } from '../api/actor.ts';
import type { AnyQuery, QueryDefinition } from '../api/common/query.ts';
import { queries } from '../api/queries.ts';
import { type Backend, openBackend } from '../run/backend.ts';
import { readSettings } from '../run/settings.ts';
import { openBrowser } from './browser.ts';
import { type Figure, median, plain, quantile } from './figures.ts';
import type { Typist } from './load/job.ts';
import { type Server, startGenerator, startProduct } from './processes.ts';
import { spending } from './processor-time.ts';
import { signIn } from './school.ts';
import { signedInPage } from './signed-in.ts';
import { buildTaught, type TaughtSchool } from './taught.ts';

const TYPISTS = 30;

/** @param databaseUrl a migrated database with an empty log. `seconds`: within which everybody opens the dashboard, spread evenly by chance */
export const studentsFigures = async (
  databaseUrl: string,
  dataDir: string,
  { seconds, rounds, tests }: { readonly seconds: number; readonly rounds: number; readonly tests: number },
): Promise<Figure[]> => {
  const backend = await openBackend({ ...readSettings({ DATA_DIR: dataDir }), databaseUrl, tell: () => undefined });
  let school: TaughtSchool;
  let costs: Figure[];
  try {
    school = await buildTaught(backend, { sets: 10, students: 30, tests, questions: 13 }, 300);
    costs = await queryFigures(backend, school, rounds);
  } finally {
    await backend.close();
  }
  const product = await startProduct(databaseUrl, dataDir, { apps: true });
  try {
    return [...costs, ...(await crowdFigures(product, school, seconds)), ...(await openingFigures(product, school))];
  } finally {
    await product.stop();
  }
};

/** What a dashboard asks, in the order of the page. */
const asksOf = ({ subjectId, testIds }: TaughtSchool): readonly (readonly [name: string, input: Record<string, string>])[] => {
  const testId = testIds.at(-1) ?? '';
  return [
    ['student-tasks', {}],
    ['student-home', { subjectId }],
    ['student-card', { testId }],
    ['revision-list', { testId }],
    ['student-topics', { subjectId }],
  ];
};

const queryFigures = async (backend: Backend, school: TaughtSchool, rounds: number): Promise<Figure[]> => {
  const [first] = school.sets;
  const [studentId = ''] = first?.studentIds ?? [];
  const actor = { ...systemActor(school.schoolId), role: 'student' as const, studentId, subjectIds: [school.subjectId] };
  const figures: Figure[] = [];
  for (const [name, input] of [...asksOf(school), ['my-data', {}] as const]) {
    const query = (queries as unknown as Record<string, AnyQuery>)[name] as unknown as QueryDefinition<object>;
    const times: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      const start = performance.now();
      await backend.readAs(school.schoolId, (run) =>
        query.run(
          run,
          input,
          actor,
          NOTHING,
          async () => [],
          () => false,
        ),
      );
      // The first one warms up.
      if (round > 0) times.push(performance.now() - start);
    }
    figures.push(plain(`${name} of a student with ${school.testIds.length} assessments, ms`, median(times), { is: '<=', than: 50 }));
  }
  return figures;
};

const crowdFigures = async (product: Server, school: TaughtSchool, seconds: number): Promise<Figure[]> => {
  const teacher = await signIn(product.url, school.leader);
  const typists = Array.from({ length: TYPISTS }, (_, number): Typist => {
    const set = school.sets[number % school.sets.length];
    const share = Math.floor(school.typed.questionIds.length / 3);
    const from = share * Math.floor(number / school.sets.length);
    return {
      cookie: teacher,
      entryId: randomUUID(),
      subjectId: school.subjectId,
      testId: school.typed.testId,
      studentIds: set?.studentIds ?? [],
      questionIds: school.typed.questionIds.slice(from, from + share),
    };
  });
  const generator = startGenerator();
  const typing = generator.run({ url: product.url, typists, ms: seconds * 1000, thinkMs: 2_000, patient: true });
  const answered: number[] = [];
  let refused = 0;
  let told = 0;
  const ask = async (cookie: string, path: string): Promise<void> => {
    const sent = performance.now();
    for (;;) {
      const answer = await fetch(`${product.url}/api/queries/${path}`, { headers: { cookie } });
      await answer.arrayBuffer();
      const later = answer.headers.get('Retry-After');
      if (answer.ok || later === null) {
        answered.push(performance.now() - sent);
        if (!answer.ok) refused += 1;
        return;
      }
      // As the page does.
      told += 1;
      await pause(Number(later) * 1000);
    }
  };
  const open = async (cookie: string): Promise<void> => {
    await pause(Math.random() * seconds * 1000);
    await ask(cookie, 'me');
    // The page asks for its parts at the same time.
    await Promise.all(asksOf(school).map(([name, input]) => ask(cookie, `${name}?${new URLSearchParams(input)}`)));
  };
  const { spent } = await spending(() => Promise.all(school.cookies.map(open)));
  const { latencies } = await typing;
  await generator.stop();
  const who = `${school.cookies.length} students open their dashboard within ${seconds} s while ${TYPISTS} teachers type`;
  return [
    plain(`${who}: questions not answered`, refused, { is: '<=', than: 0 }, spent),
    plain(`${who}: told to come back in a moment, and did`, told, undefined, spent),
    plain(`${who}: 95 % of questions answered within, ms`, quantile(answered, 0.95), { is: '<=', than: 300 }, spent),
    plain(`${who}: 95 % of saves answered within, ms`, quantile(latencies, 0.95), { is: '<=', than: 300 }, spent),
  ];
};

/** The first visit of a signed-in student on a cheap phone and slow 4G. */
const openingFigures = async (product: Server, { cookies }: TaughtSchool): Promise<Figure[]> => {
  const browser = await openBrowser('students');
  if (!browser) return [];
  try {
    const times: number[] = [];
    for (const cookie of cookies.slice(0, 5)) {
      const page = await signedInPage(browser, product.url, cookie);
      const devtools = await page.context().newCDPSession(page);
      await devtools.send('Network.enable');
      const line = { offline: false, latency: 150, downloadThroughput: 200e3, uploadThroughput: 94e3 };
      await devtools.send('Network.emulateNetworkConditions', line);
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
      page.setDefaultTimeout(60_000);
      await page.goto(`${product.url}/student`, { waitUntil: 'commit' });
      await page.getByRole('heading', { name: 'Your results' }).waitFor();
      times.push(await page.evaluate<number>('performance.now()'));
      await page.context().close();
    }
    const what =
      'opening a student’s home for the first time, slow 4G (150 ms, 1.6 Mbit/s), 4x slower processor: s until the results are there';
    return [plain(what, median(times) / 1000, { is: '<=', than: 2 })];
  } finally {
    await browser.close();
  }
};
