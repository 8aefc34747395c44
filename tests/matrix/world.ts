import { createHash, randomUUID } from 'node:crypto';
import type { Uploaded } from '../../api/marks/upload/uploads.contract.ts';
import { Client } from '../support/client.ts';
import type { Spare } from '../support/samples.ts';
import { spareParts } from '../support/samples.ts';
import type { RoleName, School } from '../support/school.ts';
import type { ProductOptions } from '../support/product.ts';
import { openSchool, PASSWORD } from '../support/school.ts';

/**
 * Two schools of two subjects each, with everybody who may ask: the people of the first one, and the admin of the other. Teacher A has
 * 11A, the class that the requests of rows/ are about; teacher B has 11B; the leader has Mathematics, the other leader Science.
 */
export type ActorName = 'nobody' | RoleName | 'neighbour';

export type World = {
  readonly school: School;
  readonly neighbour: School;
  /** What requests may use up; `renew` makes more of it. */
  readonly spare: Spare;
  renew(): Promise<void>;
  /** of the topic tree of Mathematics */
  readonly topic: string;
  as(actor: ActorName): Promise<Client>;
  /** Signed in anew, for requests that end or change a session. */
  anew(actor: ActorName): Promise<Client>;
  /** The id of the same thing elsewhere; undefined: the id is not known, or there is no such thing there. */
  elsewhere(id: string, where: Where): string | undefined;
  isKnown(id: string): boolean;
  /** Words, and ids of the other school, that an answer to this actor must not hold. */
  secretsFrom(actor: ActorName): readonly string[];
  close(): Promise<void>;
};

export type Where = 'other class' | 'other subject' | 'other school' | 'nowhere';

/** Words that are only in names of that part. */
const CANARIES = { classB: 'Zqclassb', maths: 'Zqmaths', science: 'Zqscience', neighbour: 'Zqneighbour' } as const;

export const openWorld = async (options: ProductOptions = {}): Promise<World> => {
  const school = await openSchool(options);
  // Students see what is visible only.
  await (await school.as('admin')).done('ShowAssessment', { testId: school.ids.mock, visible: true });
  const neighbour = await school.neighbour();
  const [science, classB] = await Promise.all([plantScience(school), plantMaths(school), plantNeighbour(neighbour)]);
  const their = await thingsOf(neighbour, await spareParts(neighbour));
  const there: Readonly<Record<Exclude<Where, 'nowhere'>, ReadonlyMap<string, string>>> = {
    'other class': new Map(Object.entries(classBOf(school, classB))),
    'other subject': new Map(Object.entries(science)),
    'other school': their,
  };
  const theirIds = [...their.values(), neighbour.schoolId];

  let spare = await spareParts(school);
  const keyOf = new Map<string, string>();
  const know = async (): Promise<void> => {
    for (const [key, id] of await thingsOf(school, spare)) keyOf.set(id, key);
  };
  await know();

  const anew = async (actor: ActorName): Promise<Client> => {
    const client = new Client(school);
    if (actor === 'neighbour') await client.signIn(neighbour.email('admin'), PASSWORD);
    else if (actor !== 'nobody') await client.signIn(school.email(actor), PASSWORD);
    return client;
  };
  return {
    school,
    neighbour,
    topic: (await topicsOf(school, school.ids.maths))[0] ?? '',
    get spare() {
      return spare;
    },
    async renew() {
      // A student has one account; it may be closed already.
      await (await school.as('admin')).command('CloseStudentAccount', { accountId: spare.student });
      spare = await spareParts(school);
      await know();
    },
    anew,
    as: async (actor) => (actor === 'nobody' ? new Client(school) : actor === 'neighbour' ? neighbour.as('admin') : school.as(actor)),
    elsewhere: (id, where) => {
      const key = keyOf.get(id);
      if (key === undefined) return undefined;
      return where === 'nowhere' ? randomUUID() : there[where].get(key);
    },
    isKnown: (id) => keyOf.has(id),
    secretsFrom: (actor) => (actor === 'neighbour' ? SECRET.neighbour : [...SECRET[actor], ...theirIds]),
    close: () => school.close(),
  };
};

const { classB, maths, science, neighbour } = CANARIES;
const SECRET: Readonly<Record<ActorName, readonly string[]>> = {
  nobody: [classB, maths, science, neighbour],
  // They are in a class of Science, and follow its scheme of work.
  student: [classB, maths, neighbour, ...['Pupil', 'Teacher', 'Staff', 'Paper', 'Set'].map((one) => `${science} ${one}`)],
  teacherA: [science, neighbour],
  teacherB: [science, neighbour],
  leader: [science, neighbour],
  scienceLeader: [classB, maths, neighbour],
  admin: [neighbour],
  auditor: [neighbour],
  neighbour: [classB, maths, science],
};

/** Every id of a school, by what it is. */
const thingsOf = async (school: School, spare: Spare): Promise<ReadonlyMap<string, string>> => {
  const { ids, accounts } = school;
  await shown(school);
  return flat({ ...ids, accounts, spare, topics: await topicsOf(school, ids.maths), place: placeId(ids.maths, ids.students['A1']) });
};

const shown = async ({ backend }: School): Promise<void> =>
  backend.progress.waitFor(
    ['structure', 'roster', 'assessments', 'accounts', 'mappings', 'revision_lists'],
    await backend.store.head(),
    30_000,
  );

/** Topics of the topic tree, in order. */
const topicsOf = async (school: School, subjectId: string): Promise<string[]> => {
  const rows = await school.backend.readAs(school.schoolId, async (query) =>
    query<{ id: string }>('select topic_id as id from topics where school_id = $1 and subject_id = $2 order by name', [subjectId]),
  );
  return rows.map(({ id }) => id);
};

/** As the list of students makes the id of a student in a subject. */
export const placeId = (subjectId = '', studentId = ''): string =>
  createHash('md5')
    .update(`${subjectId}${studentId}`)
    .digest('hex')
    .replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');

/** Everything that has a name in Science, where Mathematics has it under the same key. */
const plantScience = async (school: School): Promise<Record<string, string>> => {
  const { ids, accounts } = school;
  const subjectId = ids.science;
  const things = await planted(school, {
    subjectId,
    setId: ids.setS,
    yearGroupId: ids.scienceYear,
    schemeId: ids.scienceScheme,
    testId: ids.forces,
    word: science,
    year: 10,
  });
  return {
    ...things,
    maths: subjectId,
    scheme: ids.scienceScheme,
    year: ids.scienceYear,
    setA: ids.setS,
    setB: ids.setS,
    setC: ids.setS,
    mock: ids.forces,
    other: ids.forces,
    unready: ids.forces,
    recordA: ids.scienceRecord,
    recordB: ids.scienceRecord,
    leaderRecord: ids.scienceRecord,
    'accounts.leader': accounts.scienceLeader,
    'accounts.teacherA': accounts.scienceLeader,
  };
};

/** A word in names of 11B, and of what only Mathematics has. */
const plantMaths = async (school: School): Promise<Uploaded> => {
  const admin = await school.as('admin');
  const { maths: subjectId, setB: setId, scheme, other } = school.ids;
  await Promise.all([
    admin.done('ReplaceTopicTree', { subjectId, title: maths, paths: TREE }),
    admin.done('AddStudent', { subjectId, setId, admissionNo: classB, name: `${classB} Pupil`, dateOfBirth: '2009-05-01' }),
    admin.done('CreateAssessment', { subjectId, name: `${maths} Paper` }),
    admin.done('AddScheme', { subjectId, name: `${maths} Scheme` }),
    admin.done('AddTeacher', { subjectId, name: `${maths} Teacher` }),
    admin.done('AddSet', { subjectId, yearGroupId: school.ids.year, name: `${maths} Set`, schemeId: scheme }),
  ]);
  return (await school.as('teacherB')).done<Uploaded>('UploadTotals', {
    subjectId,
    classes: [{ setId, testIds: [other] }],
    rows: [{ admissionNo: '00B1', name: 'B1', totals: [5] }],
    fileName: `${classB}.csv`,
  });
};

const plantNeighbour = async (school: School): Promise<void> => {
  const admin = await school.as('admin');
  const { maths: subjectId, setA, year, scheme, mock, unready, recordA } = school.ids;
  await admin.done('RenameSchool', { name: `${neighbour} School` });
  await admin.done('RenameSubject', { subjectId, name: `${neighbour} Subject` });
  await admin.done('RenameAssessment', { testId: mock, name: `${neighbour} Mock` });
  await admin.done('DeleteAssessment', { testId: unready });
  await admin.done('ChangeTeacher', { subjectId, teacherId: recordA, name: `${neighbour} Teacher A`, setIds: [setA] });
  await planted(school, { subjectId, setId: setA, yearGroupId: year, schemeId: scheme, testId: mock, word: neighbour, year: 10 });
};

type Place = Readonly<Record<'subjectId' | 'setId' | 'yearGroupId' | 'schemeId' | 'testId' | 'word', string>> & { readonly year: number };

/** As the sample of ReplaceTopicTree has it, so that topics keep their ids. */
const TREE = [['Number', 'Fractions'], ['Algebra']];

/** One of everything in a subject, with a word in every name; under the keys of what it stands for in Mathematics. */
const planted = async (school: School, { subjectId, setId, yearGroupId, schemeId, testId, word, year }: Place) => {
  const admin = await school.as('admin');
  await admin.done('ReplaceTopicTree', { subjectId, title: word, paths: TREE });
  const email = `${word}@${randomUUID()}.example`.toLowerCase();
  const pupil = await admin.done('AddStudent', {
    subjectId,
    setId,
    admissionNo: word,
    name: `${word} Pupil`,
    dateOfBirth: '2009-05-01',
  });
  const teacher = await admin.done('AddTeacher', { subjectId, name: `${word} Teacher` });
  const staff = await admin.done('OpenStaffAccount', {
    name: `${word} Staff`,
    email,
    password: PASSWORD,
    role: 'teacher',
    teachers: [{ subjectId, teacherId: teacher['teacherId'] }],
  });
  const exam = await admin.done('AddTerminalExam', { subjectId, name: `${word} Exam`, yearSat: 11 });
  const scheme = await admin.done('AddScheme', { subjectId, name: `${word} Scheme` });
  const aYear = await admin.done('AddYearGroup', { subjectId, year });
  const aSet = await admin.done('AddSet', { subjectId, yearGroupId, name: `${word} Set`, schemeId });
  const paper = await admin.done('CreateAssessment', { subjectId, name: `${word} Paper` });
  const questions = await admin.done('UploadQuestions', {
    testId: paper['testId'],
    questions: [{ number: 1, topic: `${word} Topic`, marksAvailable: 10 }],
  });
  const roster = await admin.done('ChangeStudents', { subjectId, changes: [{ studentId: pupil['studentId'], place: { setId } }] });
  await admin.done('ChangeScheme', { schemeId, name: `${word} Scheme of work`, topics: [{ name: `${word} Topic` }] });
  const upload = await admin.done<Uploaded>('UploadTotals', {
    subjectId,
    classes: [{ setId, testIds: [testId] }],
    rows: [{ admissionNo: word, name: word, totals: [5] }],
    fileName: `${word}.csv`,
  });
  await shown(school);
  const topic = await school.backend.readAs(school.schoolId, async (query) => ({
    scheme: await query<{ id: string }>(`select topics -> 0 ->> 'topicId' as id from schemes where school_id = $1 and scheme_id = $2`, [
      schemeId,
    ]),
    question: await query<{ id: string }>(`select question_id as id from questions where school_id = $1 and test_id = $2`, [
      paper['testId'],
    ]),
  }));
  const [topic0 = ''] = await topicsOf(school, subjectId);
  const pupilId = pupil['studentId'] ?? '';
  return {
    schemeTopic: topic.scheme[0]?.id ?? '',
    'topics.0': topic0,
    place: placeId(subjectId, pupilId),
    'questions.0': topic.question[0]?.id ?? '',
    terminalExam: exam['terminalExamId'] ?? '',
    'students.A1': pupilId,
    'students.A2': pupilId,
    'students.C3': pupilId,
    'spare.staff': staff['accountId'] ?? '',
    'spare.teacherId': teacher['teacherId'] ?? '',
    'spare.upload.entryId': upload.entryId,
    'spare.upload.commandId': upload.commandId,
    'spare.rosterChange': roster['commandId'] ?? '',
    'spare.schemeId': scheme['schemeId'] ?? '',
    'spare.yearGroupId': aYear['yearGroupId'] ?? '',
    'spare.setIds.0': aSet['setId'] ?? '',
    'spare.setIds.1': aSet['setId'] ?? '',
    'spare.paper.testId': paper['testId'] ?? '',
    'spare.paper.commandId': questions['commandId'] ?? '',
  };
};

const classBOf = ({ ids, accounts }: School, upload: Uploaded): Readonly<Record<string, string>> => ({
  setA: ids.setB,
  recordA: ids.recordB,
  'students.A1': ids.students['B1'] ?? '',
  'students.A2': ids.students['B2'] ?? '',
  'accounts.teacherA': accounts.teacherB,
  'spare.upload.entryId': upload.entryId,
  'spare.upload.commandId': upload.commandId,
});

/** Every text of an object by its path. */
const flat = (value: unknown, path: readonly string[] = []): ReadonlyMap<string, string> => {
  if (typeof value === 'string') return new Map([[path.join('.'), value]]);
  if (typeof value !== 'object' || value === null) return new Map();
  return new Map(Object.entries(value).flatMap(([key, one]) => [...flat(one, [...path, key])]));
};
