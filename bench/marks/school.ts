/** The school of the chapter `marks`: a class as large as a year group, whose students have sessions, and a class of the usual size. */
import { randomUUID } from 'node:crypto';
import type { Actor } from '../../api/actor.ts';
import { systemActor } from '../../api/actor.ts';
import { commandClient } from '../../run/command-client.ts';
import type { Backend } from '../../run/backend.ts';
import { openBackend } from '../../run/backend.ts';
import { readSettings } from '../../run/settings.ts';
import { type Login, questions, STUDENTS } from '../school.ts';

export const YEAR = { name: '11A', students: STUDENTS } as const;
export const CLASS = { name: '11B', students: 30 } as const;

type Class = { readonly setId: string; readonly studentIds: readonly string[] };
type Test = { readonly testId: string; readonly questionIds: readonly string[] };
export type MarksSchool = {
  readonly subjectId: string;
  readonly year: Class;
  readonly class: Class;
  /** Everybody has a mark for every question. */
  readonly filled: Test;
  /** Nobody has any: for what is typed, and for what students submit. */
  readonly empty: Test;
  readonly toSubmit: Test;
  /** Of the subject, and of the class. */
  readonly leader: Login;
  readonly teacher: Login;
  /** The cookies of the students of the year. */
  readonly students: readonly string[];
};

/** @param databaseUrl a migrated database with an empty log */
export const buildMarksSchool = async (databaseUrl: string, dataDir: string): Promise<MarksSchool> => {
  const backend = await openBackend({ ...readSettings({ DATA_DIR: dataDir }), databaseUrl, tell: () => undefined });
  const { bus, progress, store, readAs } = backend;
  try {
    const schoolId = randomUUID();
    const system = commandClient(bus, systemActor(schoolId));
    await system('school', 'OpenSchool', { name: 'Marks School' });
    const { accountId = '' } = await system('admin', 'OpenStaffAccount', { ...loginOf('admin'), name: 'Admin', role: 'admin' });
    const admin: Actor = { ...systemActor(schoolId), accountId, role: 'admin' };
    const ask = commandClient(bus, admin);
    const { subjectId = '' } = await ask('subject', 'AddSubject', { name: 'Mathematics' });
    const { schemeId } = await ask('scheme', 'AddScheme', { subjectId, name: 'Scheme' });
    const { yearGroupId } = await ask('year', 'AddYearGroup', { subjectId, year: 11 });
    const testIds: string[] = [];
    for (const name of ['Filled', 'Empty', 'To submit']) {
      const { testId = '' } = await ask(name, 'CreateAssessment', { subjectId, name });
      await ask(name, 'UploadQuestions', { testId, questions });
      await ask(name, 'ShowAssessment', { testId, visible: true });
      testIds.push(testId);
    }
    const sets = [YEAR, CLASS];
    await ask('sets', 'AddSets', { subjectId, yearGroupId, schemeId, names: sets.map(({ name }) => name), testIds });
    await ask('students', 'ImportStudents', { subjectId, fileName: 'students.csv', rows: sets.flatMap(rowsOf) });
    await progress.waitFor(['structure', 'roster', 'assessments'], await store.head(), 30_000);

    const classes = await readAs(schoolId, (query) =>
      query<Class>(
        `select set_id as "setId", (select json_agg(student_id order by student_id) from enrolments e
           where e.school_id = $1 and e.set_id = t.set_id) as "studentIds"
         from sets t where school_id = $1 order by name`,
      ),
    );
    const asked = await readAs(schoolId, (query) =>
      query<Test>(
        `select test_id as "testId", json_agg(question_id order by number) as "questionIds"
           from questions where school_id = $1 group by 1 order by array_position($2::uuid[], test_id)`,
        [testIds],
      ),
    );
    const [year, small] = classes;
    const [filled, empty, toSubmit] = asked;
    if (!year || !small || !filled || !empty || !toSubmit) throw new Error('The school of marks is incomplete.');

    const staff = async (name: string, role: 'leader' | 'teacher', setIds: readonly string[]): Promise<Login> => {
      const { teacherId = '' } = await ask(name, 'AddTeacher', { subjectId, name });
      await ask(name, 'ChangeTeacher', { subjectId, teacherId, setIds });
      await ask(name, 'OpenStaffAccount', { ...loginOf(name), name, role, teachers: [{ subjectId, teacherId }] });
      return loginOf(name);
    };
    const leader = await staff('leader', 'leader', []);
    const teacher = await staff('teacher', 'teacher', [small.setId]);

    await ask('marks', 'EnterMarks', {
      entryId: randomUUID(),
      subjectId,
      seq: 1,
      cells: [...year.studentIds, ...small.studentIds].flatMap((studentId, row) =>
        filled.questionIds.map((questionId, column) => ({ studentId, testId: filled.testId, questionId, is: (row + column) % 4, was: [] })),
      ),
    });
    const students = await sessionsOf(backend, { schoolId, subjectId }, year.studentIds);
    await progress.waitFor(['accounts', 'results'], await store.head(), 30_000);
    return { subjectId, year, class: small, filled, empty, toSubmit, leader, teacher, students };
  } finally {
    await backend.close();
  }
};

/** Students who have joined, and their cookies. No passwords, because checking three hundred would take longer than all that is measured. */
export const sessionsOf = async (
  { bus, auth: { identities, sessions } }: Backend,
  { schoolId, subjectId }: { readonly schoolId: string; readonly subjectId: string },
  studentIds: readonly string[],
): Promise<string[]> => {
  const cookies: string[] = [];
  for (let from = 0; from < studentIds.length; from += AT_ONCE) {
    const some = studentIds.slice(from, from + AT_ONCE).map(async (studentId, index) => {
      const person = { name: `Student ${from + index}`, email: `student${from + index}@marks.example` };
      const accountId = randomUUID();
      await identities.open({ accountId, schoolId, email: person.email, studentId, proved: false });
      // As api/auth does once it has identified the student.
      await bus.execute('JoinByCode', {
        actor: { ...systemActor(schoolId), accountId, role: 'student', studentId },
        body: { studentId, subjectId, ...person },
        isInternal: true,
      });
      const [cookie = ''] = (await sessions.open(accountId)).split(';');
      return cookie;
    });
    cookies.push(...(await Promise.all(some)));
  }
  return cookies;
};

const AT_ONCE = 50;

const rowsOf = ({ name: set, students }: { readonly name: string; readonly students: number }) =>
  Array.from({ length: students }, (_, index) => ({
    admissionNo: `${set}${index}`,
    name: `Student ${set} ${String(index).padStart(3, '0')}`,
    set,
    dateOfBirth: null,
  }));

const loginOf = (name: string): Login => ({ email: `${name}@marks.example`, password: 'correct-horse' });
