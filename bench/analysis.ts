/** (p) Figures that people act on, from question to answer: a class with 60 assessments, a dashboard, and the questions of large tests. */
import { aboutOf } from '../api/pipeline/about.ts';
import { randomUUID } from 'node:crypto';
import type { Actor } from '../api/actor.ts';
import { systemActor } from '../api/actor.ts';
import { classHome } from '../api/analysis/class-home.query.ts';
import { leaderDashboard } from '../api/analysis/averages/leader-dashboard.query.ts';
import { questionAnalysis } from '../api/analysis/question-analysis.query.ts';
import type { AnyQuery, QueryDefinition } from '../api/common/query.ts';
import type { Backend } from '../run/backend.ts';
import { openBackend } from '../run/backend.ts';
import { commandClient } from '../run/command-client.ts';
import { readSettings } from '../run/settings.ts';
import { type Figure, median, plain } from './figures.ts';

/** `tests` of so many `questions`, sat by each student of `sets` sets of `students`. */
type Size = { readonly year: number; readonly sets: number; readonly students: number; readonly tests: number; readonly questions: number };
const YEAR: Size = { year: 11, sets: 10, students: 30, tests: 60, questions: 13 };
const EXAM: Size = { year: 12, sets: 27, students: 27, tests: 1, questions: 13 };
const LARGE: Size = { year: 13, sets: 40, students: 50, tests: 1, questions: 50 };
const MAX = 4;

type Built = { readonly yearGroupId: string; readonly setIds: readonly string[]; readonly testIds: readonly string[] };

/** @param databaseUrl a migrated database with an empty log */
export const analysisFigures = async (databaseUrl: string, dataDir: string, rounds: number): Promise<Figure[]> => {
  const backend = await openBackend({ ...readSettings({ DATA_DIR: dataDir }), databaseUrl, tell: () => undefined });
  try {
    const schoolId = randomUUID();
    const system = commandClient(backend.bus, systemActor(schoolId));
    await system('school', 'OpenSchool', { name: 'Analysed School' });
    const email = 'analysis.admin@bench.example';
    const { accountId = '' } = await system('admin', 'OpenStaffAccount', {
      email,
      password: 'correct-horse',
      name: 'Admin',
      role: 'admin',
    });
    const actor: Actor = { ...systemActor(schoolId), accountId, role: 'admin' };
    const [year, exam, large] = [await build(backend, actor, YEAR), await build(backend, actor, EXAM), await build(backend, actor, LARGE)];
    const timed = (query: AnyQuery, input: object) => typical(rounds, () => ask(backend, actor, query, input));
    const of = (built: Built) => ({ testId: built.testIds[0], yearGroupId: built.yearGroupId });
    return [
      plain('class home of 30 students with 60 assessments in a year of 300, ms', await timed(classHome, { setId: year.setIds[0] }), {
        is: '<=',
        than: 300,
      }),
      plain('leader dashboard of 10 classes with 60 assessments, ms', await timed(leaderDashboard, { yearGroupId: year.yearGroupId }), {
        is: '<=',
        than: 300,
      }),
      plain('question analysis of 729 students and 13 questions, ms', await timed(questionAnalysis, of(exam)), { is: '<=', than: 100 }),
      plain('question analysis of 2,000 students and 50 questions, ms', await timed(questionAnalysis, of(large)), { is: '<=', than: 500 }),
    ];
  } finally {
    await backend.close();
  }
};

const ask = (backend: Backend, actor: Actor, query: AnyQuery, input: object): Promise<unknown> =>
  backend.readAs(actor.schoolId, async (run) =>
    (query as unknown as QueryDefinition<object>).run(
      run,
      input,
      actor,
      await aboutOf(run, ['yearGroup', 'class', 'assessment'], input),
      async () => [],
      () => false,
    ),
  );

const typical = async (rounds: number, work: () => Promise<unknown>): Promise<number> => {
  const times: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const start = performance.now();
    await work();
    // The first one warms up.
    if (round > 0) times.push(performance.now() - start);
  }
  return median(times);
};

const build = async ({ bus, progress, store, readAs }: Backend, actor: Actor, size: Size): Promise<Built> => {
  const { year, sets, students, tests, questions } = size;
  const command = commandClient(bus, actor);
  const { subjectId = '' } = await command(`${year}`, 'AddSubject', { name: `Mathematics ${year}` });
  const { schemeId } = await command(`${year}`, 'AddScheme', { subjectId, name: 'Scheme' });
  await command(`${year}`, 'ChangeScheme', {
    schemeId,
    name: 'Scheme',
    topics: Array.from({ length: 40 }, (_, n) => ({ name: `Topic ${n + 1}` })),
  });
  const { yearGroupId = '' } = await command(`${year}`, 'AddYearGroup', { subjectId, year });
  const names = Array.from({ length: sets }, (_, n) => `${year}X${n + 1}`);
  const setIds: string[] = [];
  for (const name of names) setIds.push((await command(name, 'AddSet', { subjectId, yearGroupId, name, schemeId }))['setId'] ?? '');
  const people = names.flatMap((set) =>
    Array.from({ length: students }, (_, n) => ({ set, admissionNo: `${set}-${n}`, name: `${set} ${n}, Student` })),
  );
  const rows = people.map((one) => ({ ...one, dateOfBirth: '2009-05-01' }));
  await command(`${year}`, 'ImportStudents', { subjectId, fileName: 'students.csv', rows });
  const testIds: string[] = [];
  for (let test = 1; test <= tests; test++) {
    const { testId = '' } = await command(`${year} ${test}`, 'CreateAssessment', { subjectId, name: `Test ${test}` });
    const paper = Array.from({ length: questions }, (_, n) => ({ number: n + 1, topic: `Topic ${n + 1}`, marksAvailable: MAX }));
    await command(`${year} ${test}`, 'UploadQuestions', { testId, questions: paper });
    testIds.push(testId);
  }
  const all = ['structure', 'roster', 'assessments', 'mappings', 'results', 'accounts', 'history'] as const;
  await progress.waitFor([...all], await store.head(), 120_000);
  for (const [place, testId] of testIds.entries()) {
    const marked = people.map(({ admissionNo, name }, student) => ({
      admissionNo,
      name,
      marks: Array.from(
        { length: questions },
        (_, question) => (student * 7 + question * 3 + place + ((student * question) % 5)) % (MAX + 1),
      ),
    }));
    const file = { subjectId, testId, setIds, rows: marked, fileName: 'marks.csv', satOn: '2026-01-10' };
    await command(`${year} ${place}`, 'UploadMarks', file);
    // The read models are never so far behind that a command would wait for them in vain.
    await progress.waitFor([...all], await store.head(), 120_000);
  }
  await map(readAs, actor, command, subjectId);
  await progress.waitFor([...all], await store.head(), 120_000);
  return { yearGroupId, setIds, testIds };
};

/** Each question is of one topic of the scheme. */
const map = async (
  readAs: Backend['readAs'],
  { schoolId }: Actor,
  command: ReturnType<typeof commandClient>,
  subjectId: string,
): Promise<void> => {
  const [row] = await readAs(schoolId, (query) =>
    query<{ topics: readonly { readonly topicId: string }[]; questions: readonly string[] }>(
      `select w.topics, (select json_agg(q.question_id) from tests t join questions q on q.school_id = $1 and q.test_id = t.test_id
                          where t.school_id = $1 and t.subject_id = $2) as questions
       from schemes w where w.school_id = $1 and w.subject_id = $2`,
      [subjectId],
    ),
  );
  const { topics = [], questions = [] } = row ?? {};
  const changes = topics.map(({ topicId }, place) => ({
    schemeTopicId: topicId,
    questionIds: questions.filter((_, question) => question % topics.length === place),
  }));
  await command(`map ${subjectId}`, 'AllocatePrerequisites', { subjectId, changes });
};
