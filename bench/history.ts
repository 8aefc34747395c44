/** (x) History: a year of 300 students and 60 assessments as of an earlier moment, the first time and after. */
import { randomUUID } from 'node:crypto';
import { systemActor } from '../api/actor.ts';
import { uuidv5 } from '../events/codec/ids.ts';
import { AsOfFilling } from '../projections/engine/as-of/busy.ts';
import { openBackend } from '../run/backend.ts';
import { readSettings } from '../run/settings.ts';
import { type Figure, median, plain } from './figures.ts';
import type { Draft } from './history/draft.ts';
import { loadLog } from './history/load.ts';
import { typingIn } from './history/marks.ts';
import { type HistorySchool, papersOf, schoolOf } from './history/school.ts';
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

type HistorySize = { readonly rounds: number; readonly tests: number; readonly large: LargeSize };
type LargeSize = { readonly students: number; readonly saves: number };

/**
 * A school with so many students, and so many saves of one cell each: when who prefers to is told for the first time how far an earlier moment
 * is, and when it is there.
 */
export const largeMomentFigures = async (databaseUrl: string, dataDir: string, { students, saves }: LargeSize): Promise<Figure[]> => {
  const school = schoolOf(1, 12);
  const events = await loadLog(databaseUrl, dataDir, [...papersOf(school), ...rosterOf(school, students), ...typingIn([school], saves)]);
  const backend = await openBackend({ ...readSettings({ DATA_DIR: dataDir }), databaseUrl, tell: () => undefined });
  try {
    const admin = { ...systemActor(school.schoolId), accountId: randomUUID(), role: 'admin' as const };
    const options = { asOf: new Date().toISOString(), fillingMs: 1_000 };
    const times: number[] = [];
    const start = performance.now();
    for (let isThere = false; !isThere;) {
      isThere = await backend.queries.ask('history', admin, {}, options).then(
        () => true,
        (error: unknown) => {
          if (error instanceof AsOfFilling) return false;
          throw error;
        },
      );
      times.push(performance.now() - start);
    }
    const what = `as of: a school of ${events} events and ${students} students`;
    return [
      plain(`${what}, first answer, s`, (times[0] ?? Number.NaN) / 1_000, { is: '<=', than: 2 }),
      plain(`${what}, there after, s`, (times.at(-1) ?? Number.NaN) / 1_000),
    ];
  } finally {
    await backend.close();
  }
};

/** Files of 50 students. */
function* rosterOf({ schoolId, subjectId, classes }: HistorySchool, students: number): Generator<Draft> {
  for (let from = 0; from < students; from += 50) {
    const added = Array.from({ length: Math.min(50, students - from) }, (_, place) => {
      const number = from + place;
      const person = { admissionNo: `M${number}`, name: `Surname, Name ${number}`, dateOfBirth: '2010-05-01', tag: `1.${number}` };
      return { studentId: classes.flat()[number] ?? randomUUID(), setId: uuidv5(`set ${number % 40}`, schoolId), person };
    });
    yield {
      schoolId,
      accountId: schoolId,
      stream: `roster-${schoolId}.${subjectId}`,
      event: {
        type: 'StudentsImported',
        data: { subjectId, added, enrolled: [], moved: [], corrected: [], offRolled: [], removed: [], about: { fileName: 'students.csv' } },
      },
    };
  }
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};
