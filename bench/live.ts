/** (i) One person types while others have the same markbook of 300 x 12 open: what their pages cost the saves, and what reaches them. */
import { randomUUID } from 'node:crypto';
import { type Figure, median, plain, quantile } from './figures.ts';
import { spending } from './processor-time.ts';
import type { Pages, Server } from './processes.ts';
import { type School, signIn } from './school.ts';

const CROWDS = [0, 1, 50, 300] as const;
const THINK_MS = 300;
/** Of rights: admins, leaders, teachers of the class, auditors. */
const CLASSES_OF_RIGHTS = 4;

type Round = {
  /** of each save until it was answered, and until half of the pages, and all, were told; ms */
  readonly saved: readonly number[];
  readonly half: readonly number[];
  readonly all: readonly number[];
  readonly bytesPerPage: number;
  readonly bytesAtFirst: number;
  readonly asked: number;
  readonly runs: number;
};

export const liveFigures = async (
  product: Server,
  pages: Pages,
  school: School,
  { saves }: { readonly saves: number },
): Promise<Figure[]> => {
  const cookies: string[] = [];
  for (const reader of school.readers) cookies.push(await signIn(product.url, reader));
  const typist = await signIn(product.url, school.leader);
  const path = `/api/queries/markbook?yearGroupId=${school.markbook.yearGroupId}`;
  const entryId = randomUUID();
  let seq = 0;

  const save = async (): Promise<{ readonly position: string; readonly sent: number; readonly took: number }> => {
    const { subjectId, sets, tests } = school.markbook;
    const studentIds = sets.flatMap((set) => set.studentIds);
    seq += 1;
    const cell = { studentId: studentIds[seq % studentIds.length], testId: tests[seq % tests.length]!.testId, is: seq % 150 };
    const sent = performance.timeOrigin + performance.now();
    const answer = await fetch(`${product.url}/api/commands/EnterMarks`, {
      method: 'POST',
      headers: { cookie: typist, 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() },
      body: JSON.stringify({ entryId, subjectId, seq, cells: [cell] }),
    });
    const { position } = (await answer.json()) as { position: string | null };
    if (!answer.ok || position === null) throw new Error(`a save was answered ${answer.status}`);
    return { position, sent, took: performance.timeOrigin + performance.now() - sent };
  };

  const round = async (crowd: number): Promise<Round> => {
    const { bytes: bytesAtFirst } = await pages.run({ open: crowd, url: product.url, path, cookies });
    await save();
    await pause(1_000);
    await pages.run({ until: '0' });
    const before = await runsOf(product);
    const [saved, half, all]: number[][] = [[], [], []];
    let [bytes, asked] = [0, 0];
    for (let number = 0; number < saves; number++) {
      const { position, sent, took } = await save();
      saved!.push(took);
      const told = await pages.run({ until: position });
      bytes += told.bytes;
      asked += told.asked;
      if (crowd > 0) {
        half!.push(quantile(told.at, 0.5) - sent);
        all!.push(Math.max(...told.at) - sent);
      }
      await pause(THINK_MS * (0.5 + Math.random()));
    }
    const runs = ((await runsOf(product)) - before) / saves;
    await pages.run({ close: true });
    return { saved: saved!, half: half!, all: all!, bytesPerPage: bytes / saves / crowd, bytesAtFirst: bytesAtFirst / crowd, asked, runs };
  };

  // Just-in-time compilation.
  for (let number = 0; number < WARM_SAVES; number++) await save();
  const figures: Figure[] = [];
  let alone = Number.NaN;
  for (const crowd of CROWDS) {
    const { result, spent } = await spending(() => round(crowd));
    const { saved, half, all, bytesPerPage, bytesAtFirst, asked, runs } = result;
    const p95 = quantile(saved, 0.95);
    if (crowd === 0) alone = p95;
    const with_ = `with ${crowd} open markbooks`;
    figures.push(
      crowd === 300
        ? { ...plain(`${with_}: 95 % of saves within, ms, against none`, p95), ...against(p95, alone), spent }
        : { ...plain(`${with_}: 95 % of saves within, ms`, p95), spent },
    );
    if (crowd === 0) continue;
    figures.push(
      plain(
        `${with_}: from sending a save until half of the pages hold it, ms`,
        median(half),
        crowd === 1 ? { is: '<=', than: 60 } : undefined,
      ),
      plain(`${with_}: until all hold it, ms`, median(all)),
      plain(`${with_}: bytes on the wire per page and save`, bytesPerPage, { is: '<=', than: 2_000 }),
      plain(`${with_}: readings of the markbook per save`, runs, { is: '<=', than: CLASSES_OF_RIGHTS }),
      plain(`${with_}: questions of pages while they followed`, asked),
    );
    if (crowd === 300)
      figures.push(plain('bytes of a year of 300 x 12 on the wire, with what opens the line', bytesAtFirst, { is: '<=', than: 60_000 }));
  }
  return figures;
};

const WARM_SAVES = 200;

const against = (value: number, limit: number): Pick<Figure, 'limit' | 'ratio' | 'goal' | 'met'> => ({
  limit,
  ratio: value / limit,
  goal: 'ratio <= 2',
  met: value / limit <= 2,
});

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** How often shared answers were read from the database. */
const runsOf = async ({ url }: Server): Promise<number> => {
  const text = await (await fetch(`${url}/api/metrics`)).text();
  return Number(/^marktrail_shared_query_runs_total (\d+)$/m.exec(text)?.[1]);
};
