import { expect } from 'vitest';
import { feedbackMapId, resultId, totalId } from '../../api/calls/ids.ts';
import type { World } from '../matrix/world.ts';
import { fullName } from '../support/school.ts';
import type { Case, Cases } from './case.ts';
import { bound, marked } from './marked.ts';
import { newTask } from './tasks.ts';

const subject = { may: ['admin', 'auditor', 'leader', 'teacherA', 'teacherB'], as: 'teacherA', readsYearGroup: true } as const;
const ownClass = { may: ['admin', 'auditor', 'leader', 'teacherA'], as: 'teacherA' } as const;
const leads = { may: ['admin', 'auditor', 'leader'], as: 'leader' } as const;

type Who = Pick<Case, 'may' | 'as' | 'readsYearGroup' | 'given'>;
/** A read, and rows that its answer has. */
const reads = (who: Who, query: Case['ask'], rows: (world: World) => readonly unknown[]): Case => ({
  ...who,
  ask: query,
  right: ({ world, body }) => expect(body).toEqual(expect.arrayContaining(rows(world) as unknown[])),
});
const ofSet: Case['ask'] = ({ school: { ids } }) => ({ query: { SetID: ids.setA } });
const ofMock: Case['ask'] = ({ school: { ids } }) => ({ query: { SetID: ids.setA, TestID: ids.mock } });
const ofOther: Case['ask'] = ({ school: { ids } }) => ({ query: { SetID: ids.setA, TestID: ids.other } });

const person = ({ school: { ids } }: World, short: string) => ({ UniqueID: ids.students[short], LastFirst: fullName(short) });
const inClass = (world: World, short: string) => ({
  ...person(world, short),
  StudentID: `00${short}`,
  SetID: world.school.ids.setA,
  SetName: '11A',
});
const question = ({ school: { ids } }: World, place: number) => ({
  QuestionID: ids.questions[place],
  QuestionNumber: place + 1,
  TestTopic: `Topic ${place + 1}`,
  MarksAvailable: [5, 10, 5][place],
});
const setA = ({ school: { ids } }: World) => ({ SetId: ids.setA, SetName: '11A', YeargroupID: ids.year });
const average = (world: World, place: number, sum: number, n: number) => ({
  ...question(world, place),
  AvResult: expect.closeTo(sum / n, 9) as number,
  Ratio: expect.closeTo(sum / n / ([5, 10, 5][place] ?? 0), 9) as number,
});

const structure: Cases = {
  'GET /teacher/1': reads(
    subject,
    ({ school: { ids } }) => ({ query: { SubjectId: ids.maths } }),
    ({ school: { ids } }) => [{ YeargroupID: ids.year, Yeargroup: 11 }],
  ),
  'GET /teacher/4': reads(
    subject,
    ({ school: { ids } }) => ({ query: { SubjectID: ids.maths } }),
    (world) => [inClass(world, 'A1'), { ...inClass(world, 'C4'), SetID: world.school.ids.setC, SetName: '11C' }],
  ),
  'GET /teacher/5': reads(
    subject,
    ({ school: { ids } }) => ({ query: { SubjectID: ids.maths } }),
    ({ school: { ids } }) => [
      { TestID: ids.mock, TestName: 'Mock', MaxMark: 20 },
      { TestID: ids.unready, TestName: 'Unready', MaxMark: null },
    ],
  ),
  'GET /teacher/7': {
    ...ownClass,
    ask: ({ school: { ids } }) => ({ query: { SubjectID: ids.maths, TeacherID: ids.recordA } }),
    right: ({ world, body }) => expect(body).toEqual([setA(world)]),
  },
  'GET /teacher/8': reads(
    leads,
    ({ school: { ids } }) => ({ query: { SubjectID: ids.maths } }),
    ({ school: { ids } }) => [{ TeacherID: ids.recordB, Teacher: 'Teacher B', SubjectID: ids.maths }],
  ),
  'GET /teacher/13': reads(ownClass, ofSet, (world) => [inClass(world, 'A1'), inClass(world, 'A4')]),
  'GET /teacher/15': {
    ...ownClass,
    ask: ofSet,
    right: ({ world, body }) => {
      const { ids } = world.school;
      expect(body).toEqual([
        {
          ...setA(world),
          Yeargroup: 11,
          SubjectID: ids.maths,
          subject_name: 'Mathematics',
          SoWID: ids.scheme,
          SoWName: 'Scheme of Mathematics',
          Red: expect.any(Number) as number,
          Amber: expect.any(Number) as number,
          Green: expect.any(Number) as number,
          Cnt: 4,
        },
      ]);
    },
  },
  'GET /teacher/26': reads(ownClass, ofSet, (world) => [inClass(world, 'A1'), inClass(world, 'A4')]),
  'GET /teacher/29': {
    ...ownClass,
    ask: ({ school: { ids } }) => ({ query: { SetId: ids.setA } }),
    right: ({ world: { school }, body }) => expect(body).toEqual([{ YeargroupID: school.ids.year, Yeargroup: 11 }]),
  },
  'GET /teacher/30': reads(
    subject,
    ({ school: { ids } }) => ({ query: { YeargroupID: ids.year } }),
    (world) => [setA(world), { ...setA(world), SetId: world.school.ids.setB, SetName: '11B' }],
  ),
};

const marksOfClass: Cases = {
  // In the other assessment there are totals, and no marks of questions.
  'GET /teacher/3': reads(ownClass, ofOther, (world) => {
    const { other } = world.school.ids;
    const rowOf = (short: string) => ({ TestID: other, ...person(world, short) });
    return [
      { TestTotalsID: totalId(other, world.school.ids.students['A4'] ?? ''), ...rowOf('A4'), Total: 14 },
      { TestTotalsID: null, ...rowOf('A3'), Total: null },
    ];
  }),
  'GET /teacher/6': reads(ownClass, ofOther, ({ school: { ids } }) => [
    { StudentID: ids.students['A4'], TestID: ids.other, TestTotalsID: totalId(ids.other, ids.students['A4'] ?? '') },
  ]),
  'GET /teacher/12': reads({ ...ownClass, given: marked }, ofMock, (world) => {
    const { ids } = world.school;
    const rowOf = (short: string) => ({ ...question(world, 1), StudentID: ids.students[short], ...person(world, short) });
    return [
      { ResultID: resultId(ids.questions[1] ?? '', ids.students['A1'] ?? ''), ...rowOf('A1'), MarkAwarded: 6, EnteredStatus: 1 },
      { ResultID: null, ...rowOf('A3'), MarkAwarded: null, EnteredStatus: null },
    ];
  }),
  'GET /teacher/18': reads({ ...ownClass, given: marked }, ofMock, (world) => [
    {
      ...person(world, 'A1'),
      TestID: world.school.ids.mock,
      TestName: 'Mock',
      ...question(world, 0),
      SResult: 4,
      AvResult: expect.closeTo(11 / 4, 9) as number,
      Ratio: expect.closeTo((4 - 11 / 4) / 5, 9) as number,
    },
  ]),
  'GET /teacher/19': reads({ ...ownClass, given: marked }, ofMock, (world) => [
    { ...person(world, 'A2'), Total: 15, STotal: null, MaxMark: 20, ...thresholds },
  ]),
  'GET /teacher/20': reads({ ...ownClass, given: marked }, ofMock, (world) => [
    { ...person(world, 'A2'), StudentID: '00A2', ...question(world, 2), MarkAwarded: 0, Total: 15 },
  ]),
  'GET /teacher/21': reads({ ...ownClass, given: marked }, ofMock, (world) => [
    { ...person(world, 'A1'), QCount: 3, Cnt: 3, Status: 6, TTotal: 12, STotal: null },
    { ...person(world, 'A3'), QCount: 3, Cnt: 0, Status: 0, TTotal: null, STotal: null },
  ]),
  'GET /teacher/24': reads(ownClass, ofOther, (world) => {
    const { ids } = world.school;
    const row = { TestID: ids.other, ...person(world, 'A4'), Total: 14, TTotal: 14, STotal: null };
    return [{ TestTotalsID: totalId(ids.other, ids.students['A4'] ?? ''), ...row }];
  }),
  'GET /teacher/25': reads({ ...ownClass, given: marked }, ofSet, (world) => {
    const { ids } = world.school;
    return [
      { ...person(world, 'A1'), SetID: ids.setA, TestID: ids.mock, TestName: 'Mock', MaxMark: 20, Total: 12 },
      { ...person(world, 'A4'), SetID: ids.setA, TestID: ids.other, TestName: 'Other', MaxMark: 20, Total: 14 },
    ];
  }),
};
const thresholds = {
  Red: expect.any(Number) as number,
  Amber: expect.any(Number) as number,
  Green: expect.any(Number) as number,
};

const figures: Cases = {
  'GET /teacher/9': reads({ ...ownClass, given: marked }, ofSet, ({ school: { ids } }) => [
    { TestID: ids.mock, TestName: 'Mock', SetID: ids.setA, Max: 20, Cnt: 2 },
  ]),
  'GET /teacher/10': {
    ...ownClass,
    given: marked,
    ask: ofMock,
    right: ({ world, body }) =>
      expect(body).toEqual({ Avgs: [average(world, 0, 9, 2), average(world, 1, 16, 2), average(world, 2, 2, 2)] }),
  },
  'GET /teacher/11': {
    ...subject,
    given: marked,
    ask: ({ school: { ids } }) => ({ query: { TestID: ids.mock } }),
    right: ({ world, body }) => expect(body).toEqual([average(world, 0, 11, 4), average(world, 1, 18, 4), average(world, 2, 7, 4)]),
  },
  'GET /teacher/14': reads(
    { ...ownClass, given: bound },
    ({ school: { ids } }) => ({ query: { SoWID: ids.scheme, SetID: ids.setA } }),
    (world) => {
      const topic = { SoWTopicID: world.school.ids.schemeTopic, SoWTopic: 'Algebra' };
      return [
        { ...topic, ...person(world, 'A1'), Rag: 80, MarkAwarded: 4, MarksAvailable: 5 },
        { ...topic, ...person(world, 'A4'), Rag: null, MarkAwarded: 0, MarksAvailable: 0 },
      ];
    },
  ),
  'GET /teacher/16': {
    ...ownClass,
    given: bound,
    ask: ({ school: { ids } }) => ({ query: { SoWTopicID: ids.schemeTopic, StudentID: ids.students['A1'] ?? '' } }),
    right: ({ world, body }) =>
      expect(body).toEqual([{ TestID: world.school.ids.mock, TestName: 'Mock', ...question(world, 0), MarkAwarded: 4 }]),
  },
  'GET /teacher/17': {
    ...subject,
    given: marked,
    ask: ({ school: { ids } }) => ({ query: { TestID: ids.mock } }),
    right: ({ world, body }) => expect(body).toEqual([average(world, 0, 11, 4), average(world, 1, 18, 4), average(world, 2, 7, 4)]),
  },
};

const tasks: Cases = {
  'GET /teacher/22': reads(ownClass, ofSet, ({ school: { ids }, spare }) => [
    {
      TaskID: spare.tasks.CheckRanking,
      TaskName: expect.any(String) as string,
      Expiry: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string,
      TeacherInput: 1,
      YeargroupID: ids.year,
      SetID: ids.setA,
      Status: 2,
    },
  ]),
  'GET /teacher/23': {
    ...ownClass,
    ask: ({ spare }) => ({ query: { TaskID: spare.tasks.CheckRanking } }),
    right: ({ world: { school, spare }, body }) => {
      const { ids } = school;
      const TaskID = spare.tasks.CheckRanking;
      expect(body).toContainEqual({
        FeedbackMapID: feedbackMapId(TaskID, ids.setA, ids.other),
        TaskID,
        SetID: ids.setA,
        TestID: ids.other,
        Status: 2,
        TeacherID: ids.recordA,
        SetName: '11A',
        TestName: 'Other',
        Totals: expect.any(Number) as number,
        AllStudents: 4,
        MaxMark: 20,
      });
    },
  },
  'GET /teacher/27': {
    ...ownClass,
    given: async ({ school }) => {
      const taskId = await newTask(school);
      const rows = [{ studentId: school.ids.students['A4'], ranking: 1, score: 70.5, grade: '9' }];
      await (await school.as('admin')).done('RecordRanking', { taskId, rows });
    },
    ask: ofSet,
    right: ({ world, body }) => {
      const { ids } = world.school;
      const row = { YearID: ids.year, SetID: ids.setA, SetName: '11A', ...person(world, 'A4'), Ranking: 1, Score: 70.5, Grade: '9' };
      expect(body).toEqual([{ RankID: expect.any(String) as string, ...row, Trank: null, Tests: '[]', Tflag: 0, Comment: null }]);
    },
  },
  'GET /teacher/28': {
    ...subject,
    given: marked,
    ask: ({ school: { ids } }) => ({ query: { YeargroupID: ids.year } }),
    right: ({ world, body }) => {
      const { ids } = world.school;
      expect(body).toEqual({
        Tests: expect.arrayContaining([{ TestID: ids.mock, TestName: 'Mock', MaxMark: 20 }]) as unknown[],
        allStudents: expect.arrayContaining([inClass(world, 'A1')]) as unknown[],
        allData: expect.arrayContaining([{ UniqueID: ids.students['A1'], TestID: ids.mock, Total: 12 }]) as unknown[],
        ranking: expect.any(Array) as unknown[],
        allPAD: expect.arrayContaining([expect.objectContaining({ UniqueID: ids.students['A1'] })]) as unknown[],
        allSets: expect.arrayContaining([setA(world)]) as unknown[],
      });
    },
  },
};

export const teacherReads: Cases = { ...structure, ...marksOfClass, ...figures, ...tasks };
