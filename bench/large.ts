/** (f) A log of a million events compared with one of ten thousand: time of a command, memory, and catching up on a subscription. */
import { randomUUID } from 'node:crypto';
import { compared, type Figure, inTurn, median, plain } from './figures.ts';
import { loadLog } from './history/load.ts';
import { typingIn } from './history/marks.ts';
import { type HistorySchool, papersOf, schoolOf } from './history/school.ts';
import type { Typist } from './load/job.ts';
import { type Server, startGenerator, startProduct } from './processes.ts';
import { rebuildAllFigures } from './rebuild-all.ts';
import { buildSchool, CLASSES, type School, signIn, STUDENTS, students, type Subject } from './school.ts';

export type Databases = {
  /** A migrated, empty database. */
  create(name: string): Promise<string>;
  copy(from: string, to: string): Promise<string>;
  /** The connection string of the superuser. */
  superuserUrl(name: string): string;
};
export type LargeSizes = { readonly small: number; readonly large: number; readonly rounds: number };

const SCHOOLS = 10;

/** The same school in both logs, among others that have typed for years: most events are saves of one cell. */
export const largeFigures = async (
  databases: Databases,
  dataDir: string,
  { small, large, rounds }: LargeSizes,
  tell: (what: string) => void,
): Promise<Figure[]> => {
  const smallUrl = await databases.create('small');
  const school = await buildSchool({ databaseUrl: smallUrl }, dataDir, { uploads: 1, typing: rounds + 1, teachers: 1 });
  const others = Array.from({ length: SCHOOLS - 1 }, (_, at) => schoolOf(at + 1));
  const largeUrl = await databases.copy('small', 'large');
  for (const [url, events] of [
    [smallUrl, small],
    [largeUrl, large],
  ] as const) {
    tell(`loading ${events} events`);
    await loadLog(
      url,
      dataDir,
      others.flatMap((other) => [...papersOf(other)]),
    );
    await loadLog(url, dataDir, typingIn([measured(school), ...others], events));
  }
  tell('starting on both');
  const little = await started(smallUrl, dataDir, school);
  const start = performance.now();
  const big = await started(largeUrl, dataDir, school);
  const seconds = (performance.now() - start) / 1000;
  const generator = startGenerator();
  try {
    const figures = [];
    tell('commands on both');
    const typed = (at: Started) => async (round: number) => {
      const { latencies, refused } = await generator.run({
        url: at.server.url,
        typists: [typist(school, at.teacher, round)],
        ms: 1500,
        thinkMs: 0,
      });
      if (refused > 0) throw new Error(`${refused} saves were refused`);
      return median(latencies);
    };
    const uploaded = (at: Started) => async (round: number) => {
      const times = [];
      for (let number = 0; number < 10; number++) times.push(await uploadTotals(at, school.markbook, 1 + round * 10 + number));
      return median(times);
    };
    const size = `${large} events in the log, against ${small}`;
    for (const [what, work] of [
      ['typed mark', typed],
      ['file of 180 totals', uploaded],
    ] as const) {
      figures.push(
        compared(`${what}: median latency, ms, with ${size}`, await inTurn(rounds, work(big), work(little)), { is: '<=', than: 1.25 }),
      );
    }
    figures.push(
      plain(`start on ${large} events: memory at most, catching up and serving, MB`, big.server.peakMemory(), { is: '<', than: 300 }),
      plain(`start on ${large} events: seconds until it serves, all read models made anew`, seconds),
    );
    await Promise.all([little.server.stop(), big.server.stop()]);
    tell('rebuilding on the large one');
    const place = { databaseUrl: largeUrl, superuserUrl: databases.superuserUrl('large'), dataDir };
    figures.push(...(await rebuildAllFigures(place, { events: large, rounds: Math.min(3, rounds) })));
    return figures;
  } finally {
    await generator.stop();
    await little.server.stop();
    await big.server.stop();
  }
};

type Started = { readonly server: Server; readonly teacher: string; readonly leader: string };

const started = async (databaseUrl: string, dataDir: string, school: School): Promise<Started> => {
  const server = await startProduct(databaseUrl, dataDir);
  return { server, teacher: await signIn(server.url, school.teachers[0]!), leader: await signIn(server.url, school.leader) };
};

/** The subject that only totals are measured in. */
const measured = ({ schoolId, markbook, classFiles }: School): HistorySchool => ({
  schoolId,
  subjectId: classFiles.subjectId,
  teachers: markbook.sets.map(() => schoolId),
  classes: classFiles.sets.map(({ studentIds }) => studentIds),
  tests: classFiles.tests,
});

const typist = ({ typing }: School, cookie: string, round: number): Typist => ({
  cookie,
  entryId: randomUUID(),
  subjectId: typing.subjectId,
  testId: typing.tests[round]!.testId,
  studentIds: typing.sets[0]!.studentIds,
  questionIds: typing.tests[round]!.questionIds,
});

/** Uploads a file of the first class with a new total in every cell. Returns the ms until the response. */
const uploadTotals = async ({ server, leader }: Started, { subjectId, sets, tests }: Subject, version: number): Promise<number> => {
  const testIds = tests.slice(0, 6).map(({ testId }) => testId);
  const request = {
    method: 'POST',
    headers: { cookie: leader, 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() },
    body: JSON.stringify({
      subjectId,
      fileName: 'totals.csv',
      classes: [{ setId: sets[0]!.setId, testIds }],
      rows: students
        .slice(0, STUDENTS / CLASSES)
        .map(({ admissionNo, name }) => ({ admissionNo, name, totals: testIds.map(() => version % 150) })),
    }),
  };
  const start = performance.now();
  const answer = await fetch(`${server.url}/api/commands/UploadTotals`, request);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`the totals were refused: ${text}`);
  return performance.now() - start;
};
