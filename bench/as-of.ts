/**
 * (f) A school's read models as of an earlier moment: the first query, which fills them, against a rebuild of the same rows, and a second
 * query.
 */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { codec } from '../events/codec/codec.ts';
import { keyRing, settledForgettings } from '../events/codec/keys.ts';
import { openMasterKey } from '../events/codec/master-key.ts';
import { eventTypes } from '../events/registry.ts';
import { postgresStore } from '../events/store/postgres.ts';
import { projectionsOfAnyMoment } from '../projections/all.ts';
import { AsOf } from '../projections/engine/as-of/as-of.ts';
import type { Decode } from '../projections/engine/subscription/advance.ts';
import { Engine } from '../projections/engine/engine.ts';
import { Progress } from '../projections/engine/announcing/progress.ts';
import { schoolIndex } from '../projections/history/school-index.ts';
import { compared, type Figure, inTurn, median, plain } from './figures.ts';
import { loadLog } from './history/load.ts';
import { Marks } from './history/marks.ts';
import { papersOf, schoolOf } from './history/school.ts';

/** The year of one school. */
export const asOfFigures = async (
  databaseUrl: string,
  dataDir: string,
  { tests, rounds }: { readonly tests: number; readonly rounds: number },
): Promise<Figure[]> => {
  const school = schoolOf(1, tests);
  const marks = new Marks(school, 1);
  await loadLog(databaseUrl, dataDir, [...papersOf(school), ...marks.year()]);

  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  const store = postgresStore({ connectionString: databaseUrl });
  const events = codec({ registry: eventTypes, keys: keyRing({ pool, masterKey: await openMasterKey({ pool, dataDir }) }) });
  const decode: Decode = (recorded) => events.decode(recorded, (stream, from) => store.read(stream, from));
  const rebuild = async (schema: string): Promise<void> => {
    const progress = new Progress({ databaseUrl, schema });
    const engine = new Engine({ databaseUrl, schema, store, progress, projections: projectionsOfAnyMoment, decode });
    await engine.catchUp();
    await engine.stop();
  };
  await rebuild('read');
  const asOf = new AsOf({
    schemas: 1,
    keepMs: 0,
    turnMs: 0,
    idleMs: 3_600_000,
    patienceMs: 600_000,
    databaseUrl,
    store,
    decode,
    projections: projectionsOfAnyMoment,
    index: schoolIndex,
    upToDate: async () => undefined,
    forgettings: () => settledForgettings(pool),
  });
  const ask = (moment: string) =>
    asOf.read({ schoolId: school.schoolId, accountId: randomUUID(), moment }, (query) => query({ text: 'select from tests limit 1' }));
  const end = new Date().toISOString();
  try {
    await ask(end);
    const pairs = await inTurn(
      rounds,
      async () => {
        await ask('2001-01-01T00:00:00Z');
        return marks.changes / (await timed(() => ask(end)));
      },
      async () => {
        const ms = await timed(() => rebuild('again'));
        await pool.query('drop schema again cascade');
        return marks.changes / ms;
      },
    );
    const again: number[] = [];
    for (let round = 0; round < 20; round++) again.push(await timed(() => ask(end)));
    const rate = compared('as of: changes of marks per ms in the first answer, against a rebuild', pairs, { is: '>=', than: 0.5 });
    return [
      rate,
      plain(`as of: first answer for a school with ${marks.changes} changes of marks, s`, marks.changes / rate.value / 1000),
      plain('as of: the same moment asked again, ms', median(again)),
    ];
  } finally {
    await asOf.stop();
    await store.close();
    await pool.end();
  }
};

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};
