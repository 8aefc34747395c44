/** (x) History: a year of 300 students and 60 assessments as of an earlier moment, the first time and after. */
import { randomUUID } from 'node:crypto';
import { systemActor } from '../api/actor.ts';
import { openBackend } from '../run/backend.ts';
import { readSettings } from '../run/settings.ts';
import { type Figure, median, plain } from './figures.ts';
import { buildTaught } from './taught.ts';

/** @param databaseUrl a migrated database with an empty log */
export const historyFigures = async (databaseUrl: string, dataDir: string, { rounds, tests }: HistorySize): Promise<Figure[]> => {
  // One schema, which is given up at once: so every other moment is put together anew.
  const asOfTerms = { schemas: 1, keepMs: 0, turnMs: 0 };
  const backend = await openBackend({ ...readSettings({ DATA_DIR: dataDir }), databaseUrl, asOfTerms, tell: () => undefined });
  try {
    const { schoolId, testIds } = await buildTaught(backend, { sets: 10, students: 30, tests, questions: 13 }, 0);
    const admin = { ...systemActor(schoolId), accountId: randomUUID(), role: 'admin' as const };
    const [year] = await backend.readAs(schoolId, (query) =>
      query<{ yearGroupId: string }>('select year_group_id as "yearGroupId" from year_groups where school_id = $1'),
    );
    const now = new Date().toISOString();
    const lookAt = (asOf: string) => timed(() => backend.queries.ask('markbook', admin, year, { asOf }));
    const opened = (asOf: string) => timed(() => backend.queries.ask('history', admin, {}, { asOf }));
    const [first, after]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      await opened('2001-01-01T00:00:00Z');
      first.push(await lookAt(now));
      after.push(await lookAt(now), await lookAt(now));
    }
    const what = `as of: markbook of a year of 300 x ${testIds.length}`;
    return [
      plain(`${what}, the first time, s`, median(first) / 1_000, { is: '<=', than: 5 }),
      plain(`${what}, after, ms`, median(after), { is: '<=', than: 200 }),
    ];
  } finally {
    await backend.close();
  }
};

type HistorySize = { readonly rounds: number; readonly tests: number };

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};
