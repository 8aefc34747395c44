/** (j) What the server and its database take while nobody does anything, shortly after people did; and while pages are open. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Figure, plain } from './figures.ts';
import { gaugeOf, quiet, serversOf, WRITERS } from './memory.ts';
import { secondsOf } from './processor-time.ts';
import { type Server, startGenerator, startPages } from './processes.ts';
import { type School, signIn } from './school.ts';
import { gridsOf } from './typing.ts';

export const restFigures = async (product: Server, databaseUrl: string, school: School, seconds: number): Promise<Figure[]> => {
  const cookies: string[] = [];
  for (const teacher of school.teachers.slice(0, WRITERS)) cookies.push(await signIn(product.url, teacher));
  await startGenerator().run({ url: product.url, typists: gridsOf(school, cookies, 0), ms: USE_MS, thinkMs: 0 });
  const path = `/api/queries/markbook?yearGroupId=${school.typing.yearGroupId}`;
  await (await fetch(product.url + path, { headers: { cookie: cookies[0]! } })).arrayBuffer();

  const gauge = await gaugeOf(product, databaseUrl);
  const servers = await serversOf(product, databaseUrl);
  /** of one processor, in ms a second */
  const load = async (): Promise<number> => {
    const before = secondsOf(servers) ?? Number.NaN;
    await pause(seconds * 1_000);
    return ((secondsOf(servers) ?? Number.NaN) - before) / (seconds / 1_000);
  };
  await quiet();
  const atRest = await load();
  const { server, both } = gauge();
  await startPages().run({ open: OPEN, url: product.url, paths: [path], cookies });
  await quiet();
  const what = `server and database in ${seconds} quiet seconds`;
  return [
    plain(`${what}: memory (PSS), MB`, both, { is: '<=', than: 200 }),
    plain(`${what}: of it the server, MB`, server),
    plain(`${what}: processor time, ms/s`, atRest, { is: '<=', than: 5 }),
    plain(`${what}, with ${OPEN} open markbooks: processor time, ms/s`, await load()),
  ];
};

/** How long people save before. */
const USE_MS = 5_000;
const OPEN = 50;
