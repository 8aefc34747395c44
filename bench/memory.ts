/** (i) Memory of the server and its database over a long time, while eight clients only save and somebody reads. */
import pg from 'pg';
import { type Figure, median, plain } from './figures.ts';
import type { Server } from './processes.ts';
import { parentOf, spending, treeMegabytes } from './processor-time.ts';
import { gridsOf, type Typing } from './typing.ts';

export const WRITERS = 8;
/** Between two questions of the reader. */
const LOOK_MS = 300;

/** Reads the memory (PSS) of the server and of its database, in MB. */
export type Gauge = () => { readonly server: number; readonly database: number; readonly both: number };

export const gaugeOf = async (product: Server, databaseUrl: string): Promise<Gauge> => {
  const servers = await serversOf(product, databaseUrl);
  return () => {
    const [server, all] = [treeMegabytes([product.pid]), treeMegabytes(servers)];
    return { server, database: all - server, both: all };
  };
};

/** The processes of the product and of its database that have started all others of theirs. */
export const serversOf = async (product: Server, databaseUrl: string): Promise<readonly number[]> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const database = parentOf(rows[0]!.pid);
  await client.end();
  return [product.pid, database];
};

/** Idle connections have been given back, and garbage collected. */
export const quiet = (): Promise<void> => pause(25_000);

/** Each minute is typed into another test, as a school does: otherwise what grows is the history of the cells. */
export const enduranceFigures = async (
  { product, generator, school, cookies }: Typing,
  { databaseUrl, minutes, tell }: { readonly databaseUrl: string; readonly minutes: number; readonly tell: (what: string) => void },
): Promise<Figure[]> => {
  const gauge = await gaugeOf(product, databaseUrl);
  await quiet();
  const atRest = gauge().both;
  tell(`at rest: ${said(gauge())}`);
  const highest: number[] = [];
  const { spent } = await spending(async () => {
    for (let minute = 0; minute < minutes; minute++) {
      let most = gauge();
      const watch = setInterval(() => {
        const now = gauge();
        if (now.both > most.both) most = now;
      }, 2_000);
      const reading = new AbortController();
      const read = keepReading(product, school.typing.yearGroupId, cookies[0] ?? '', reading.signal);
      const typists = gridsOf(school, cookies.slice(0, WRITERS), minute % school.typing.tests.length);
      const { perSecond, refused } = await generator.run({ url: product.url, typists, ms: 60_000, thinkMs: 0, patient: true });
      clearInterval(watch);
      reading.abort();
      await read;
      if (refused > 0) throw new Error(`${refused} saves were refused`);
      highest.push(most.both);
      tell(`minute ${minute + 1}: at most ${said(most)}, ${Math.round(perSecond)} saves/s`);
    }
  });
  await quiet();
  tell(`at rest again: ${said(gauge())}`);
  const third = Math.ceil(minutes / 3);
  const what = `memory (PSS) of server and database in ${minutes} minutes of ${WRITERS} clients that only save`;
  return [
    plain(`${what}: at rest before, MB`, atRest, { is: '<=', than: 300 }),
    plain(`${what}: at most, MB`, Math.max(...highest), { is: '<=', than: 450 }, spent),
    plain(`${what}: at rest after, MB`, gauge().both, { is: '<=', than: 300 }),
    plain(
      `${what}: the last third against the one before`,
      median(highest.slice(-third)) / median(highest.slice(-2 * third, -third)),
      { is: '<=', than: 1.05 },
      spent,
    ),
  ];
};

const keepReading = async (product: Server, yearGroupId: string, cookie: string, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    const answer = await fetch(`${product.url}/api/queries/markbook?yearGroupId=${yearGroupId}`, { headers: { cookie } });
    await answer.arrayBuffer();
    await pause(LOOK_MS);
  }
};

const said = ({ server, database, both }: ReturnType<Gauge>): string =>
  `${both.toFixed(0)} MB (server ${server.toFixed(0)}, database ${database.toFixed(0)})`;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
