/** (n) The lists of a school with 1,500 students and their accounts, 60 sets and 60 assessments, an import of all students, and a new school year. */
import { randomUUID } from 'node:crypto';
import type { Actor } from '../api/actor.ts';
import { systemActor } from '../api/actor.ts';
import type { CommandAnswer } from '../api/contract/live.ts';
import type { Structure } from '../api/school/school.contract.ts';
import type { ImportCounts, ImportPreview } from '../api/students/students.contract.ts';
import { commandClient } from '../run/command-client.ts';
import type { ResourceName } from '../api/resources.ts';
import type { Backend } from '../run/backend.ts';
import { openBackend } from '../run/backend.ts';
import { readSettings } from '../run/settings.ts';
import { type Figure, median, plain } from './figures.ts';
import { startProduct } from './processes.ts';
import { type Login, signIn } from './school.ts';

const STUDENTS = 1_500;
const SETS = 60;
const ASSESSMENTS = 60;
const QUESTIONS = 20;
/** Requests per list; the median counts. */
const TIMES = 15;

/** @param databaseUrl a migrated database with an empty log */
export const administrationFigures = async (databaseUrl: string, dataDir: string): Promise<Figure[]> => {
  const { subjectId, admin } = await buildAdministration(databaseUrl, dataDir);
  const product = await startProduct(databaseUrl, dataDir);
  try {
    const cookie = await signIn(product.url, admin);
    const send = async <Answer>(path: string, body?: unknown): Promise<Answer> => {
      const answer = await fetch(`${product.url}${path}`, {
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
        headers: { 'Content-Type': 'application/json', Cookie: cookie, Origin: product.url.replace('127.0.0.1', 'localhost') },
      });
      if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
      return (await answer.json()) as Answer;
    };
    const lists = [];
    for (const [of, path] of listsOf(subjectId)) {
      const times = [];
      for (let time = 0; time < TIMES; time++) times.push(await timed(() => send(path)));
      lists.push(plain(`list of ${of}, ms from request to answer`, median(times), { is: '<', than: 100 }));
    }
    const file = { subjectId, fileName: 'students.csv', rows: studentsIn('12'), others: 'keep' };
    const previews: ImportPreview[] = [];
    const preview = await timed(async () => previews.push(await send<ImportPreview>('/api/queries/preview-students', file)));
    const commits: CommandAnswer<ImportCounts>[] = [];
    const commit = await timed(async () =>
      commits.push(await send<CommandAnswer<ImportCounts>>('/api/commands/ImportStudents', { ...file, seen: previews[0]?.seen })),
    );
    if (commits[0]?.result.moved !== STUDENTS) throw new Error(`not everybody was moved: ${JSON.stringify(commits[0])}`);
    return [
      plain(`preview of an import of ${STUDENTS} students, ms`, preview, { is: '<=', than: 2_000 }),
      plain(`commit of that import, ms`, commit, { is: '<=', than: 3_000 }),
      ...(await schoolYearFigures(send, subjectId)),
      ...lists,
    ];
  } finally {
    await product.stop();
  }
};

type Send = <Answer>(path: string, body?: unknown) => Promise<Answer>;

/** Both years move up, some sets end or merge, and as many students come as leave. */
const schoolYearFigures = async (send: Send, subjectId: string): Promise<Figure[]> => {
  const { yearGroups, schemes } = await send<Structure>(`/api/queries/structure?subjectId=${subjectId}`);
  const sets = yearGroups.flatMap(({ year, sets: of }) =>
    of.map((set) => ({ ...set, name: set.name.replace(`${year}`, `${year + 1}`), year: year + 1 })),
  );
  const becomes = ({ name, year }: (typeof sets)[number], index: number) => {
    if (index % 10 === 1) return { into: null };
    return index % 10 === 2 ? { into: sets[index + 1]?.name } : { name, year };
  };
  const plan = {
    day: '2026-09-01',
    yearGroups: yearGroups.map(({ yearGroupId, year }) => ({ yearGroupId, year: year + 1 })),
    sets: sets.map((set, index) => ({ setId: set.setId, becomes: becomes(set, index) })),
    newSets: setsOf('11').map((name) => ({
      name,
      year: 11,
      schemeId: schemes[0]?.schemeId,
      testIds: [],
      teacherIds: [],
      thresholds: { red: 0, amber: 40, green: 70 },
    })),
    students: [],
    intake: {
      fileName: 'intake.csv',
      correct: false,
      rows: studentsIn('11')
        .slice(0, STUDENTS / 5)
        .map((row) => ({ ...row, admissionNo: `N${row.admissionNo}` })),
    },
  };
  const preview = await timed(() => send('/api/queries/preview-school-year', { subjectId, plan }));
  const acts: CommandAnswer<{ actId: string }>[] = [];
  const begun = await timed(async () => acts.push(await send('/api/commands/BeginSchoolYear', { subjectId, plan, version: null })));
  const undone = await timed(() => send('/api/commands/UndoAct', { subjectId, actId: acts[0]?.result.actId, partly: true }));
  const what = `a new school year of ${STUDENTS} students in ${SETS} sets`;
  return [
    plain(`preview of ${what}, ms`, preview, { is: '<=', than: 2_000 }),
    plain(`${what} begins, ms`, begun, { is: '<=', than: 10_000 }),
    plain(`${what} is taken back, ms`, undone, { is: '<=', than: 10_000 }),
  ];
};

/** Every list of the administration: a page, sorted and filtered as on its screen. */
const listsOf = (subjectId: string): readonly (readonly [of: string, path: string])[] => {
  const path = (resource: ResourceName, range: string, sort: string, filter: object): string =>
    `/api/rest/${resource}?${new URLSearchParams({ range, sort, filter: JSON.stringify(filter) })}`;
  return [
    ['subjects, found by a word', path('subjects', '[0,23]', '["name","DESC"]', { q: 'math' })],
    ['schemes, found by a word', path('schemes', '[0,23]', '["name","DESC"]', { subjectId, q: 'scheme' })],
    ['assessments, by number of questions', path('assessments', '[24,47]', '["questions","DESC"]', { subjectId, q: 'test' })],
    ['year groups', path('yearGroups', '[0,99]', '["year","DESC"]', { subjectId })],
    ['sets, by scheme of work', path('sets', '[0,999]', '["scheme","ASC"]', { subjectId })],
    ['sets, with their students', `/api/queries/structure?subjectId=${subjectId}`],
    ['terminal exams', path('terminalExams', '[0,99]', '["yearSat","DESC"]', { subjectId })],
    ['teachers', path('teachers', '[0,499]', '["name","ASC"]', { subjectId })],
    ['students, a page in the middle, by name', path('students', '[750,764]', '["name","DESC"]', { subjectId })],
    ['students, found by two words', path('students', '[0,14]', '["admissionNo","ASC"]', { subjectId, q: 'student 149' })],
    ['staff users, found by a word, by role', path('staffUsers', '[0,14]', '["role","DESC"]', { q: 'teacher', state: 'invited' })],
    ['student users, a page in the middle', path('studentUsers', '[750,764]', '["joined","DESC"]', { subjectIds: subjectId })],
    ['student users, found by two words', path('studentUsers', '[0,14]', '["email","ASC"]', { q: 'student 149' })],
  ];
};

const buildAdministration = async (databaseUrl: string, dataDir: string): Promise<{ subjectId: string; admin: Login }> => {
  const backend = await openBackend({ ...readSettings({ DATA_DIR: dataDir }), databaseUrl, tell: () => undefined });
  try {
    const schoolId = randomUUID();
    const system = commandClient(backend.bus, systemActor(schoolId));
    await system('school', 'OpenSchool', { name: 'Large School' });
    const admin: Login = { email: 'large.admin@bench.example', password: 'correct-horse' };
    const { accountId = '' } = await system('admin', 'OpenStaffAccount', { ...admin, name: 'Admin', role: 'admin' });
    const ask = commandClient(backend.bus, { ...systemActor(schoolId), accountId, role: 'admin' } satisfies Actor);
    const { subjectId = '' } = await ask('subject', 'AddSubject', { name: 'Mathematics' });
    const { schemeId } = await ask('scheme', 'AddScheme', { subjectId, name: 'Scheme' });
    for (const year of ['11', '12']) {
      const { yearGroupId } = await ask(year, 'AddYearGroup', { subjectId, year: Number(year) });
      await ask(year, 'AddSets', { subjectId, yearGroupId, schemeId, names: setsOf(year) });
    }
    for (let number = 1; number <= ASSESSMENTS; number++) {
      const { testId } = await ask(`test ${number}`, 'CreateAssessment', { subjectId, name: `Test ${number}` });
      const questions = Array.from({ length: QUESTIONS }, (_, index) => ({ number: index + 1, topic: 'Topic', marksAvailable: 3 }));
      await ask(`test ${number}`, 'UploadQuestions', { testId, questions });
    }
    for (let year = 1; year <= 10; year++) await ask(`exam ${year}`, 'AddTerminalExam', { subjectId, name: 'GCSE', yearSat: 2020 + year });
    await ask('students', 'ImportStudents', { subjectId, fileName: 'students.csv', rows: studentsIn('11') });
    await openAccounts(backend, schoolId, subjectId);
    await backend.progress.waitFor(['structure', 'roster', 'assessments', 'accounts'], await backend.store.head(), 30_000);
    return { subjectId, admin };
  } finally {
    await backend.close();
  }
};

/** A teacher with an account for each set, and accounts for all students. */
const openAccounts = async ({ bus, progress, store, readAs }: Backend, schoolId: string, subjectId: string): Promise<void> => {
  const ask = commandClient(bus, systemActor(schoolId));
  await inTurns(Array.from({ length: SETS }), async (_, index) => {
    const { teacherId } = await ask(`teacher ${index}`, 'AddTeacher', { subjectId, name: `Teacher ${index}` });
    const account = { name: `Teacher ${index}`, email: `teacher${index}@large.example`, role: 'teacher' };
    await ask(`teacher ${index}`, 'InviteStaff', { ...account, teachers: [{ subjectId, teacherId }] });
  });
  await progress.waitFor(['roster'], await store.head(), 30_000);
  const students = await readAs(schoolId, (query) => query<{ id: string }>(`select student_id as id from students where school_id = $1`));
  await inTurns(students, async ({ id: studentId }, index) => {
    const joining = { studentId, subjectId, name: `Student ${index}`, email: `student${index}@large.example` };
    // As api/auth does once it has identified the student.
    await bus.execute('JoinByCode', {
      actor: { ...systemActor(schoolId), accountId: randomUUID(), role: 'student', studentId },
      body: joining,
      isInternal: true,
    });
  });
};

const AT_ONCE = 50;

const inTurns = async <Item>(items: readonly Item[], work: (item: Item, index: number) => Promise<void>): Promise<void> => {
  for (let from = 0; from < items.length; from += AT_ONCE)
    await Promise.all(items.slice(from, from + AT_ONCE).map((item, index) => work(item, from + index)));
};

const setsOf = (year: string): readonly string[] => Array.from({ length: SETS / 2 }, (_, index) => `${year}X${index + 1}`);

const studentsIn = (year: string) =>
  Array.from({ length: STUDENTS }, (_, index) => ({
    admissionNo: String(20_000 + index),
    name: `Student ${index}`,
    set: `${year}X${(index % (SETS / 2)) + 1}`,
    dateOfBirth: '2009-05-01',
  }));

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};
