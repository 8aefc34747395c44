/**
 * (i) One person types while others have the same markbook of 300 x 12 open: what their pages cost the saves, what reaches them, and when a
 * page in a browser has drawn it.
 */
import { randomUUID } from 'node:crypto';
import { get } from 'node:http';
import type { Markbook } from '../api/marks/marks.contract.ts';
import { besidesRest } from './besides-rest.ts';
import { type Figure, median, plain, quantile } from './figures.ts';
import { serversOf } from './memory.ts';
import { spending } from './processor-time.ts';
import { counterOf, type Pages, type Server } from './processes.ts';
import { openInBrowser } from './redrawn.ts';
import { CLASSES, type School, signIn, STUDENTS } from './school.ts';

const CROWDS = [0, 1, 50, 300] as const;
const THINK_MS = 300;
/** Kinds of rights: admins, leaders, teachers of the class, auditors. */
const CLASSES_OF_RIGHTS = 4;

/** What was measured with so many pages, once or as the median of several rounds. */
type Round = {
  /** 95 % of the saves were answered within, ms */
  readonly p95: number;
  /** until half of the pages, and all, were told, ms */
  readonly half: number;
  readonly all: number;
  /** processor time of server and database for a save, beyond what they take at rest, ms */
  readonly cpu: number;
  readonly bytesPerPage: number;
  readonly asked: number;
  readonly runs: number;
  readonly refused: number;
};

/** ms; `cpu`: of server and database for a save, `inBrowser`: of all processes of the browser. */
type Redrawn = {
  readonly ms: number;
  readonly cpu: { readonly median: number; readonly mean: number };
  readonly inBrowser: number;
};

export const liveFigures = async (
  { product, pages, databaseUrl }: { readonly product: Server; readonly pages: Pages; readonly databaseUrl: string },
  school: School,
  { saves, rounds }: { readonly saves: number; readonly rounds: number },
): Promise<Figure[]> => {
  const cookies: string[] = [];
  for (const reader of school.readers) cookies.push(await signIn(product.url, reader));
  const typist = await signIn(product.url, school.leader);
  const path = `/api/queries/markbook?yearGroupId=${school.markbook.yearGroupId}`;
  const ofClass = ({ setId }: { readonly setId: string }): string => `${path}&setId=${setId}`;
  /** Half of the pages show the year group, and half a class. */
  const paths = school.markbook.sets.flatMap((set) => [path, ofClass(set)]);
  const entryId = randomUUID();
  const everybody = school.markbook.sets.flatMap(({ studentIds }) => studentIds);
  let seq = 0;
  let refused = 0;

  type Save = { readonly position: string | null; readonly sent: number; readonly took: number };
  const save = async (studentIds: readonly string[] = everybody): Promise<Save> => {
    const { subjectId, tests } = school.markbook;
    seq += 1;
    const cell = { studentId: studentIds[seq % studentIds.length], testId: tests[seq % tests.length]!.testId, is: markOf(seq) };
    const sent = now();
    const answer = await fetch(`${product.url}/api/commands/EnterMarks`, {
      method: 'POST',
      headers: { cookie: typist, 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() },
      body: JSON.stringify({ entryId, subjectId, seq, cells: [cell] }),
    });
    const { position = null } = (await answer.json()) as { position?: string | null };
    refused += Number(!answer.ok);
    return { position, sent, took: now() - sent };
  };

  const markOf = (number: number): number => 10 + ((number * 7) % 89);

  const servers = await serversOf(product, databaseUrl);

  const round = async (crowd: number): Promise<Round> => {
    await pages.run({ open: crowd, url: product.url, paths, cookies });
    await save();
    await pause(1_000);
    await pages.run({ until: '0' });
    const spent = besidesRest(servers, THINK_MS);
    const [runsBefore, refusedBefore] = [await runsOf(product), refused];
    const [took, half, all]: [number[], number[], number[]] = [[], [], []];
    let [bytes, asked] = [0, 0];
    for (let number = 0; number < saves; number++) {
      const { one, told } = await spent.during(async () => {
        const one = await save();
        return { one, told: await pages.run({ until: one.position ?? '0' }) };
      });
      took.push(one.took);
      bytes += told.bytes;
      asked += told.asked;
      if (crowd > 0) {
        half.push(quantile(told.at, 0.5) - one.sent);
        all.push(Math.max(...told.at) - one.sent);
      }
    }
    const runs = ((await runsOf(product)) - runsBefore) / saves;
    await pages.run({ close: true });
    return {
      p95: quantile(took, 0.95),
      half: median(half),
      all: median(all),
      cpu: spent.of().median,
      bytesPerPage: bytes / saves / crowd,
      asked,
      runs,
      refused: refused - refusedBefore,
    };
  };

  /** Saves until the table is drawn anew in a browser. */
  const redrawn = async (): Promise<Redrawn | undefined> => {
    const page = await openInBrowser(product.url, cookies[TEACHER]!);
    if (!page) return undefined;
    const { students } = (await (await fetch(product.url + path, { headers: { cookie: typist } })).json()) as Markbook;
    const shownId = students.find(({ name }) => name === SHOWN)!.studentId;
    const drawn = async (): Promise<number> => {
      const isDrawn = page.redrawn({ name: SHOWN, is: markOf(seq + 1) });
      const { sent } = await save([shownId]);
      return (await isDrawn) - sent;
    };
    try {
      for (let number = 0; number < WARM_REDRAWS; number++) await drawn();
      const times: number[] = [];
      const spent = besidesRest(servers, THINK_MS);
      const before = await page.spent();
      for (let number = 0; number < REDRAWS * saves; number++) times.push(await spent.during(drawn));
      return { ms: median(times), cpu: spent.of(), inBrowser: ((await page.spent()) - before) / times.length };
    } finally {
      await page.close();
    }
  };

  // Just-in-time compilation.
  for (let number = 0; number < WARM_SAVES; number++) await save();
  const figures: Figure[] = [];
  const alone: number[] = [];
  for (const crowd of CROWDS) {
    const all: Round[] = [];
    const measured = await spending(async () => {
      for (let number = 0; number < rounds; number++) all.push(await round(crowd));
    });
    const of = (figure: keyof Round): number => median(all.map((one) => one[figure]));
    const most = (figure: keyof Round): number => Math.max(...all.map((one) => one[figure]));
    const with_ = `with ${crowd} open markbooks`;
    const say = (what: string, value: number, goal?: Parameters<typeof plain>[2]): void =>
      void figures.push(plain(`${with_}: ${what}`, value, goal, measured.spent));
    if (crowd === 0) alone.push(of('p95'));
    if (crowd === 300)
      figures.push({
        ...plain(`${with_}: 95 % of saves within, ms, against none`, of('p95')),
        ...against(of('p95'), alone[0]!),
        spent: measured.spent,
      });
    else say('95 % of saves within, ms', of('p95'));
    say('saves refused', most('refused'), { is: '<=', than: 0 });
    say(CPU, of('cpu'), crowd === 1 ? { is: '<=', than: 20 } : undefined);
    if (crowd === 0) continue;
    say('from sending a save until half of the pages hold it, ms', of('half'), crowd === 1 ? { is: '<=', than: 60 } : undefined);
    say('until all hold it, ms', of('all'));
    say('bytes on the wire per page and save', of('bytesPerPage'), { is: '<=', than: 2_000 });
    say('readings of the markbook per save', of('runs'), { is: '<=', than: CLASSES_OF_RIGHTS });
    say('questions of pages while they followed', most('asked'));
  }
  const drawing = await spending(redrawn);
  if (drawing.result) {
    const one = 'one markbook in a browser';
    figures.push(
      plain(
        `${one}: from sending a save until it is drawn, median of ${REDRAWS * saves}, ms`,
        drawing.result.ms,
        { is: '<=', than: 60 },
        drawing.spent,
      ),
      plain(`${one}: ${CPU}`, drawing.result.cpu.median, { is: '<=', than: 20 }, drawing.spent),
      plain(`${one}: the same, mean`, drawing.result.cpu.mean, undefined, drawing.spent),
      plain(`${one}: processor time of the browser for a save, ms`, drawing.result.inBrowser, undefined, drawing.spent),
    );
  }
  const bytes = await bytesOf(product.url + path, typist);
  const ofClasses = await Promise.all(school.markbook.sets.map((set) => bytesOf(product.url + ofClass(set), typist)));
  const classBytes = Math.max(...ofClasses);
  figures.push(
    plain(`bytes of a year of ${STUDENTS} x 12 on the wire`, bytes, { is: '<=', than: 60_000 }),
    plain(`bytes of a class of ${STUDENTS / CLASSES} x 12 on the wire, with the means of its year`, classBytes, { is: '<=', than: 15_000 }),
  );
  return figures;
};

/** Among the readers. */
const TEACHER = 2;
/** In the first row of their class. */
const SHOWN = 'Student 0';
/** As many as in typing.ts. */
const WARM_SAVES = 3_000;
const WARM_REDRAWS = 30;
/** For each save of a round. */
const REDRAWS = 3;
const CPU = 'processor time of server and database for a save, median, ms';

const against = (value: number, limit: number): Pick<Figure, 'limit' | 'ratio' | 'goal' | 'met'> => ({
  limit,
  ratio: value / limit,
  goal: 'ratio <= 2',
  met: value / limit <= 2,
});

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The same clock in every process. */
const now = (): number => performance.timeOrigin + performance.now();

/** Bytes of the body, as it travels to a browser. */
const bytesOf = (url: string, cookie: string): Promise<number> =>
  new Promise((resolve, reject) => {
    get(url, { headers: { cookie, 'accept-encoding': 'gzip, deflate, br' } }, (answer) => {
      let bytes = 0;
      answer.on('data', (part: Buffer) => (bytes += part.length)).on('end', () => resolve(bytes));
    }).on('error', reject);
  });

/** How often shared answers were read from the database. */
const runsOf = (product: Server): Promise<number> => counterOf(product, 'marktrail_shared_query_runs_total');
