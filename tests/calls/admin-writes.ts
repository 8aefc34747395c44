import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { offRollSetId } from '../../api/calls/admin/off-roll.ts';
import { linkId } from '../../api/calls/tables.ts';
import type { Asked } from '../matrix/row.ts';
import type { World } from '../matrix/world.ts';
import { bindings } from './bindings.ts';
import type { Case, Cases, Seen } from './case.ts';
import { asks } from './case.ts';

const post = (table: string, key: string, values: object): Asked => ({ body: { table, data: [{ keyval: { [key]: null }, values }] } });
const put = (table: string, id: string, values: object): Asked => ({ id, body: { table, values } });
const remove = (table: string, id: string): Asked => ({ id, body: { table } });

const fresh = (): string => randomUUID().slice(0, 18);
const configures = { may: ['admin'], ifOpen: true } as const;
const admins = { may: ['admin'] } as const;
const leads = { may: ['admin', 'leader'] } as const;

/** The id of what an admin makes by a command. */
const made = async ({ school }: World, command: string, input: object): Promise<string> => {
  const admin = await school.as('admin');
  return Object.values(await admin.done(command as 'AddSet', input))[0] ?? '';
};
/** The values that were sent. */
const sent = (asked: Asked): object => {
  const { data, values } = asked.body as { readonly data?: readonly { readonly values: object }[]; readonly values?: object };
  return data?.[0]?.values ?? values ?? {};
};

/** After it, a list has what was sent, under the id that was answered. */
const shows =
  (path: string, query: (world: World, asked: Asked) => Readonly<Record<string, string>>, key: string): Case['right'] =>
  async ({ world, client, asked, body }: Seen) => {
    const { insertids, lastid }: { insertids: string[]; lastid: string } = body;
    expect(insertids).toEqual([lastid]);
    const rows = await asks<Readonly<Record<string, unknown>>[]>(client, path, query(world, asked));
    expect(rows.find((row) => row[key] === lastid)).toMatchObject(sent(asked));
  };
/** After it, the list does not have it any more. */
const lacks =
  (path: string, query: (world: World, asked: Asked) => Readonly<Record<string, string>>, key: string): Case['right'] =>
  async ({ world, client, asked, body }: Seen) => {
    expect(body).toMatchObject({ lastid: asked.id });
    const rows = await asks<Readonly<Record<string, unknown>>[]>(client, path, query(world, asked));
    expect(rows.map((row) => row[key])).not.toContain(asked.id);
  };

const ofMaths = ({ school }: World) => ({ SubjectID: school.ids.maths });
const OfMaths = ({ school }: World) => ({ SubjectId: school.ids.maths });
const ofYear = ({ school }: World) => ({ YeargroupID: school.ids.year });
const ofTopic = ({ school }: World) => ({ SoWTopicID: school.ids.schemeTopic });

/** No subject has two year groups of a year: those of the others are below 12, or above 19. */
let year = 40;
const nextYear = (): number => (year = year >= 98 ? 40 : year + 1);

const newSet = (world: World): Promise<string> =>
  made(world, 'AddSet', {
    subjectId: world.school.ids.maths,
    yearGroupId: world.school.ids.year,
    name: fresh(),
    schemeId: world.school.ids.scheme,
  });
const newScheme = (world: World): Promise<string> =>
  made(world, 'AddScheme', { subjectId: world.school.ids.maths, name: fresh(), topics: ['Ratio'] });
const newTest = (world: World): Promise<string> => made(world, 'CreateAssessment', { subjectId: world.school.ids.maths, name: fresh() });
const topicIn = async (world: World, schemeId: string): Promise<string> => {
  const admin = await world.school.as('admin');
  const { topicIds } = await admin.done<{ topicIds: string[] }>('SaveSchemeTopics', { schemeId, save: [{ topicId: null, name: fresh() }] });
  return topicIds[0] ?? '';
};
const questionIn = async (world: World, testId: string): Promise<string> => {
  const admin = await world.school.as('admin');
  const save = [{ questionId: null, topic: fresh(), marksAvailable: 2 }];
  const { questionIds } = await admin.done<{ questionIds: string[] }>('SaveQuestions', { testId, save });
  return questionIds[0] ?? '';
};
const newStudent = (world: World): Promise<string> =>
  made(world, 'AddStudent', {
    subjectId: world.school.ids.maths,
    setId: world.school.ids.setC,
    admissionNo: fresh(),
    name: 'Added, Student',
    dateOfBirth: null,
  });

const structure: Cases = {
  'POST /admin subject': {
    ...admins,
    ask: ({ school }) => post('subject', 'subjectid', { subject_name: `Art ${fresh()}`, SchoolID: school.schoolId }),
    right: shows('/admin/1', () => ({}), 'subjectid'),
  },
  'PUT /admin/{id} subject': {
    ...configures,
    ask: ({ school }) => put('subject', school.ids.maths, { subject_name: 'Mathematics' }),
    right: shows('/admin/1', () => ({}), 'subjectid'),
  },
  'DELETE /admin/{id} subject': {
    ...admins,
    ask: ({ spare }) => remove('subject', spare.subjectId),
    right: lacks('/admin/1', () => ({}), 'subjectid'),
  },
  'POST /admin Yeargroups': {
    ...configures,
    ask: ({ school: { ids } }) => post('Yeargroups', 'YeargroupID', { Yeargroup: nextYear(), SubjectId: ids.science }),
    right: shows('/admin/8', ({ school }) => ({ SubjectId: school.ids.science }), 'YeargroupID'),
  },
  'PUT /admin/{id} Yeargroups': {
    ...configures,
    ask: ({ school: { ids } }) => put('Yeargroups', ids.year, { Yeargroup: 11 }),
    right: shows('/admin/8', OfMaths, 'YeargroupID'),
  },
  'DELETE /admin/{id} Yeargroups': {
    ...configures,
    ask: async (world) =>
      remove('Yeargroups', await made(world, 'AddYearGroup', { subjectId: world.school.ids.science, year: nextYear() })),
    right: lacks('/admin/8', ({ school }) => ({ SubjectId: school.ids.science }), 'YeargroupID'),
  },
  'POST /admin MathsSets': {
    ...configures,
    ask: ({ school: { ids } }) =>
      post('MathsSets', 'SetId', { SetName: fresh(), YeargroupID: ids.year, SoWID: ids.scheme, MappedAssessments: [ids.other] }),
    right: shows('/admin/9', ofYear, 'SetId'),
  },
  'PUT /admin/{id} MathsSets': {
    ...configures,
    // It moves, with another name.
    ask: async (world) =>
      put('MathsSets', await newSet(world), { SetName: fresh(), YeargroupID: world.spare.yearGroupId, SoWID: world.school.ids.scheme }),
    right: shows('/admin/9', ({ spare }) => ({ YeargroupID: spare.yearGroupId }), 'SetId'),
  },
  'DELETE /admin/{id} MathsSets': {
    ...configures,
    ask: async (world) => remove('MathsSets', await newSet(world)),
    right: lacks('/admin/9', ofYear, 'SetId'),
  },
  'POST /admin Teachers': {
    ...configures,
    ask: ({ school: { ids } }) => post('Teachers', 'TeacherID', { Teacher: fresh(), SubjectID: ids.maths }),
    right: async (seen) => {
      const { teachers } = await asks<{ teachers: { TeacherID: string; Teacher: string }[] }>(
        seen.client,
        '/admin/25',
        ofMaths(seen.world),
      );
      const { lastid }: { lastid: string } = seen.body;
      expect(teachers.find(({ TeacherID }) => TeacherID === lastid)).toMatchObject(sent(seen.asked));
    },
  },
  'PUT /admin/{id} Teachers': {
    ...configures,
    ask: async (world) =>
      put('Teachers', await made(world, 'AddTeacher', { subjectId: world.school.ids.maths, name: fresh() }), { Teacher: `Dr ${fresh()}` }),
    right: async (seen) => {
      const { teachers } = await asks<{ teachers: { TeacherID: string; Teacher: string }[] }>(
        seen.client,
        '/admin/25',
        ofMaths(seen.world),
      );
      expect(teachers.find(({ TeacherID }) => TeacherID === seen.asked.id)).toMatchObject(sent(seen.asked));
    },
  },
  'DELETE /admin/{id} Teachers': {
    ...configures,
    ask: async (world) => remove('Teachers', await made(world, 'AddTeacher', { subjectId: world.school.ids.maths, name: fresh() })),
    right: async (seen) => {
      const { teachers } = await asks<{ teachers: { TeacherID: string }[] }>(seen.client, '/admin/25', ofMaths(seen.world));
      expect(teachers.map(({ TeacherID }) => TeacherID)).not.toContain(seen.asked.id);
    },
  },
  'POST /admin EndpointNames': {
    ...configures,
    ask: ({ school: { ids } }) => post('EndpointNames', 'EndpointID', { EndpointName: fresh(), YearSat: 12, SubjectID: ids.maths }),
    right: shows('/admin/11', ofMaths, 'EndpointID'),
  },
  'PUT /admin/{id} EndpointNames': {
    ...configures,
    ask: async (world) =>
      put('EndpointNames', await made(world, 'AddTerminalExam', { subjectId: world.school.ids.maths, name: fresh(), yearSat: 12 }), {
        EndpointName: `Renamed ${fresh()}`,
        YearSat: 13,
      }),
    right: shows('/admin/11', ofMaths, 'EndpointID'),
  },
  'DELETE /admin/{id} EndpointNames': {
    ...configures,
    ask: async (world) =>
      remove('EndpointNames', await made(world, 'AddTerminalExam', { subjectId: world.school.ids.maths, name: fresh(), yearSat: 12 })),
    right: lacks('/admin/11', ofMaths, 'EndpointID'),
  },
};

const papers: Cases = {
  'POST /admin SoW': {
    ...configures,
    ask: ({ school: { ids } }) => post('SoW', 'SoWId', { SoWName: fresh(), SubjectID: ids.maths }),
    right: shows('/admin/2', OfMaths, 'SoWId'),
  },
  'PUT /admin/{id} SoW': {
    ...configures,
    ask: async (world) => put('SoW', await newScheme(world), { SoWName: `Renamed ${fresh()}` }),
    right: shows('/admin/2', OfMaths, 'SoWId'),
  },
  'DELETE /admin/{id} SoW': {
    ...configures,
    ask: async (world) => remove('SoW', await newScheme(world)),
    right: lacks('/admin/2', OfMaths, 'SoWId'),
  },
  'POST /admin SoWTopic': {
    ...configures,
    ask: ({ spare }) => ({
      body: {
        table: 'SoWTopic',
        data: [fresh(), fresh()].map((SoWTopic) => ({ keyval: { SoWTopicID: null }, values: { SoWTopic, SoWID: spare.schemeId } })),
      },
    }),
    right: async ({ world, client, asked, body }) => {
      const { insertids }: { insertids: string[] } = body;
      const { data } = asked.body as { data: { values: { SoWTopic: string } }[] };
      const topics = await asks<{ SoWTopicID: string; SoWTopic: string }[]>(client, '/admin/3', { SoWID: world.spare.schemeId });
      const names = new Map(topics.map(({ SoWTopicID, SoWTopic }) => [SoWTopicID, SoWTopic]));
      expect(insertids.map((topicId) => names.get(topicId))).toEqual(data.map(({ values }) => values.SoWTopic));
    },
  },
  'PUT /admin/{id} SoWTopic': {
    ...configures,
    ask: async (world) => put('SoWTopic', await topicIn(world, world.school.ids.scheme), { SoWTopic: `Renamed ${fresh()}` }),
    right: shows('/admin/3', ({ school }) => ({ SoWID: school.ids.scheme }), 'SoWTopicID'),
  },
  'DELETE /admin/{id} SoWTopic': {
    ...configures,
    ask: async (world) => remove('SoWTopic', await topicIn(world, world.school.ids.scheme)),
    right: lacks('/admin/3', ({ school }) => ({ SoWID: school.ids.scheme }), 'SoWTopicID'),
  },
  'POST /admin TestData': {
    ...configures,
    ask: ({ school: { ids } }) => post('TestData', 'TestID', { TestName: fresh(), Allowinput: 1, SubjectID: ids.maths }),
    right: shows('/admin/5', ofMaths, 'TestID'),
  },
  'PUT /admin/{id} TestData': {
    ...configures,
    ask: async (world) => put('TestData', await newTest(world), { TestName: `Renamed ${fresh()}`, Allowinput: 1 }),
    right: shows('/admin/5', ofMaths, 'TestID'),
  },
  'DELETE /admin/{id} TestData': {
    ...configures,
    ask: async (world) => remove('TestData', await newTest(world)),
    right: lacks('/admin/5', ofMaths, 'TestID'),
  },
  'POST /admin QuestionData': {
    ...configures,
    ask: async (world) =>
      post('QuestionData', 'QuestionID', { QuestionNumber: 1, TestTopic: fresh(), MarksAvailable: 4, TestID: await newTest(world) }),
    right: shows('/admin/6', (_world, asked) => ({ TestID: (sent(asked) as { TestID: string }).TestID }), 'QuestionID'),
  },
  'PUT /admin/{id} QuestionData': {
    ...configures,
    ask: async (world) => put('QuestionData', await questionIn(world, world.spare.paper.testId), { TestTopic: fresh(), MarksAvailable: 7 }),
    right: shows('/admin/6', ({ spare }) => ({ TestID: spare.paper.testId }), 'QuestionID'),
  },
  'DELETE /admin/{id} QuestionData': {
    ...configures,
    ask: async (world) => remove('QuestionData', await questionIn(world, world.spare.paper.testId)),
    right: lacks('/admin/6', ({ spare }) => ({ TestID: spare.paper.testId }), 'QuestionID'),
  },
};

const students: Cases = {
  'POST /admin StudentNames': {
    ...admins,
    ask: ({ school: { ids } }) =>
      post('StudentNames', 'UniqueID', {
        StudentID: fresh(),
        LastFirst: 'New, Student',
        DoB: '2001-01-01',
        SetID: ids.setC,
        SubjectID: ids.maths,
      }),
    right: shows('/admin/13', ofMaths, 'UniqueID'),
  },
  'PUT /admin/{id} StudentNames': {
    ...admins,
    // The date that stands for an unknown birthday keeps it unknown; off roll is a set.
    ask: async (world) =>
      put('StudentNames', await newStudent(world), {
        LastFirst: 'Other, Name',
        DoB: '2001-01-01',
        SetID: offRollSetId(world.school.ids.maths),
      }),
    right: async (seen) => {
      await shows('/admin/13', ofMaths, 'UniqueID')(seen);
      const admin = await seen.world.school.as('admin');
      const filter = encodeURIComponent(JSON.stringify({ studentId: seen.asked.id }));
      const answer = await admin.send(`/api/rest/students?filter=${filter}`);
      expect(await answer.json()).toMatchObject([{ set: 'Off-Roll', dateOfBirth: null }]);
    },
  },
  'DELETE /admin/{id} StudentNames': {
    ...admins,
    ask: async (world) => remove('StudentNames', await newStudent(world)),
    right: lacks('/admin/13', ofMaths, 'UniqueID'),
  },
};

type Headers = { readonly headers: readonly { readonly headerId: string; readonly name: string }[] };
const teaches = { may: ['admin', 'leader', 'teacherA', 'teacherB'], as: 'teacherA' } as const;
const headersOf = async ({ world, client }: Seen): Promise<Headers['headers']> =>
  (await client.ask<Headers>('revision-lists', { subjectId: world.school.ids.maths, testId: world.school.ids.mock })).headers;

/** After it, the header goes by the name that was sent. */
const headed: Case['right'] = async (seen) => {
  const { RevHead: name } = sent(seen.asked) as { RevHead: string };
  expect(await headersOf(seen)).toContainEqual(expect.objectContaining({ headerId: (seen.body as { lastid: string }).lastid, name }));
};

const revision: Cases = {
  'POST /admin RevLinks': {
    ...teaches,
    ask: ({ school: { ids } }) => post('RevLinks', 'RevLinkID', { RevHead: fresh(), Num: 99, SubjectID: ids.maths }),
    right: headed,
  },
  'PUT /admin/{id} RevLinks': {
    ...teaches,
    ask: async (world) =>
      put('RevLinks', await made(world, 'AddRevisionHeader', { subjectId: world.school.ids.maths, name: fresh() }), { RevHead: fresh() }),
    right: headed,
  },
  'DELETE /admin/{id} RevLinks': {
    ...teaches,
    ask: async (world) => remove('RevLinks', await made(world, 'AddRevisionHeader', { subjectId: world.school.ids.maths, name: fresh() })),
    right: async (seen) => expect((await headersOf(seen)).map(({ headerId }) => headerId)).not.toContain(seen.asked.id),
  },
};

/** A link of a table, made or taken away by its id. */
const links = (
  table: string,
  [key, one, other]: readonly [string, string, string],
  who: Pick<Case, 'may' | 'ifOpen'>,
  pair: (world: World) => Promise<readonly [string, string]>,
  link: (world: World, of: readonly [string, string]) => Promise<unknown>,
  listed: (seen: Seen) => Promise<readonly string[]>,
): Cases => ({
  [`POST /admin ${table}`]: {
    ...who,
    ask: async (world) => {
      const [first, second] = await pair(world);
      return post(table, key, { [one]: first, [other]: second });
    },
    right: async (seen) => {
      const values = sent(seen.asked) as Readonly<Record<string, string>>;
      const of = [values[one] ?? '', values[other] ?? ''] as const;
      expect(seen.body).toEqual({ insertids: [linkId(table, ...of)], lastid: linkId(table, ...of) });
      expect(await listed(seen)).toContain(linkId(table, ...of));
    },
  },
  [`DELETE /admin/{id} ${table}`]: {
    ...who,
    ask: async (world) => {
      const of = await pair(world);
      await link(world, of);
      return remove(table, linkId(table, ...of));
    },
    right: async (seen) => {
      expect(seen.body).toMatchObject({ lastid: seen.asked.id });
      expect(await listed(seen)).not.toContain(seen.asked.id);
    },
  },
});

const commanded = async (world: World, command: string, link: object): Promise<unknown> =>
  (await world.school.as('admin')).done(command as 'LinkSetAssessment', { subjectId: world.school.ids.maths, linked: true, links: [link] });
const idsIn = async (seen: Seen, path: string, query: Readonly<Record<string, string>>, key: string): Promise<string[]> =>
  (await asks<Readonly<Record<string, string>>[]>(seen.client, path, query)).map((row) => row[key] ?? '');

const linked: Cases = {
  ...links(
    'TestSets',
    ['TestSetsID', 'SetID', 'TestID'],
    configures,
    async ({ school: { as, ids } }) => {
      await (await as('admin')).done('RestoreAssessment', { testId: ids.unready });
      return [ids.setC, ids.unready];
    },
    (world, [setId, testId]) => commanded(world, 'LinkSetAssessment', { setId, testId }),
    (seen) => idsIn(seen, '/admin/10', ofYear(seen.world), 'TestSetsID'),
  ),
  ...links(
    'TeachersSets',
    ['TeachersSetsID', 'TeacherID', 'SetID'],
    configures,
    async ({ school: { ids } }) => [ids.leaderRecord, ids.setC],
    (world, [teacherId, setId]) => commanded(world, 'LinkTeacherSet', { teacherId, setId }),
    async (seen) => {
      const { mappings } = await asks<{ mappings: { TeachersSetsID: string }[] }>(seen.client, '/admin/25', ofMaths(seen.world));
      return mappings.map(({ TeachersSetsID }) => TeachersSetsID);
    },
  ),
  ...links(
    'NLPSoW',
    ['NLPSoWID', 'SoWTopicID', 'TopicID'],
    leads,
    async (world) => [world.school.ids.schemeTopic, (await bindings(world)).topicId],
    (world, [schemeTopicId, topicId]) => commanded(world, 'LinkSchemeTopic', { schemeTopicId, topicId }),
    (seen) => idsIn(seen, '/admin/18', OfMaths(seen.world), 'NLPSoWID'),
  ),
  ...links(
    'NLPAssess',
    ['NLPAssessID', 'QuestionID', 'TopicID'],
    leads,
    async (world) => [world.school.ids.questions[0] ?? '', (await bindings(world)).topicId],
    (world, [questionId, topicId]) => commanded(world, 'LinkQuestionTopic', { questionId, topicId }),
    (seen) => idsIn(seen, '/admin/19', ofMaths(seen.world), 'NLPAssessID'),
  ),
  ...links(
    'SoWMapping',
    ['SoWMappingID', 'SoWTopicID', 'QuestionID'],
    leads,
    async ({ school: { ids } }) => [ids.schemeTopic, ids.questions[1] ?? ''],
    (world, [schemeTopicId, questionId]) => commanded(world, 'LinkPrerequisite', { schemeTopicId, questionId }),
    (seen) => idsIn(seen, '/admin/21', ofTopic(seen.world), 'SoWMappingID'),
  ),
};

export const adminWrites: Cases = { ...structure, ...papers, ...students, ...linked, ...revision };
