/** (a) Saves of one cell over HTTP against a bare server, and (d) a staff room typing into one test. */
import { randomUUID } from 'node:crypto';
import { compared, type Figure, inTurn, plain, quantile } from './figures.ts';
import type { Typist } from './load/job.ts';
import { counterOf, type Generator, type Server } from './processes.ts';
import { CLASSES, QUESTIONS, type School, signIn } from './school.ts';

export type Typing = {
  readonly product: Server;
  readonly bare: Server;
  readonly generator: Generator;
  readonly school: School;
  readonly cookies: readonly string[];
};

export const commandFigures = async (
  { product, bare, generator, school, cookies }: Typing,
  { rounds, ms }: { rounds: number; ms: number },
  hear: (figure: Figure) => void,
): Promise<Figure[]> => {
  const figures: Figure[] = [];
  let test = 0;
  const saves = async (url: string, clients: number, during = ms, beyond = 0): Promise<number> => {
    const { perSecond, refused } = await generator.run({
      url,
      typists: gridsOf(school, cookies.slice(0, clients), test + beyond),
      ms: during,
      thinkMs: 0,
    });
    if (refused > 0) throw new Error(`${refused} saves were refused`);
    return perSecond;
  };
  for (const { url } of [product, bare]) {
    const perSecond = await saves(url, cookies.length, ms);
    await saves(url, cookies.length, (1000 * WARM_SAVES) / perSecond, 1);
  }
  test = 1;
  // A single client waits for each of its round trips: who writes, and what the cell holds, is asked for each save.
  for (const [clients, least] of [
    [1, 0.25],
    [32, 0.4],
  ] as const) {
    test += 1;
    const pairs = await inTurn(
      rounds,
      () => saves(product.url, clients).finally(() => (test += 1)), // the next on an empty test again
      () => saves(bare.url, clients),
    );
    const who = clients === 1 ? '1 client' : `${clients} clients`;
    const figure = compared(`HTTP: commands/s, ${who}, against a bare insert per request`, pairs, { is: '>=', than: least });
    figures.push(figure);
    hear(figure);
  }
  return figures;
};

/**
 * Warm-up saves for both sides, to exclude just-in-time compilation. In the product, a save took 1.9 ms of the main thread at first, 1.1
 * after 1,000 saves and 0.85 after 3,000; in the bare server 0.9 at first and 0.4 in the end.
 */
const WARM_SAVES = 3_000;

/** A save every 300 ms from each of 30 people, all on the last test of the subject. */
export const staffRoomFigures = async ({ product, generator, school, cookies }: Typing, seconds: number): Promise<Figure[]> => {
  const typists = gridsOf(school, cookies.slice(0, 30), school.typing.tests.length - 1);
  const retriesBefore = await retriesOf(product);
  const { refused, latencies, stored } = await generator.run({ url: product.url, typists, ms: seconds * 1000, thinkMs: 300 });
  const retries = (await retriesOf(product)) - retriesBefore;
  const what = `30 typists on one test for ${seconds} s (${stored} saves)`;
  return [
    plain(`${what}: refused or retried`, refused + retries, { is: '<=', than: 0 }),
    plain('30 typists: 95 % of saves answered within, ms', quantile(latencies, 0.95)),
  ];
};

/** One after the other, because checking passwords is slow on purpose. */
export const signInAll = async (product: Server, { teachers }: School): Promise<string[]> => {
  const cookies = [];
  for (const teacher of teachers) cookies.push(await signIn(product.url, teacher));
  return cookies;
};

/** Everybody has a class; teachers who share one have different questions. */
export const gridsOf = ({ typing }: School, cookies: readonly string[], test: number): Typist[] => {
  const { testId, questionIds } = typing.tests[test]!;
  const sharing = Math.ceil(cookies.length / CLASSES);
  const share = Math.floor(QUESTIONS / sharing);
  return cookies.map((cookie, number) => {
    const from = Math.floor(number / CLASSES) * share;
    return {
      cookie,
      entryId: randomUUID(),
      subjectId: typing.subjectId,
      testId,
      studentIds: typing.sets[number % CLASSES]!.studentIds,
      questionIds: questionIds.slice(from, from + share),
    };
  });
};

/** Commands that were decided again because of a concurrent append. */
const retriesOf = (product: Server): Promise<number> => counterOf(product, 'marktrail_command_retries_total');
