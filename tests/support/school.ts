import { randomUUID } from 'node:crypto';
import type { Actor } from '../../api/actor.ts';
import { systemActor } from '../../api/actor.ts';
import { commandClient } from '../../run/command-client.ts';
import type { Backend } from '../../run/backend.ts';
import { Client } from './client.ts';
import { filledDatabase, testDatabase } from './postgres.ts';
import type { Product, ProductOptions } from './product.ts';
import { openProduct } from './product.ts';

export const roles = ['admin', 'leader', 'teacherA', 'teacherB', 'student', 'auditor', 'scienceLeader'] as const;
export type RoleName = (typeof roles)[number];
export const PASSWORD = 'long enough';

/**
 * A small school, built by commands.
 *
 * - Mathematics: year group 11 with the sets 11A, 11B and 11C; the tests `mock` (questions of 5, 10 and 5 marks), `other` (two of 10) and
 *   `unready` (no questions yet); a scheme of work with one topic, Algebra; a terminal exam. The leader's; teacher A has 11A, teacher B 11B.
 * - Science: year group 11 with the set 11S of the students of 11A; the test `forces` (one question of 10).
 * - Four students in each set: A1 to A4, B1 to B4, C1 to C4. Their StudentIDs are 00A1 and so on, their names 'A1, Student'.
 */
export type School = Product & {
  readonly schoolId: string;
  readonly databaseUrl: string;
  readonly ids: Ids;
  readonly accounts: Readonly<Record<RoleName, string>>;
  /** Signed in; one client per person. */
  as(role: RoleName): Promise<Client>;
  /** Signed in with a new client, as from another browser. */
  signIn(role: RoleName, at?: Product): Promise<Client>;
  /** The installation, without HTTP. */
  readonly system: ReturnType<typeof commandClient>;
  email(role: RoleName): string;
  /** Another process on the same database. Closed with the school at the latest. */
  another(): Promise<Product>;
  /** Ends the school's process; the database stays until `close`. */
  stop(): Promise<void>;
  /** Another school on the same database. */
  neighbour(): Promise<School>;
};

export type Ids = Readonly<
  Record<
    | 'maths'
    | 'science'
    | 'scheme'
    | 'scienceScheme'
    | 'year'
    | 'scienceYear'
    | 'setA'
    | 'setB'
    | 'setC'
    | 'setS'
    | 'mock'
    | 'other'
    | 'unready'
    | 'forces'
    | 'leaderRecord'
    | 'recordA'
    | 'recordB'
    | 'scienceRecord'
    | 'schemeTopic'
    | 'terminalExam',
    string
  >
> & {
  /** by short name: A1 */
  readonly students: Readonly<Record<string, string>>;
  /** of `mock`, in order */
  readonly questions: readonly string[];
};

export const studentNames = ['A', 'B', 'C'].flatMap((set) => [1, 2, 3, 4].map((n) => `${set}${n}`));
export const admissionNo = (short: string): string => `00${short}`;
export const fullName = (short: string): string => `${short}, Student`;

/** Built once for all test files; each gets a copy. */
export const openSchool = async (options: ProductOptions = {}): Promise<School> => {
  // An external log cannot be copied with the database.
  if (options.store ?? options.eventStoreUrl) {
    const database = await testDatabase();
    const product = await openProduct(database.url, options);
    return schoolOn(product, database.url, await found(product), [product.close, database.drop]);
  }
  const database = await filledDatabase('template_school', async (url) => {
    const product = await openProduct(url);
    const made = await found(product);
    await product.close();
    return made;
  });
  const product = await openProduct(database.url, options);
  return schoolOn(product, database.url, database.known, [product.close, database.drop]);
};

type Founded = Pick<School, 'schoolId' | 'ids' | 'accounts'>;

const found = async ({ backend }: Product): Promise<Founded> => {
  const schoolId = randomUUID();
  const system = commandClient(backend.bus, systemActor(schoolId));
  const ids = await shape(backend, schoolId, system);
  return { schoolId, ids, accounts: await people(system, ids, (role) => emailOf(role, schoolId)) };
};

const emailOf = (role: RoleName, schoolId: string): string => `${role.toLowerCase()}@${schoolId.slice(0, 8)}.example`;

const schoolOn = (product: Product, databaseUrl: string, founded: Founded, closing: (() => Promise<void>)[]): School => {
  const { schoolId } = founded;
  const clients = new Map<RoleName, Promise<Client>>();
  const signIn = async (role: RoleName, at: Product = product): Promise<Client> => {
    const client = new Client(at);
    await client.signIn(emailOf(role, schoolId), PASSWORD);
    return client;
  };
  return {
    ...product,
    ...founded,
    databaseUrl,
    system: commandClient(product.backend.bus, systemActor(schoolId)),
    email: (role) => emailOf(role, schoolId),
    signIn,
    as(role) {
      const client = clients.get(role) ?? signIn(role);
      clients.set(role, client);
      return client;
    },
    async another() {
      const other = await openProduct(databaseUrl);
      let closed: Promise<void> | undefined;
      const close = (): Promise<void> => (closed ??= other.close());
      closing.unshift(close);
      return { ...other, close };
    },
    stop: () => product.close(),
    neighbour: async () => schoolOn(product, databaseUrl, await found(product), []),
    async close() {
      for (const close of closing) await close();
    },
  };
};

const shape = async ({ store, progress, readAs }: Backend, schoolId: string, ask: ReturnType<typeof commandClient>): Promise<Ids> => {
  const id = async (...request: Parameters<typeof ask>): Promise<string> => Object.values(await ask(...request))[0] ?? '';
  const paper = (marks: readonly number[]) =>
    marks.map((marksAvailable, index) => ({ number: index + 1, topic: `Topic ${index + 1}`, marksAvailable }));
  await ask('open', 'OpenSchool', { name: 'Test School' });

  const maths = await id('maths', 'AddSubject', { name: 'Mathematics' });
  const science = await id('science', 'AddSubject', { name: 'Science' });
  const [scheme, scienceScheme, year, scienceYear] = await Promise.all([
    id('scheme', 'AddScheme', { subjectId: maths, name: 'Scheme of Mathematics' }),
    id('science scheme', 'AddScheme', { subjectId: science, name: 'Scheme of Science' }),
    id('year', 'AddYearGroup', { subjectId: maths, year: 11 }),
    id('science year', 'AddYearGroup', { subjectId: science, year: 11 }),
  ]);
  const set = (subjectId: string, yearGroupId: string, name: string, schemeId: string) =>
    id(name, 'AddSet', { subjectId, yearGroupId, name, schemeId });
  const test = (subjectId: string, name: string) => id(name, 'CreateAssessment', { subjectId, name });
  const [setA, setB, setC, setS, mock, other, unready, forces] = await Promise.all([
    set(maths, year, '11A', scheme),
    set(maths, year, '11B', scheme),
    set(maths, year, '11C', scheme),
    set(science, scienceYear, '11S', scienceScheme),
    test(maths, 'Mock'),
    test(maths, 'Other'),
    test(maths, 'Unready'),
    test(science, 'Forces'),
  ]);
  const teacher = (subjectId: string, name: string) => id(name, 'AddTeacher', { subjectId, name });
  const [leaderRecord, recordA, recordB, scienceRecord] = await Promise.all([
    teacher(maths, 'The leader'),
    teacher(maths, 'Teacher A'),
    teacher(maths, 'Teacher B'),
    teacher(science, 'The leader of Science'),
  ]);
  const terminalExam = await id('terminal exam', 'AddTerminalExam', { subjectId: maths, name: 'GCSE', yearSat: 11 });
  const setOf: Readonly<Record<string, string>> = { A: '11A', B: '11B', C: '11C' };
  await Promise.all([
    ask('11A', 'ChangeTeacher', { subjectId: maths, teacherId: recordA, setIds: [setA] }),
    ask('11B', 'ChangeTeacher', { subjectId: maths, teacherId: recordB, setIds: [setB] }),
    ...[setA, setB, setC].map((setId) => ask(setId, 'ChangeSet', { subjectId: maths, setId, testIds: [mock, other] })),
    ask(setS, 'ChangeSet', { subjectId: science, setId: setS, testIds: [forces] }),
    ask('scheme', 'ChangeScheme', { schemeId: scheme, name: 'Scheme of Mathematics', topics: [{ name: 'Algebra' }] }),
    ask('mock', 'UploadQuestions', { testId: mock, questions: paper([5, 10, 5]) }),
    ask('other', 'UploadQuestions', { testId: other, questions: paper([10, 10]) }),
    ask('forces', 'UploadQuestions', { testId: forces, questions: paper([10]) }),
    ask('students', 'ImportStudents', {
      subjectId: maths,
      fileName: 'students.csv',
      rows: studentNames.map((short) => ({
        admissionNo: admissionNo(short),
        name: fullName(short),
        set: setOf[short[0] ?? ''] ?? '',
        dateOfBirth: '2009-05-01',
      })),
    }),
  ]);
  await progress.waitFor(['roster', 'assessments', 'structure'], await store.head(), 30_000);
  const { students, questions, schemeTopics } = await readAs(schoolId, async (query) => ({
    students: await query<{ short: string; id: string }>(
      `select substr(admission_no, 3) as short, student_id as id from students where school_id = $1`,
    ),
    questions: await query<{ id: string }>(
      `select question_id as id from questions where school_id = $1 and test_id = $2 order by number`,
      [mock],
    ),
    schemeTopics: await query<{ id: string }>(
      `select topics -> 0 ->> 'topicId' as id from schemes where school_id = $1 and scheme_id = $2`,
      [scheme],
    ),
  }));
  const studentIds = Object.fromEntries(students.map((one) => [one.short, one.id]));
  await Promise.all(
    ['A1', 'A2', 'A3', 'A4'].map((short) =>
      ask(`science ${short}`, 'ChangeStudents', {
        subjectId: science,
        changes: [{ studentId: studentIds[short], place: { setId: setS } }],
      }),
    ),
  );
  return {
    maths,
    science,
    scheme,
    scienceScheme,
    year,
    scienceYear,
    setA,
    setB,
    setC,
    setS,
    mock,
    other,
    unready,
    forces,
    leaderRecord,
    recordA,
    recordB,
    scienceRecord,
    schemeTopic: schemeTopics[0]?.id ?? '',
    terminalExam,
    students: studentIds,
    questions: questions.map((one) => one.id),
  };
};

const people = async (
  ask: ReturnType<typeof commandClient>,
  ids: Ids,
  email: (role: RoleName) => string,
): Promise<Record<RoleName, string>> => {
  const staff = async (name: RoleName, role: Actor['role'], subjectId?: string, teacherId?: string) => {
    const teachers = teacherId === undefined ? [] : [{ subjectId, teacherId }];
    const { accountId = '' } = await ask(name, 'OpenStaffAccount', { name, email: email(name), password: PASSWORD, role, teachers });
    return accountId;
  };
  const [admin, leader, teacherA, teacherB, auditor, scienceLeader, student] = await Promise.all([
    staff('admin', 'admin'),
    staff('leader', 'leader', ids.maths, ids.leaderRecord),
    staff('teacherA', 'teacher', ids.maths, ids.recordA),
    staff('teacherB', 'teacher', ids.maths, ids.recordB),
    staff('auditor', 'auditor'),
    staff('scienceLeader', 'leader', ids.science, ids.scienceRecord),
    ask('student', 'OpenStudentAccount', { studentId: ids.students['A1'], name: 'A1', email: email('student'), password: PASSWORD }).then(
      ({ accountId = '' }) => accountId,
    ),
  ]);
  return { admin, leader, teacherA, teacherB, auditor, scienceLeader, student };
};
