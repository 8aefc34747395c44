import { expect } from 'vitest';
import { endpointScoreId, feedbackMapId, totalId } from '../../api/calls/ids.ts';
import { gradeId } from '../../api/calls/leader/task-reads.ts';
import { linkId } from '../../api/calls/tables.ts';
import { tomorrow } from '../support/samples.ts';
import { fullName } from '../support/school.ts';
import type { World } from '../matrix/world.ts';
import { bindings } from './bindings.ts';
import type { Case, Cases } from './case.ts';
import { leaderWrites } from './leader-writes.ts';
import { newTask } from './tasks.ts';

/** A read for leaders, and a row that its answer has. */
const reads = (
  query: (world: World) => Readonly<Record<string, string>>,
  row: (world: World) => unknown,
  who: Pick<Case, 'may' | 'as' | 'given' | 'readsYearGroup'> = leads,
): Case => ({
  ...who,
  ask: (world) => ({ query: query(world) }),
  right: ({ world, body }) => expect(body).toContainEqual(row(world)),
});
const leads = { may: ['admin', 'auditor', 'leader'], as: 'leader' } as const;
const staff = { may: ['admin', 'auditor', 'leader', 'teacherA', 'teacherB'], as: 'teacherA', readsYearGroup: true } as const;

const ofMaths = ({ school }: World) => ({ SubjectID: school.ids.maths });
const ofYear = ({ school }: World) => ({ YeargroupID: school.ids.year });
const ofMock = ({ school }: World) => ({ TestID: school.ids.mock });

/** Half the marks of everybody who is named, in one test. */
const totals = async ({ school: { as, ids } }: World): Promise<unknown> =>
  (await as('admin')).done('UploadTotals', {
    subjectId: ids.maths,
    classes: [{ setId: ids.setC, testIds: [ids.mock] }],
    rows: [
      { admissionNo: '00C1', name: fullName('C1'), totals: [10] },
      { admissionNo: '00C4', name: fullName('C4'), totals: [15] },
    ],
    fileName: 'leader.csv',
  });
/** A score of C4 in the terminal exam of the school. */
const scored = async ({ school: { as, ids } }: World): Promise<unknown> => {
  const admin = await as('admin');
  const about = { subjectId: ids.maths, terminalExamId: ids.terminalExam };
  await admin.done('RestoreTerminalExam', about);
  const scores = [{ studentId: ids.students['C4'], score: 'A*' }];
  return admin.done('EnterPriorScores', { ...about, yearCompleted: 2025, scores });
};
const exam = { EndpointName: expect.any(String) as string, YearSat: 11 };

const papers: Cases = {
  'GET /leader/1': {
    ...leads,
    given: totals,
    ask: (world) => ({ query: { ...ofMaths(world), ...ofYear(world) } }),
    right: ({ world: { school }, body }) => {
      const { mock: TestID, setC: SetID } = school.ids;
      const historic: unknown = expect.arrayContaining([
        { TestID, Year: expect.any(Number), Average: expect.any(Number), Cnt: expect.any(Number) },
      ]);
      expect(body).toEqual({
        tests: expect.arrayContaining([{ TestID, TestName: 'Mock', MaxMark: 20 }]) as unknown,
        averages: expect.arrayContaining([{ TestID, SetID, SetName: '11C', Average: 62.5, Cnt: 2 }]) as unknown,
        historic,
      });
    },
  },
  'GET /leader/2': {
    ...staff,
    given: ({ school, spare }) => putUnderHeader(school, spare.header.headerId),
    ask: (world) => ({ query: { ...ofMaths(world), ...ofMock(world) } }),
    right: ({ world: { school, spare }, body }) => {
      const { maths: SubjectID, questions, mock: TestID } = school.ids;
      const question = { MarksAvailable: 5, TestID };
      expect(body).toEqual({
        headers: expect.arrayContaining([{ RevLinkID: spare.header.headerId, RevHead: 'Spare', Num: 99, SubjectID }]) as unknown,
        rev: expect.arrayContaining([
          {
            ...question,
            QuestionID: questions[0],
            QuestionNumber: 1,
            TestTopic: 'Topic 1',
            RevID: spare.header.headerId,
            RevAlt: 'Fractions',
          },
          { ...question, QuestionID: questions[2], QuestionNumber: 3, TestTopic: 'Topic 3', RevID: 0, RevAlt: null },
        ]) as unknown,
      });
    },
  },
  'GET /leader/9': reads(ofMaths, ({ school: { ids } }) => ({ TestID: ids.mock, TestName: 'Mock', SubjectID: ids.maths, MaxMark: 20 })),
  'GET /leader/11': reads(
    ofYear,
    ({ school: { ids } }) => ({ TestID: ids.mock, TestName: 'Mock', Max: 20, Cnt: expect.any(Number) as number }),
    {
      ...leads,
      given: totals,
    },
  ),
  'GET /leader/18': {
    ...leads,
    given: bindings,
    ask: (world) => ({ query: ofMaths(world) }),
    right: async ({ world, body }) => {
      const { schemeTopic: SoWTopicID, scheme: SoWId } = world.school.ids;
      const { topicId: TopicID } = await bindings(world);
      const named = { SoWTopic: 'Algebra', SoWName: 'Scheme of Mathematics', TopicName: 'Algebra' };
      expect(body).toContainEqual({ NLPSoWID: linkId('NLPSoW', SoWTopicID, TopicID), SoWTopicID, SoWId, TopicID, ...named });
    },
  },
  'GET /leader/19': { ...leads, given: bindings, ask: (world) => ({ query: ofMaths(world) }), right: isBound },
  'GET /leader/20': reads(ofMaths, ({ school: { ids } }) => ({
    TestID: ids.unready,
    TestName: 'Unready',
    Allowinput: 0,
    SubjectID: ids.maths,
    MaxMark: null,
  })),
  'GET /leader/21': reads(ofMock, ({ school: { ids } }) => ({
    QuestionID: ids.questions[1],
    QuestionNumber: 2,
    TestTopic: 'Topic 2',
    MarksAvailable: 10,
    TestID: ids.mock,
    Mappings: expect.any(Number) as number,
  })),
  'GET /leader/22': { ...leads, given: bindings, ask: (world) => ({ query: ofMock(world) }), right: isBound },
};

async function isBound({ world, body }: Parameters<Case['right']>[0]): Promise<void> {
  const { questions, mock: TestID } = world.school.ids;
  const { topicId: TopicID } = await bindings(world);
  const [QuestionID = ''] = questions;
  const question = { QuestionID, QuestionNumber: 1, TestTopic: 'Topic 1', TestID };
  expect(body).toContainEqual({ NLPAssessID: linkId('NLPAssess', QuestionID, TopicID), ...question, TopicID, TopicName: 'Algebra' });
}

const putUnderHeader = async ({ as, ids }: World['school'], headerId: string): Promise<unknown> => {
  const questions = [
    { questionId: ids.questions[0], headerId, text: 'Fractions' },
    { questionId: ids.questions[2], headerId: null, text: null },
  ];
  return (await as('admin')).done('SaveRevisionList', { subjectId: ids.maths, testId: ids.mock, questions });
};

const structure: Cases = {
  'GET /leader/3': reads(ofYear, ({ school: { ids } }) => ({ SetId: ids.setB, SetName: '11B' }), staff),
  'GET /leader/4': reads(
    ofYear,
    ({ school: { ids } }) => ({
      EndID: ids.terminalExam,
      EndpointName: exam.EndpointName,
      Ratio: expect.any(Number) as number,
      Type: 'letter',
      Yeargroup: 11,
    }),
    { ...leads, given: scored },
  ),
  'GET /leader/5': reads(
    (world) => ({ ...ofYear(world), ...ofMaths(world) }),
    ({ school: { ids } }) => ({ EndpointID: ids.terminalExam, ...exam, SubjectID: ids.maths }),
    { ...leads, given: scored },
  ),
  'GET /leader/6': reads(
    (world) => ({ ...ofYear(world), EndpointID: world.school.ids.terminalExam }),
    ({ school: { ids } }) => ({
      ...ofC4(ids),
      EndScore: 'A*',
      DateCompleted: 2025,
      UniqueID: ids.students['C4'],
      StudentID: '00C4',
      LastFirst: fullName('C4'),
      SetID: ids.setC,
      SetName: '11C',
    }),
    { ...leads, given: scored },
  ),
  'GET /leader/7': {
    ...leads,
    given: scored,
    ask: ({ school: { ids } }) => ({ query: { EndpointID: ids.terminalExam } }),
    right: ({ world: { school }, body }) =>
      expect(body).toEqual([{ EndpointID: school.ids.terminalExam, ...exam, SubjectID: school.ids.maths }]),
  },
  'GET /leader/8': reads(ofYear, ({ school: { ids } }) => ({ SetId: ids.setB, SetName: '11B', YeargroupID: ids.year, SoWID: ids.scheme })),
  'GET /leader/13': reads(
    (world) => ({ ...ofYear(world), EndpointID: world.school.ids.terminalExam }),
    ({ school: { ids } }) => ({
      ...ofC4(ids),
      EndScore: 'A*',
      DateCompleted: 2025,
      StudentID: ids.students['C4'],
      UniqueID: ids.students['C4'],
    }),
    { ...leads, given: scored },
  ),
};
const ofC4 = (ids: World['school']['ids']) => ({
  EndpointScoresID: endpointScoreId(ids.terminalExam, ids.students['C4'] ?? ''),
  EndpointID: ids.terminalExam,
});

const C4 = ({ school: { ids } }: World) => ({
  UniqueID: ids.students['C4'],
  StudentID: '00C4',
  LastFirst: fullName('C4'),
  SetID: ids.setC,
  SetName: '11C',
});

/** A newest task of 11A, with rows of a ranking that were sent and do not count yet. */
const sent = async ({ school }: World): Promise<string> => {
  const taskId = await newTask(school);
  const { as, ids } = school;
  const row = { studentId: ids.students['A4'], testIds: [ids.other], ranking: 3, score: 61.5, teacherRank: 2, flag: true, comment: 'Ill' };
  await (await as('admin')).done('RecordRanking', { taskId, rows: [row] });
  return taskId;
};

const tasks: Cases = {
  'GET /leader/10': {
    ...leads,
    ask: ({ spare }) => ({ query: { TaskID: spare.tasks.CheckRanking } }),
    right: ({ world: { school, spare }, body }) => {
      const { setA: SetID, other: TestID, students, recordA: TeacherID } = school.ids;
      const TaskID = spare.tasks.CheckRanking;
      const A4 = students['A4'] ?? '';
      const counted = { Status: 2, TeacherID, Totals: expect.any(Number) as number, AllStudents: 4, MaxMark: 20 };
      expect(body).toEqual({
        Counts: [
          { FeedbackMapID: feedbackMapId(TaskID, SetID, TestID), TaskID, SetID, SetName: '11A', TestID, TestName: 'Other', ...counted },
        ],
        Totals: expect.arrayContaining([{ TestTotalsID: totalId(TestID, A4), TestID, SetID, UniqueID: A4, Total: 14 }]) as unknown,
      });
    },
  },
  'GET /leader/12': reads(ofYear, (world) => ({ ...C4(world), TestID: world.school.ids.mock, Total: 15, MaxMark: 20 }), {
    ...leads,
    given: totals,
  }),
  'GET /leader/14': reads(ofYear, C4),
  'GET /leader/15': {
    ...leads,
    ask: (world) => ({ query: ofYear(world) }),
    right: ({ world: { school, spare }, body }) => {
      const { gradeProfileId: GPID } = spare;
      expect(body).toEqual({
        gp: expect.arrayContaining([{ GPID, Name: 'Spare', YearID: school.ids.year }]) as unknown,
        grades: expect.arrayContaining([{ GID: gradeId(GPID, '9'), GPID, Label: '9', Perc: 40 }]) as unknown,
      });
    },
  },
  'GET /leader/16': {
    ...leads,
    given: sent,
    ask: (world) => ({ query: ofYear(world) }),
    right: ({ world: { school }, body }) => {
      const { students, setA: SetID, year: YearID, other } = school.ids;
      const named = { SetID, SetName: '11A', UniqueID: students['A4'], LastFirst: fullName('A4') };
      const row = { Ranking: 3, Score: 61.5, Trank: 2, Tests: JSON.stringify([other]), Tflag: 1, Comment: 'Ill', Grade: null };
      expect(body).toEqual([{ RankID: expect.any(String) as string, YearID, ...named, ...row }]);
    },
  },
  'GET /leader/17': {
    ...leads,
    ask: (world) => ({ query: ofYear(world) }),
    right: ({ world: { school, spare }, body }) => {
      const TaskID = spare.tasks.CheckRanking;
      const task = { TaskName: 'Autumn', Expiry: tomorrow(), TeacherInput: 1, YeargroupID: school.ids.year, Status: 2 };
      expect(body).toContainEqual({ TaskID, taskID: TaskID, ...task });
    },
  },
};

export const leaderCases: Cases = { ...papers, ...structure, ...tasks, ...leaderWrites };
