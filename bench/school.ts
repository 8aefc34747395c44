/** The benchmark's school, built by commands: 300 students in 10 classes, and a subject for each chapter. */
import { randomUUID } from 'node:crypto';
import type { Actor } from '../api/actor.ts';
import { systemActor } from '../api/actor.ts';
import { commandClient } from '../run/command-client.ts';
import { openBackend } from '../run/backend.ts';
import { readSettings } from '../run/settings.ts';
import type { Log } from './processes.ts';

export const STUDENTS = 300;
export const QUESTIONS = 50;
export const CLASSES = 10;
const PASSWORD = 'correct-horse';

export type School = {
  readonly schoolId: string;
  /** 12 tests with a total for everybody, by which they are ranked and graded */
  readonly markbook: Subject;
  /** a test for each upload of the chapter */
  readonly uploads: Subject;
  /** 20 tests for files of one class */
  readonly classFiles: Subject;
  /** a test for each round of typing */
  readonly typing: Subject;
  /** for the subjects of uploads */
  readonly leader: Login;
  /** of the markbook, with different rights: an admin, a leader, a teacher, an auditor */
  readonly readers: readonly Login[];
  /** of the subject `typing`, about three for each class */
  readonly teachers: readonly Login[];
};
export type Subject = {
  readonly subjectId: string;
  readonly yearGroupId: string;
  readonly sets: readonly { readonly setId: string; readonly studentIds: readonly string[] }[];
  readonly tests: readonly { readonly testId: string; readonly questionIds: readonly string[] }[];
};
export type Login = { readonly email: string; readonly password: string };

export type Sizes = { readonly uploads: number; readonly typing: number; readonly teachers: number };

/** @param log empty; its database is migrated */
export const buildSchool = async (log: Log, dataDir: string, sizes: Sizes): Promise<School> => {
  const backend = await openBackend({ ...readSettings({ DATA_DIR: dataDir }), ...log, tell: () => undefined });
  try {
    const schoolId = randomUUID();
    const system = commandClient(backend.bus, systemActor(schoolId));
    await system('school', 'OpenSchool', { name: 'Benchmark School' });
    const { accountId = '' } = await system('admin', 'OpenStaffAccount', { ...login('admin'), name: 'Admin', role: 'admin' });
    const ask = commandClient(backend.bus, { ...systemActor(schoolId), accountId, role: 'admin' } satisfies Actor);

    const subject = async (name: string, tests: number): Promise<Subject> => {
      const { subjectId = '' } = await ask(name, 'AddSubject', { name });
      const { schemeId } = await ask(name, 'AddScheme', { subjectId, name });
      const { yearGroupId = '' } = await ask(name, 'AddYearGroup', { subjectId, year: 11 });
      for (const set of setNames) await ask(`${name} ${set}`, 'AddSet', { subjectId, yearGroupId, name: set, schemeId });
      for (let number = 1; number <= tests; number++) {
        const { testId } = await ask(`${name} ${number}`, 'CreateAssessment', {
          subjectId,
          name: `Test ${String(number).padStart(2, '0')}`,
        });
        await ask(`${name} ${number}`, 'UploadQuestions', { testId, questions });
      }
      await ask(name, 'ImportStudents', { subjectId, fileName: 'students.csv', rows: students });
      await backend.progress.waitFor(['structure', 'roster', 'assessments'], await backend.store.head(), 10_000);
      return backend.readAs(schoolId, async (query) => ({
        subjectId,
        yearGroupId,
        sets: await query(
          `select set_id as "setId", (select json_agg(student_id order by student_id) from read.enrolments e
             where e.school_id = $1 and e.set_id = t.set_id) as "studentIds"
           from read.sets t where school_id = $1 and subject_id = $2 order by name`,
          [subjectId],
        ),
        tests: await query(
          `select test_id as "testId", (select json_agg(question_id order by number) from read.questions q
             where q.school_id = $1 and q.test_id = t.test_id) as "questionIds"
           from read.tests t where school_id = $1 and subject_id = $2 order by name`,
          [subjectId],
        ),
      }));
    };
    const markbook = await subject('Mathematics', 12);
    const uploads = await subject('Physics', sizes.uploads);
    const classFiles = await subject('Biology', 20);
    const typing = await subject('Chemistry', sizes.typing);

    const account = async (
      name: string,
      role: 'leader' | 'teacher',
      works: readonly { subject: Subject; setIds: readonly string[] }[],
    ): Promise<Login> => {
      const teachers = [];
      for (const {
        subject: { subjectId },
        setIds,
      } of works) {
        const { teacherId = '' } = await ask(`${name} ${subjectId}`, 'AddTeacher', { subjectId, name });
        await ask(`${name} ${subjectId}`, 'ChangeTeacher', { subjectId, teacherId, setIds });
        teachers.push({ subjectId, teacherId });
      }
      await ask(name, 'OpenStaffAccount', { ...login(name), name, role, teachers });
      return login(name);
    };
    const leader = await account(
      'leader',
      'leader',
      [markbook, uploads, classFiles].map((subject) => ({ subject, setIds: [] })),
    );
    await ask('auditor', 'OpenStaffAccount', { ...login('auditor'), name: 'Auditor', role: 'auditor' });
    const reader = await account('reader', 'teacher', [{ subject: markbook, setIds: [markbook.sets[0]!.setId] }]);
    const readers = [login('admin'), leader, reader, login('auditor')];
    const teachers = [];
    for (let number = 0; number < sizes.teachers; number++) {
      teachers.push(await account(`teacher${number}`, 'teacher', [{ subject: typing, setIds: [typing.sets[number % CLASSES]!.setId] }]));
    }

    for (const testIds of [markbook.tests.slice(0, 6), markbook.tests.slice(6)].map((half) => half.map(({ testId }) => testId))) {
      await ask(`totals ${testIds[0]}`, 'UploadTotals', {
        subjectId: markbook.subjectId,
        fileName: 'totals.csv',
        classes: markbook.sets.map(({ setId }) => ({ setId, testIds })),
        rows: students.map(({ admissionNo, name }, index) => ({
          admissionNo,
          name,
          totals: testIds.map((_, test) => (index * 7 + test * 13) % 150),
        })),
      });
    }
    await rankedAndGraded(ask, markbook);
    await backend.progress.waitFor(['accounts', 'results', 'tasks'], await backend.store.head(), 10_000);
    return { schoolId, markbook, uploads, classFiles, typing, leader, readers, teachers };
  } finally {
    await backend.close();
  }
};

/** By all its tests, with a prior score and a grade for everybody. */
const rankedAndGraded = async (ask: Ask, { subjectId, yearGroupId, sets, tests }: Subject): Promise<void> => {
  const { terminalExamId = '' } = await ask('exam', 'AddTerminalExam', { subjectId, name: 'Key Stage 2', yearSat: 6 });
  await ask('prior', 'UploadPriorScores', {
    subjectId,
    terminalExamId,
    yearCompleted: new Date().getUTCFullYear(),
    fileName: 'prior.csv',
    rows: students.map(({ admissionNo, name }, index) => ({ admissionNo, name, score: String(80 + (index % 41)) })),
  });
  const testIds = tests.map(({ testId }) => testId);
  const { taskId = '' } = await ask('task', 'CreateFeedbackTask', {
    subjectId,
    yearGroupId,
    name: 'Ranked',
    expiry: new Date(Date.now() + 86_400_000).toISOString().slice(0, 10),
    teacherInput: false,
    maps: sets.map(({ setId }) => ({ setId, testId: testIds[0] })),
  });
  await ask('ranking', 'RankTask', { taskId, terminalExamId, testIds });
  const grades = [10, 20, 30, 40].map((percent, index) => ({ label: String(9 - index), percent }));
  const { gradeProfileId = '' } = await ask('profile', 'CreateGradeProfile', { subjectId, yearGroupId, name: 'Four grades', grades });
  await ask('grades', 'AssignGrades', { taskId, gradeProfileId });
};
type Ask = ReturnType<typeof commandClient>;

/** Signs in and returns the session cookie. */
export const signIn = async (serverUrl: string, person: Login): Promise<string> => {
  const answer = await fetch(`${serverUrl}/api/identity/sign-in/email`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: serverUrl.replace('127.0.0.1', 'localhost') },
    body: JSON.stringify(person),
  });
  if (!answer.ok) throw new Error(`${person.email} cannot sign in: ${await answer.text()}`);
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
};

const login = (name: string): Login => ({ email: `${name}@bench.example`, password: PASSWORD });

const setNames = Array.from({ length: CLASSES }, (_, index) => `11X${index}`);

/** In blocks of 30, so that a class is a slice of the list. */
export const students = Array.from({ length: STUDENTS }, (_, index) => ({
  admissionNo: String(10_000 + index),
  name: `Student ${index}`,
  set: setNames[Math.floor(index / (STUDENTS / CLASSES))]!,
  dateOfBirth: null,
}));

export const questions = Array.from({ length: QUESTIONS }, (_, index) => ({
  number: index + 1,
  topic: `Topic ${index + 1}`,
  marksAvailable: 3,
}));
