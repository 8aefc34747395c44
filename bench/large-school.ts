/** (y) A school of 31,022 students in 2,410 sets of one year: what a file of 5,000 totals and the year's markbook take. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { systemActor } from '../api/actor.ts';
import { toColumns } from '../events/codec/columnar.ts';
import { uuidv5 } from '../events/codec/ids.ts';
import { defaultThresholds } from '../events/school/subject.ts';
import { commandClient } from '../run/command-client.ts';
import { openBackend } from '../run/backend.ts';
import { readSettings } from '../run/settings.ts';
import { type Figure, median, plain } from './figures.ts';
import type { Draft } from './history/draft.ts';
import { loadLog } from './history/load.ts';
import { papersOf } from './history/school.ts';
import { startProduct } from './processes.ts';
import { signIn } from './school.ts';

export type LargeSchoolSize = { readonly students: number; readonly sets: number; readonly rounds: number };

/** @param databaseUrl a migrated database with an empty log */
export const largeSchoolFigures = async (databaseUrl: string, dataDir: string, size: LargeSchoolSize): Promise<Figure[]> => {
  const { rounds } = size;
  const schoolId = await openSchool(databaseUrl, dataDir);
  const { subjectId, yearGroupId, sets, tests, students } = yearOf(schoolId, size);
  await loadLog(databaseUrl, dataDir, draftsOf(yearOf(schoolId, size)));
  const server = await startProduct(databaseUrl, dataDir);
  try {
    const cookie = await signIn(server.url, ADMIN);
    const asked = async (path: string, body?: unknown) => {
      const start = performance.now();
      const headers = { cookie, 'Content-Type': 'application/json' };
      const answer = await fetch(`${server.url}/api/queries/${path}`, {
        headers,
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${path} was refused: ${text}`);
      return { ms: performance.now() - start, kB: text.length / 1000 };
    };
    const rows = students.slice(0, ROWS).map(({ admissionNo, name }, at) => ({ admissionNo, name, totals: [at % 90] }));
    const inFile = new Set(students.slice(0, ROWS).map(({ setId }) => setId));
    const classes = [...inFile].map((setId) => ({ setId, testIds: [tests[0]!.testId] }));
    const previews = [];
    for (let round = 0; round < rounds; round++) previews.push(await asked('preview-totals', { subjectId, classes, rows }));
    const page = (more: string) => asked(`markbook?yearGroupId=${yearGroupId}&rows=15${more}`);
    const first = await page('');
    const pages = [];
    for (let round = 0; round < rounds; round++) pages.push(await page(`&from=${15 * round}&dir=desc&sort=${tests[1]!.testId}`));
    await pause(LATER_MS);
    const later = await page('&from=15');
    const of = `${students.length} students in ${sets.length} sets`;
    return [
      plain(`${of}: the first preview of ${rows.length} totals, ms`, previews[0]!.ms, { is: '<=', than: 1500 }),
      plain(`${of}: a preview of ${rows.length} totals, ms`, median(previews.map(({ ms }) => ms))),
      plain(`${of}: the year's markbook to its first page, the first time, ms`, first.ms, { is: '<=', than: 500 }),
      plain(`${of}: the year's markbook to a page by a test, ms`, median(pages.map(({ ms }) => ms)), { is: '<=', than: 500 }),
      plain(`${of}: the year's markbook to its second page ${LATER_MS / 1000} s later, ms`, later.ms, { is: '<=', than: 500 }),
      plain(`${of}: the year's markbook to its first page, kB`, first.kB, { is: '<=', than: 300 }),
      plain(`${of}: memory of the server after it, MB`, server.memory()),
      plain(`${of}: memory of the server at most, MB`, server.peakMemory()),
    ];
  } finally {
    await server.stop();
  }
};

const ROWS = 5_000;
/** As long as somebody reads a page. */
const LATER_MS = 8_000;
const TESTS = 4;
const MAXIMUM = 100;
const ADMIN = { email: 'large@bench.example', password: 'correct-horse' };

/** The school and its admin, by commands: the rest of it is loaded. */
const openSchool = async (databaseUrl: string, dataDir: string): Promise<string> => {
  const backend = await openBackend({ ...readSettings({ DATA_DIR: dataDir }), databaseUrl, tell: () => undefined });
  try {
    const schoolId = randomUUID();
    const system = commandClient(backend.bus, systemActor(schoolId));
    await system('school', 'OpenSchool', { name: 'Large School' });
    await system('admin', 'OpenStaffAccount', { ...ADMIN, name: 'Admin', role: 'admin' });
    return schoolId;
  } finally {
    await backend.close();
  }
};

type Year = ReturnType<typeof yearOf>;

const yearOf = (schoolId: string, size: LargeSchoolSize) => {
  const id = (name: string): string => uuidv5(name, schoolId);
  const sets = Array.from({ length: size.sets }, (_, at) => id(`set ${at}`));
  return {
    schoolId,
    subjectId: id('subject'),
    schemeId: id('scheme'),
    yearGroupId: id('year'),
    sets,
    tests: Array.from({ length: TESTS }, (_, at) => ({ testId: id(`test ${at}`), questionIds: [id(`question ${at}`)] })),
    students: Array.from({ length: size.students }, (_, at) => ({
      studentId: id(`student ${at}`),
      setId: sets[Math.floor((at * size.sets) / size.students)]!,
      admissionNo: `L${at}`,
      name: `${nameOf((at * 7919) % size.students)}, ${nameOf(at % 997)}`,
    })),
  };
};

/** Names of letters, as people have: 'Kadofe'. */
const nameOf = (number: number): string => {
  const syllables = [number % 50, Math.floor(number / 50) % 50, Math.floor(number / 2500) % 50].map(
    (one) => CONSONANTS[one % 10]! + VOWELS[Math.floor(one / 10)]!,
  );
  const name = syllables.join('');
  return name.charAt(0).toUpperCase() + name.slice(1);
};
const CONSONANTS = 'bdfgklmnrt';
const VOWELS = 'aeiou';

function* draftsOf(year: Year): Generator<Draft> {
  const { schoolId, subjectId, schemeId, yearGroupId, sets, tests, students } = year;
  const draft = { schoolId, accountId: schoolId };
  const ofSubject = { ...draft, stream: `subject-${schoolId}.${subjectId}` };
  yield { ...ofSubject, event: { type: 'SubjectAdded', data: { name: 'Mathematics' } } };
  yield {
    ...draft,
    stream: `scheme-${schoolId}.${schemeId}`,
    event: { type: 'SchemeAdded', data: { subjectId, name: 'Mathematics' } },
  };
  yield { ...ofSubject, event: { type: 'YearGroupAdded', data: { yearGroupId, year: 11 } } };
  yield* papersOf({ schoolId, subjectId, tests, teachers: [], classes: [] }, MAXIMUM);
  const testIds = tests.map(({ testId }) => testId);
  for (const [at, setId] of sets.entries()) {
    const data = { setId, yearGroupId, name: `11X${at}`, schemeId, thresholds: defaultThresholds };
    yield { ...ofSubject, event: { type: 'SetAdded', data } };
    yield { ...ofSubject, event: { type: 'SetAssessmentsChosen', data: { setId, testIds } } };
  }
  for (let from = 0; from < students.length; from += FILE) {
    const some = students.slice(from, from + FILE);
    yield {
      ...draft,
      stream: `roster-${schoolId}`,
      event: {
        type: 'StudentsImported',
        data: {
          subjectId,
          added: some.map(({ studentId, setId, admissionNo, name }) => ({
            studentId,
            setId,
            person: { admissionNo, name, dateOfBirth: null, tag: uuidv5(admissionNo, schoolId) },
          })),
          enrolled: [],
          moved: [],
          corrected: [],
          offRolled: [],
          removed: [],
          about: { fileName: 'students.csv' },
        },
      },
    };
    const marks = toColumns(
      some.flatMap(({ studentId }, at) =>
        testIds.map((testId, column) => ({
          cell: { kind: 'total' as const, testId },
          studentId,
          max: MAXIMUM,
          is: ((from + at) * 31 + column * 17) % MAXIMUM,
          was: [],
        })),
      ),
    );
    yield {
      ...draft,
      stream: `entry-${schoolId}.${uuidv5(`entry ${from}`, schoolId)}`,
      event: { type: 'TotalsUploaded', data: { subjectId, marks, about: { fileName: 'totals.csv' } } },
    };
  }
}

/** Students of one file. */
const FILE = 500;
