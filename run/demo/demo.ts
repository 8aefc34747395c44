import { readFile } from 'node:fs/promises';
import type { ChosenFile, Refused } from '../../api/contract/csv/file.ts';
import { parseQuestions } from '../../api/assessments/questions-file.contract.ts';
import { parseScheme } from '../../api/structure/scheme-file.contract.ts';
import { parseStudents } from '../../api/roster/students-file.contract.ts';
import { parseTotals } from '../../api/uploads/totals-file.contract.ts';
import type { Actor } from '../../api/actor.ts';
import { systemActor } from '../../api/actor.ts';
import { streamOf } from '../../events/aggregate.ts';
import { commandId, newId } from '../../events/codec/ids.ts';
import { isUnused } from '../../events/store/identity.ts';
import type { Backend } from '../backend.ts';
import { commandClient, keyOf } from '../command-client.ts';

/** Always the same, so that an interrupted build is finished at the next start. */
const SCHOOL = '5c0015c0-0000-4000-8000-000000000001';
const PASSWORD = 'marktrail-demo';
const people = {
  admin: { name: 'Ada Nwosu', email: 'admin@demo.example', about: 'admin' },
  leader: { name: 'Grace Bell', email: 'leader@demo.example', about: 'subject leader of Mathematics' },
  teacherX: { name: 'Tom Hughes', email: 'teacher1@demo.example', about: 'teacher of 11X1 to 11X3' },
  teacherY: { name: 'Priya Shah', email: 'teacher2@demo.example', about: 'teacher of 11Y1, 11Y2 and Science' },
  student1: { name: 'Sophie Edwards', email: 'student1@demo.example', about: 'student of 11X1' },
  student2: { name: 'Joseph Kowalski', email: 'student2@demo.example', about: 'student of 11X1' },
};

type Person = { readonly name: string; readonly email: string };
/** Everybody knows these passwords, so no rule for passwords would help. */
const PUBLIC = { anyPassword: true };
const login = ({ name, email }: Person) => ({ name, email, password: PASSWORD });

export const demoWelcome: readonly string[] = [
  `  A demo school with 729 students is ready. The password of every log-in is ${PASSWORD}`,
  ...Object.values(people).map(({ email, about }) => `  ${email.padEnd(24)}${about}`),
  '  Try it: log in as the subject leader and upload run/demo/mathexam/results_upload.csv',
];

/**
 * Builds the demo school from a real data set, by commands only: a subject with 26 sets, 729 students and an examination with totals, a
 * small second subject, and accounts. Continues after an interruption without doing anything twice.
 */
export const demoSchool = async (backend: Backend, tell: (line: string) => void): Promise<void> => {
  tell('Building the demo school ...');
  const ask = commandClient(backend.bus, systemActor(SCHOOL), PUBLIC);
  await ask('demo', 'OpenSchool', { name: 'Marktrail Demo School' });
  const { accountId = '' } = await ask('admin', 'OpenStaffAccount', { ...login(people.admin), role: 'admin' });
  const admin: Actor = { ...systemActor(SCHOOL), ...people.admin, accountId, role: 'admin' };

  const maths = await mathematics(backend, admin);
  const science = await smallSubject(backend, admin, maths.firstStudents);
  await staffAccounts(backend, admin, maths, science);
  await ask('student 1', 'OpenStudentAccount', { ...login(people.student1), studentId: maths.firstStudents[0] });
  await ask(LAST_ACT, 'OpenStudentAccount', { ...login(people.student2), studentId: maths.firstStudents[1] });
};

/** Whether the log holds the demo school, whose passwords are public. */
export const holdsDemoSchool = ({ store }: Backend): Promise<boolean> => holdsEvents(store.read(streamOf('school', SCHOOL)));

/**
 * Whether the demo school may be built, or building it may go on: only in a log that never was anything else, and in no log that took the
 * place of another.
 */
export const maySetUpDemo = async (backend: Backend): Promise<boolean> =>
  (await demoIsHalfBuilt(backend)) || ((await isUnused(backend.store)) && (await backend.isFirstLog()));

/** Whether building the demo school was interrupted. */
const demoIsHalfBuilt = async ({ store }: Backend): Promise<boolean> => {
  const lastAccount = newId(commandId(SCHOOL, keyOf(SCHOOL, LAST_ACT, 'OpenStudentAccount')), 'account');
  return (
    (await holdsEvents(store.read(streamOf('school', SCHOOL)))) &&
    !(await holdsEvents(store.read(streamOf('account', SCHOOL, lastAccount))))
  );
};

const LAST_ACT = 'student 2';

type Mathematics = {
  subjectId: string;
  teacherIds: { leader: string; x: string; y: string };
  testId: string;
  firstStudents: readonly string[];
};

const mathematics = async (backend: Backend, admin: Actor): Promise<Mathematics> => {
  const ask = commandClient(backend.bus, admin);
  const { subjectId = '' } = await ask('maths', 'AddSubject', { name: 'Mathematics' });
  const scheme = { name: 'Mathematics for economists' };
  const { schemeId } = await ask('maths', 'AddScheme', { subjectId, ...scheme });
  const topics = accepted(parseScheme(await file('sow_upload.csv'))).rows.map(({ topic }) => ({ name: topic }));
  await ask('maths', 'ChangeScheme', { schemeId, ...scheme, topics });
  const { yearGroupId } = await ask('maths 11', 'AddYearGroup', { subjectId, year: 11 });

  const { testId = '' } = await ask('examination', 'CreateAssessment', { subjectId, name: 'Written examination' });
  const questions = accepted(parseQuestions(await file('assessment_upload.csv'))).rows.map(({ number, topic, max }) => ({
    number,
    topic,
    marksAvailable: max,
  }));
  await ask('examination', 'UploadQuestions', { testId, questions });
  await ask('examination', 'ShowAssessment', { testId, visible: true });

  const students = accepted(parseStudents(await file('student_upload.csv'))).rows;
  const setIds = new Map<string, string>();
  for (const name of new Set(students.map(({ set }) => set))) {
    const { setId = '' } = await ask(name, 'AddSet', { subjectId, yearGroupId, name, schemeId });
    await ask(name, 'ChangeSet', { subjectId, setId, testIds: [testId] });
    setIds.set(name, setId);
  }
  const rows = students.map(({ admissionNo, name, set, dateOfBirth }) => ({ admissionNo, name, set, dateOfBirth }));
  await ask('maths', 'ImportStudents', { subjectId, fileName: 'student_upload.csv', rows });

  const teacher = async (name: string, sets: readonly string[]): Promise<string> => {
    const { teacherId = '' } = await ask(`maths ${name}`, 'AddTeacher', { subjectId, name });
    await ask(`maths ${name}`, 'ChangeTeacher', { subjectId, teacherId, setIds: sets.map((set) => setIds.get(set)) });
    return teacherId;
  };
  const teacherIds = {
    leader: await teacher(people.leader.name, ['11X4']),
    x: await teacher(people.teacherX.name, ['11X1', '11X2', '11X3']),
    y: await teacher(people.teacherY.name, ['11Y1', '11Y2']),
  };
  return {
    subjectId,
    teacherIds,
    testId,
    firstStudents: await idsOf(
      backend,
      rows.slice(0, 12).map(({ admissionNo }) => admissionNo),
    ),
  };
};

type Science = { subjectId: string; teacherId: string };

/** A dozen students of the school in one set of a second subject. */
const smallSubject = async (backend: Backend, admin: Actor, studentIds: readonly string[]): Promise<Science> => {
  const ask = commandClient(backend.bus, admin);
  const { subjectId = '' } = await ask('science', 'AddSubject', { name: 'Science' });
  const scheme = { name: 'Energy and forces' };
  const topics = ['Energy stores', 'Electric circuits', 'Forces and motion', 'Waves'];
  const { schemeId } = await ask('science', 'AddScheme', { subjectId, ...scheme });
  await ask('science', 'ChangeScheme', { schemeId, ...scheme, topics: topics.map((name) => ({ name })) });
  const { yearGroupId } = await ask('science 11', 'AddYearGroup', { subjectId, year: 11 });
  const { testId } = await ask('science test', 'CreateAssessment', { subjectId, name: 'Energy and forces test' });
  const questions = topics.map((topic, index) => ({
    number: index + 1,
    topic,
    marksAvailable: 5,
  }));
  await ask('science test', 'UploadQuestions', { testId, questions });
  const { setId } = await ask('11S1', 'AddSet', { subjectId, yearGroupId, name: '11S1', schemeId });
  await ask('11S1', 'ChangeSet', { subjectId, setId, testIds: [testId] });
  for (const studentId of studentIds)
    await ask(`science ${studentId}`, 'ChangeStudents', { subjectId, changes: [{ studentId, place: { setId } }] });
  const { teacherId = '' } = await ask('science', 'AddTeacher', { subjectId, name: people.teacherY.name });
  await ask('science', 'ChangeTeacher', { subjectId, teacherId, setIds: [setId] });
  return { subjectId, teacherId };
};

const staffAccounts = async (backend: Backend, admin: Actor, maths: Mathematics, science: Science): Promise<void> => {
  const ask = commandClient(backend.bus, admin, PUBLIC);
  const { subjectId, teacherIds, testId } = maths;
  const open = async (act: string, role: string, person: Person, teachers: readonly object[]): Promise<string> => {
    const { accountId = '' } = await ask(act, 'OpenStaffAccount', { ...login(person), role, teachers });
    return accountId;
  };
  const leaderId = await open('leader', 'leader', people.leader, [{ subjectId, teacherId: teacherIds.leader }]);
  await open('teacher 1', 'teacher', people.teacherX, [{ subjectId, teacherId: teacherIds.x }]);
  await open('teacher 2', 'teacher', people.teacherY, [{ subjectId, teacherId: teacherIds.y }, science]);

  const leader: Actor = { ...admin, ...people.leader, accountId: leaderId, role: 'leader', subjectIds: [subjectId] };
  const { rows } = accepted(parseTotals(await file('totals_upload.csv')));
  const sets = await backend.readAs(SCHOOL, (query) =>
    query<{ setId: string }>(`select set_id as "setId" from sets where school_id = $1 and subject_id = $2 order by name`, [subjectId]),
  );
  await commandClient(backend.bus, leader)('examination', 'UploadTotals', {
    subjectId,
    fileName: 'totals_upload.csv',
    classes: sets.map(({ setId }) => ({ setId, testIds: [testId] })),
    rows: rows.map(({ admissionNo, name, totals }) => ({ admissionNo, name, totals })),
  });
};

/** The students' own ids, in the order of their StudentIDs. */
const idsOf = async ({ store, progress, readAs }: Backend, admissionNos: readonly string[]): Promise<readonly string[]> => {
  await progress.waitFor(['roster'], await store.head(), 10_000);
  const students = await readAs(SCHOOL, (query) =>
    query<{ studentId: string }>(
      `select student_id as "studentId" from students where school_id = $1 and admission_no = any($2::text[]) order by admission_no`,
      [admissionNos],
    ),
  );
  return students.map(({ studentId }) => studentId);
};

const file = async (name: string): Promise<ChosenFile> => ({
  name,
  type: 'text/csv',
  bytes: await readFile(new URL(`mathexam/${name}`, import.meta.url)),
});

const accepted = <T extends { readonly ok: true }>(parsed: T | Refused): T => {
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed;
};

const holdsEvents = async (events: AsyncIterable<unknown>): Promise<boolean> => {
  for await (const _event of events) return true;
  return false;
};
