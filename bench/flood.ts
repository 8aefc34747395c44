/** (h) More than can be handled at once: eight clients that only save, at full speed, beside a reader; and a thousand readers at once. */
import pg from 'pg';
import { type Figure, median, plain, quantile } from './figures.ts';
import type { Outcome } from './load/job.ts';
import { gaugeOf, quiet, WRITERS } from './memory.ts';
import { spending } from './processor-time.ts';
import type { Typing } from './typing.ts';
import { gridsOf } from './typing.ts';

const READERS = 1_000;
/** Between two questions of the reader. */
const LOOK_MS = 300;

export const floodFigures = async (
  { product, generator, school, cookies }: Typing,
  { databaseUrl, seconds }: { readonly databaseUrl: string; readonly seconds: number },
): Promise<Figure[]> => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  const head = async (): Promise<string> =>
    (await pool.query<{ head: string }>('select max(position) as head from log.events')).rows[0]!.head;
  const gauge = await gaugeOf(product, databaseUrl);
  const memory = (): number => gauge().both;
  const [cookie = ''] = cookies;
  const markbook = `/api/queries/markbook?yearGroupId=${school.typing.yearGroupId}`;
  try {
    await quiet();
    const atRest = memory();

    const reading = new AbortController();
    const memories: number[] = [];
    const watch = setInterval(() => memories.push(memory()), 500);
    const flood = spending(() =>
      generator.run({
        url: product.url,
        typists: gridsOf(school, cookies.slice(0, WRITERS), 0),
        ms: seconds * 1000,
        thinkMs: 0,
        patient: true,
      }),
    ).finally(() => reading.abort());
    const before = await head();
    const right: number[] = [];
    let refused = 0;
    while (!reading.signal.aborted) {
      const position = await head();
      const since = performance.now();
      for (let isRight = false; !isRight;) {
        const answer = await fetch(product.url + markbook, { headers: { cookie, 'X-Min-Position': position } });
        await answer.arrayBuffer();
        isRight = answer.status === 200;
        if (!isRight) refused += 1;
      }
      right.push(performance.now() - since);
      await pause(LOOK_MS);
    }
    const { result: saves, spent } = await flood;
    clearInterval(watch);
    const written = Number(await head()) - Number(before);

    const typist = (test: number, ms: number): Promise<Outcome> =>
      generator.run({ url: product.url, typists: gridsOf(school, cookies.slice(0, 1), test), ms, thinkMs: 100, patient: true });
    const crowd = await spending(async () => {
      const asked = typist(1, 6_000);
      const answers = await Promise.all(
        Array.from({ length: READERS }, async () => {
          const since = performance.now();
          const answer = await fetch(product.url + markbook, { headers: { cookie } });
          await answer.arrayBuffer();
          return {
            status: answer.status,
            isClear: answer.status === 200 || answer.headers.has('Retry-After'),
            ms: performance.now() - since,
          };
        }),
      );
      return { answers, saves: await asked };
    });
    const { answers } = crowd.result;
    const served = answers.filter(({ status }) => status === 200).length;
    const who = `${WRITERS} clients that only save`;
    const third = Math.ceil(memories.length / 3);
    return [
      plain(
        `${who} (${Math.round(saves.perSecond)} saves/s, ${saves.told} told to slow down): a reader is right within, ms, at most`,
        Math.max(...right),
        { is: '<=', than: 2_000 },
        spent,
      ),
      plain(`${who}: the same, median, ms`, median(right), undefined, spent),
      plain(`${who}: 503 to the reader`, refused, { is: '<=', than: 0 }, spent),
      plain(
        `${who}: saves refused, or stored but not in the log`,
        saves.refused + Math.max(0, saves.stored - written - 1),
        { is: '<=', than: 0 },
        spent,
      ),
      plain('memory (PSS) of server and database at rest, MB', atRest, { is: '<=', than: 300 }),
      plain(`memory (PSS) at most while ${who}, MB`, Math.max(...memories), { is: '<=', than: 450 }, spent),
      plain(`memory (PSS) while ${who}: last third against the first`, median(memories.slice(-third)) / median(memories.slice(0, third))),
      plain(
        `${READERS} readers at once (${served} served, ${READERS - served} told to come back): the last answer after, ms`,
        Math.max(...answers.map(({ ms }) => ms)),
        { is: '<=', than: 10_000 },
        crowd.spent,
      ),
      plain(
        `${READERS} readers at once: not told when to come back`,
        answers.filter(({ isClear }) => !isClear).length,
        { is: '<=', than: 0 },
        crowd.spent,
      ),
      plain(
        `${READERS} readers at once: 95 % of the saves of a typist within, ms`,
        quantile(crowd.result.saves.latencies, 0.95),
        undefined,
        crowd.spent,
      ),
    ];
  } finally {
    await pool.end();
  }
};

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
