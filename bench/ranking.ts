/** (o) Ranking a year group over 12 tests: looked at before, and done, from request to answer; and its screens in a browser. */
import { randomUUID } from 'node:crypto';
import type { Actor } from '../api/actor.ts';
import { systemActor } from '../api/actor.ts';
import type { RankingPreview } from '../api/tasks/ranking/ranking-preview.contract.ts';
import { openBackend } from '../run/backend.ts';
import { commandClient } from '../run/command-client.ts';
import { readSettings } from '../run/settings.ts';
import { type Figure, median, plain } from './figures.ts';
import { startProduct } from './processes.ts';
import { type Login, signIn } from './school.ts';
import { taskScreenFigures } from './task-screens.ts';

const TESTS = 12;
const A_FILE = 6;
const MAX = 80;
/** Previews and rankings of each size; the median counts. */
const TIMES = 7;

/** @param databaseUrl a migrated database with an empty log */
export const rankingFigures = async (databaseUrl: string, dataDir: string): Promise<Figure[]> => {
  const { admin, teacher, years } = await build(databaseUrl, dataDir);
  const product = await startProduct(databaseUrl, dataDir, { apps: true });
  try {
    const cookie = await signIn(product.url, admin);
    /** The position of the last ranking: whoever looks at it sees that. */
    let position = '0';
    const send = async <Answer>(path: string, body: unknown): Promise<Answer> => {
      const answer = await fetch(`${product.url}/api/${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: {
          'Content-Type': 'application/json',
          'X-Min-Position': position,
          Cookie: cookie,
          Origin: product.url.replace('127.0.0.1', 'localhost'),
        },
      });
      if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
      return (await answer.json()) as Answer;
    };
    const figures: Figure[] = [];
    for (const { students, taskId, terminalExamId, testIds, goals } of years) {
      const looked: number[] = [];
      const ranked: number[] = [];
      for (let time = 0; time < TIMES; time++) {
        // Another selection each time: the same ranking again is not stored.
        const chosen = { taskId, terminalExamId, testIds: time % 2 === 0 ? testIds : testIds.toReversed().slice(1) };
        const previews: RankingPreview[] = [];
        looked.push(await timed(async () => previews.push(await send('queries/ranking-preview', chosen))));
        const [preview] = previews;
        if (preview?.refused !== null || preview.students.length !== students) throw new Error(`it was refused: ${preview?.refused}`);
        const seen = { was: preview.rankingId, preview: preview.digest };
        const done: { readonly position: string }[] = [];
        ranked.push(await timed(async () => done.push(await send('commands/RankTask', { ...chosen, ...seen }))));
        position = done[0]?.position ?? position;
        // The read models have it before the next one is measured.
        await send('queries/ranking-preview', chosen);
      }
      figures.push(
        plain(`preview of a ranking of ${students} x ${TESTS}, ms`, median(looked), { is: '<=', than: goals.preview }),
        plain(`ranking of ${students} x ${TESTS}, ms`, median(ranked), { is: '<=', than: goals.rank }),
      );
    }
    const [small] = years;
    if (!small) return figures;
    const cookies = { leader: cookie, teacher: await signIn(product.url, teacher) };
    return [...figures, ...(await taskScreenFigures(product.url, cookies, { ...small, tests: TESTS }))];
  } finally {
    await product.stop();
  }
};

const build = async (databaseUrl: string, dataDir: string) => {
  const backend = await openBackend({ ...readSettings({ DATA_DIR: dataDir }), databaseUrl, tell: () => undefined });
  try {
    const schoolId = randomUUID();
    const system = commandClient(backend.bus, systemActor(schoolId));
    await system('school', 'OpenSchool', { name: 'Ranked School' });
    const admin: Login = { email: 'ranking.admin@bench.example', password: 'correct-horse' };
    const { accountId = '' } = await system('admin', 'OpenStaffAccount', { ...admin, name: 'Admin', role: 'admin' });
    const ask = commandClient(backend.bus, { ...systemActor(schoolId), accountId, role: 'admin' } satisfies Actor);
    const years = [];
    // Each in a subject of its own: an Excel file holds all year groups of one.
    for (const [year, students, goals] of SIZES) {
      const { subjectId = '' } = await ask(`${year}`, 'AddSubject', { name: `Mathematics ${year}` });
      const { schemeId } = await ask(`${year}`, 'AddScheme', { subjectId, name: 'Scheme' });
      const testIds: string[] = [];
      for (let number = 1; number <= TESTS; number++) {
        const { testId = '' } = await ask(`${year} test ${number}`, 'CreateAssessment', { subjectId, name: `Test ${number}` });
        await ask(`${year} test ${number}`, 'UploadQuestions', {
          testId,
          questions: [{ number: 1, topic: 'All', marksAvailable: MAX }],
        });
        testIds.push(testId);
      }
      const { yearGroupId } = await ask(`${year}`, 'AddYearGroup', { subjectId, year });
      const names = Array.from({ length: students / 20 }, (_, index) => `${year}X${index + 1}`);
      const setIds = Object.values(await ask(`${year}`, 'AddSets', { subjectId, yearGroupId, schemeId, names })).flat();
      const people = Array.from({ length: students }, (_, index) => ({ admissionNo: `${year}-${index}`, name: `Student ${index}` }));
      const rows = people.map((person, index) => ({ ...person, set: names[index % names.length] ?? '', dateOfBirth: '2009-05-01' }));
      await ask(`${year} students`, 'ImportStudents', { subjectId, fileName: 'students.csv', rows, others: 'keep', correct: false });
      const { terminalExamId = '' } = await ask(`${year} exam`, 'AddTerminalExam', {
        subjectId,
        name: `Key Stage 2 of ${year}`,
        yearSat: 6,
      });
      await ask(`${year} prior`, 'UploadPriorScores', {
        subjectId,
        terminalExamId,
        yearCompleted: new Date().getUTCFullYear(),
        fileName: 'prior.csv',
        rows: people.map((person, index) => ({ ...person, score: String(80 + (index % 41)) })),
      });
      for (let from = 0; from < TESTS; from += A_FILE)
        await ask(`${year} totals ${from}`, 'UploadTotals', {
          subjectId,
          fileName: 'totals.csv',
          classes: setIds.map((setId) => ({ setId, testIds: testIds.slice(from, from + A_FILE) })),
          rows: people.map((person, index) => ({
            ...person,
            totals: Array.from({ length: A_FILE }, (_, test) => (index * 31 + (from + test) * 17) % (MAX + 1)),
          })),
        });
      const { taskId = '' } = await ask(`${year} task`, 'CreateFeedbackTask', {
        subjectId,
        yearGroupId,
        name: 'Ranked',
        expiry: new Date(Date.now() + 86_400_000).toISOString().slice(0, 10),
        teacherInput: true,
        maps: setIds.map((setId) => ({ setId, testId: testIds[0] })),
      });
      const sets = setIds.map((setId, index) => ({ setId, name: names[index] ?? '' }));
      years.push({ year, subjectId, sets, students, taskId, terminalExamId, testIds, goals });
    }
    const teacher: Login = { email: 'ranking.teacher@bench.example', password: 'correct-horse' };
    const teachers = [];
    for (const { year, subjectId, sets } of years) {
      const { teacherId = '' } = await ask(`${year}`, 'AddTeacher', { subjectId, name: 'Teacher' });
      await ask(`${year}`, 'ChangeTeacher', { subjectId, teacherId, setIds: sets.slice(0, 1).map(({ setId }) => setId) });
      teachers.push({ subjectId, teacherId });
    }
    await ask('teacher', 'OpenStaffAccount', { ...teacher, name: 'Teacher', role: 'teacher', teachers });
    await backend.progress.waitFor(
      ['structure', 'roster', 'assessments', 'results', 'prior', 'tasks', 'accounts'],
      await backend.store.head(),
      60_000,
    );
    return { admin, teacher, years };
  } finally {
    await backend.close();
  }
};

const SIZES = [
  [10, 300, { preview: 500, rank: 1_000 }],
  [11, 2_000, { preview: 2_000, rank: 2_000 }],
] as const;

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};
