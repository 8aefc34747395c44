/** The school of the chapters `students` and `reports`: classes with marks by question in every assessment, open to their students. */
import { randomUUID } from 'node:crypto';
import type { Actor } from '../api/actor.ts';
import { systemActor } from '../api/actor.ts';
import type { Backend } from '../run/backend.ts';
import { commandClient } from '../run/command-client.ts';
import { sessionsOf } from './marks/school.ts';
import type { Login } from './school.ts';

export type TaughtSize = { readonly sets: number; readonly students: number; readonly tests: number; readonly questions: number };
export type TaughtSchool = {
  readonly schoolId: string;
  readonly subjectId: string;
  /** in no assessment's class yet: what teachers type into */
  readonly typed: { readonly testId: string; readonly questionIds: readonly string[] };
  /** the first one first */
  readonly testIds: readonly string[];
  readonly sets: readonly { readonly setId: string; readonly name: string; readonly studentIds: readonly string[] }[];
  readonly leader: Login;
  /** a cookie for each student, in the order of `sets` */
  readonly cookies: readonly string[];
};
const MAX = 4;

/** @param joined students with a session, in the order of the classes */
export const buildTaught = async (
  backend: Backend,
  { sets, students, tests, questions }: TaughtSize,
  joined: number,
): Promise<TaughtSchool> => {
  const { bus, progress, store, readAs } = backend;
  const schoolId = randomUUID();
  const system = commandClient(bus, systemActor(schoolId));
  await system('school', 'OpenSchool', { name: 'Taught School' });
  const { accountId = '' } = await system('admin', 'OpenStaffAccount', { ...LOGIN('admin'), name: 'Admin', role: 'admin' });
  const admin: Actor = { ...systemActor(schoolId), accountId, role: 'admin' };
  const ask = commandClient(bus, admin);
  const { subjectId = '' } = await ask('subject', 'AddSubject', { name: 'Mathematics' });
  const { schemeId = '' } = await ask('scheme', 'AddScheme', { subjectId, name: 'Scheme' });
  const { yearGroupId } = await ask('year', 'AddYearGroup', { subjectId, year: 11 });
  const paper = Array.from({ length: questions }, (_, n) => ({ number: n + 1, topic: `Topic ${n + 1}`, marksAvailable: MAX }));
  const testIds: string[] = [];
  for (let test = 0; test <= tests; test++) {
    const { testId = '' } = await ask(`${test}`, 'CreateAssessment', { subjectId, name: `Test ${test}` });
    await ask(`${test}`, 'UploadQuestions', { testId, questions: paper });
    await ask(`${test}`, 'ShowAssessment', { testId, visible: true });
    testIds.push(testId);
  }
  const names = Array.from({ length: sets }, (_, n) => `11X${n}`);
  await ask('sets', 'AddSets', { subjectId, yearGroupId, schemeId, names, testIds });
  const people = names.flatMap((set) =>
    Array.from({ length: students }, (_, n) => ({ set, admissionNo: `${set}-${n}`, name: `${set} ${n}, Student`, dateOfBirth: null })),
  );
  await ask('students', 'ImportStudents', { subjectId, fileName: 'students.csv', rows: people });
  const all = ['structure', 'roster', 'assessments', 'results'] as const;
  await progress.waitFor([...all], await store.head(), 120_000);
  const classes = await readAs(schoolId, (query) =>
    query<TaughtSchool['sets'][number]>(
      `select set_id as "setId", name, (select json_agg(student_id order by student_id) from enrolments e
         where e.school_id = $1 and e.set_id = t.set_id) as "studentIds" from sets t where school_id = $1 order by name`,
    ),
  );
  const [typed = '', ...sat] = testIds;
  for (const [place, testId] of sat.entries()) {
    const rows = people.map(({ admissionNo, name }, student) => ({
      admissionNo,
      name,
      marks: paper.map((_, question) => (student * 7 + question * 3 + place + ((student * question) % 5)) % (MAX + 1)),
    }));
    const setIds = classes.map(({ setId }) => setId);
    await ask(`marks ${place}`, 'UploadMarks', { subjectId, testId, setIds, rows, fileName: 'marks.csv', satOn: '2026-01-10' });
    // The read models are never so far behind that a command would wait for them in vain.
    await progress.waitFor([...all], await store.head(), 120_000);
  }
  const [asked] = await readAs(schoolId, (query) =>
    query<{ questionIds: readonly string[] }>(
      `select json_agg(question_id order by number) as "questionIds" from questions where school_id = $1 and test_id = $2`,
      [typed],
    ),
  );
  const { teacherId = '' } = await ask('leader', 'AddTeacher', { subjectId, name: 'Leader' });
  await ask('leader', 'OpenStaffAccount', { ...LOGIN('leader'), name: 'Leader', role: 'leader', teachers: [{ subjectId, teacherId }] });
  const studentIds = classes.flatMap((one) => one.studentIds).slice(0, joined);
  const cookies = await sessionsOf(backend, { schoolId, subjectId }, studentIds);
  await progress.waitFor(['accounts', 'results'], await store.head(), 60_000);
  return {
    schoolId,
    subjectId,
    typed: { testId: typed, questionIds: asked?.questionIds ?? [] },
    testIds: sat,
    sets: classes,
    leader: LOGIN('leader'),
    cookies,
  };
};

const LOGIN = (name: string): Login => ({ email: `${name}@taught.example`, password: 'correct-horse' });
