import { expect } from 'vitest';
import { offRollSetId, offRollYearId } from '../../api/calls/admin/off-roll.ts';
import { linkId } from '../../api/calls/tables.ts';
import { fullName } from '../support/school.ts';
import { adminWrites } from './admin-writes.ts';
import type { Case, Cases } from './case.ts';
import { bindings } from './bindings.ts';

/** A read of the administration, and a row that its answer has. */
const reads = (
  query: Case['ask'],
  row: (world: Parameters<Case['ask']>[0]) => unknown,
  who: Pick<Case, 'may' | 'ifOpen' | 'as' | 'given' | 'readsYearGroup'> = configures,
): Case => ({
  ...who,
  ask: query,
  right: ({ world, body }) => expect(body).toContainEqual(row(world)),
});
const configures = { may: ['admin', 'auditor'], ifOpen: true } as const;
const maps = { may: ['admin', 'auditor', 'leader'] } as const;
const examines = { may: ['admin', 'auditor'] } as const;

export const adminCases: Cases = {
  'GET /admin/1': reads(
    () => ({}),
    ({ school }) => ({ subjectid: school.ids.maths, subject_name: 'Mathematics', SchoolID: school.schoolId }),
  ),
  'GET /admin/2': reads(
    ({ school: { ids } }) => ({ query: { SubjectId: ids.maths } }),
    ({ school: { ids } }) => ({ SoWId: ids.scheme, SoWName: 'Scheme of Mathematics', SubjectID: ids.maths }),
  ),
  'GET /admin/3': reads(
    ({ school: { ids } }) => ({ query: { SoWID: ids.scheme } }),
    ({ school: { ids } }) => ({
      SoWTopicID: ids.schemeTopic,
      SoWTopic: 'Algebra',
      SoWID: ids.scheme,
      Mappings: expect.any(Number) as number,
    }),
  ),
  'GET /admin/4': {
    ...configures,
    given: bindings,
    ask: ({ school: { ids } }) => ({ query: { SoWTopicID: ids.schemeTopic } }),
    right: ({ world: { school }, body }) =>
      expect(body).toEqual([{ SoWTopicID: school.ids.schemeTopic, SoWTopic: 'Algebra', SoWID: school.ids.scheme, Mappings: 2 }]),
  },
  'GET /admin/5': reads(
    ({ school: { ids } }) => ({ query: { SubjectID: ids.maths } }),
    ({ school: { ids } }) => ({ TestID: ids.unready, TestName: 'Unready', Allowinput: 0, SubjectID: ids.maths, MaxMark: null }),
  ),
  'GET /admin/6': reads(
    ({ school: { ids } }) => ({ query: { TestID: ids.mock } }),
    ({ school: { ids } }) => question(ids.questions[1], 2, 10, ids.mock),
  ),
  'GET /admin/7': {
    ...configures,
    ask: ({ school: { ids } }) => ({ query: { QuestionID: ids.questions[2] ?? '' } }),
    right: ({ world: { school }, body }) => expect(body).toEqual([question(school.ids.questions[2], 3, 5, school.ids.mock)]),
  },
  'GET /admin/8': reads(
    ({ school: { ids } }) => ({ query: { SubjectId: ids.maths } }),
    ({ school: { ids } }) => ({ YeargroupID: ids.year, Yeargroup: 11, SubjectId: ids.maths }),
  ),
  'GET /admin/9': reads(
    ({ school: { ids } }) => ({ query: { YeargroupID: ids.year } }),
    ({ school: { ids } }) => ({
      SetId: ids.setC,
      SetName: '11C',
      YeargroupID: ids.year,
      SoWID: ids.scheme,
      MappedAssessments: [ids.mock, ids.other],
    }),
  ),
  'GET /admin/10': reads(
    ({ school: { ids } }) => ({ query: { YeargroupID: ids.year } }),
    ({ school: { ids } }) => ({ TestSetsID: linkId('TestSets', ids.setC, ids.mock), SetID: ids.setC, TestID: ids.mock }),
  ),
  'GET /admin/11': {
    ...configures,
    given: async ({ school }) =>
      (await school.as('admin')).done('RestoreTerminalExam', { subjectId: school.ids.maths, terminalExamId: school.ids.terminalExam }),
    ask: ({ school: { ids } }) => ({ query: { SubjectID: ids.maths } }),
    right: ({ world: { school }, body }) =>
      expect(body).toContainEqual({
        EndpointID: school.ids.terminalExam,
        SubjectID: school.ids.maths,
        EndpointName: expect.any(String) as string,
        YearSat: 11,
      }),
  },
  'GET /admin/12': reads(
    ({ school: { ids } }) => ({ query: { SubjectId: ids.maths } }),
    ({ school: { ids } }) => ({ SetId: ids.setC, SetName: '11C', YeargroupID: ids.year, SoWID: ids.scheme, Yeargroup: 11 }),
  ),
  'GET /admin/13': reads(
    ({ school: { ids } }) => ({ query: { SubjectID: ids.maths } }),
    ({ school: { ids } }) => student('B1', ids.students['B1'], ids.setB, '11B', ids.maths),
    examines,
  ),
  'GET /admin/14': reads(
    ({ school: { ids } }) => ({ query: { SubjectId: ids.maths } }),
    ({ school: { ids } }) => ({
      SetId: offRollSetId(ids.maths),
      SetName: 'Off-Roll',
      YeargroupID: offRollYearId(ids.maths),
      SoWID: null,
      Yeargroup: 99,
      SubjectId: ids.maths,
    }),
  ),
  'GET /admin/15': {
    ...configures,
    ask: ({ school: { ids } }) => ({ query: { SubjectId: ids.maths, Yeargroup: '11' } }),
    right: ({ world: { school }, body }) =>
      expect(body).toEqual([{ YeargroupID: school.ids.year, Yeargroup: 11, SubjectId: school.ids.maths }]),
  },
  'GET /admin/16': reads(
    ({ school: { ids } }) => ({ query: { SubjectId: ids.maths } }),
    ({ school: { ids } }) => ({ SetId: ids.setB, SetName: '11B', YeargroupID: ids.year, SoWID: ids.scheme }),
    { may: ['admin', 'auditor', 'leader', 'teacherA', 'teacherB'], as: 'teacherA', readsYearGroup: true },
  ),
  'GET /admin/17': reads(
    ({ school: { ids } }) => ({ query: { SetId: ids.setA } }),
    // A birthday is not a teacher's to know.
    ({ school: { ids } }) => ({ ...student('A1', ids.students['A1'], ids.setA, '11A', ids.maths), DoB: null }),
    { may: ['admin', 'auditor', 'leader', 'teacherA'], as: 'teacherA' },
  ),
  'GET /admin/18': {
    ...maps,
    given: bindings,
    ask: ({ school: { ids } }) => ({ query: { SubjectId: ids.maths } }),
    right: async ({ world, body }) => {
      const { schemeTopic } = world.school.ids;
      const { topicId: TopicID } = await bindings(world);
      expect(body).toContainEqual({ NLPSoWID: linkId('NLPSoW', schemeTopic, TopicID), SoWTopicID: schemeTopic, TopicID });
    },
  },
  'GET /admin/19': {
    ...maps,
    given: bindings,
    ask: ({ school: { ids } }) => ({ query: { SubjectID: ids.maths } }),
    right: async ({ world, body }) => {
      const { questions, mock: TestID } = world.school.ids;
      const { topicId: TopicID } = await bindings(world);
      const [QuestionID = ''] = questions;
      expect(body).toContainEqual({ NLPAssessID: linkId('NLPAssess', QuestionID, TopicID), QuestionID, TopicID, TestID });
    },
  },
  'GET /admin/20': reads(
    ({ school: { ids } }) => ({ query: { SubjectID: ids.maths } }),
    ({ school: { ids } }) => ({ ...question(ids.questions[1], 2, 10, ids.mock), TestName: 'Mock' }),
    maps,
  ),
  'GET /admin/21': {
    ...maps,
    given: bindings,
    ask: ({ school: { ids } }) => ({ query: { SoWTopicID: ids.schemeTopic } }),
    right: ({ world: { school }, body }) => {
      const { questions, schemeTopic: SoWTopicID, mock: TestID } = school.ids;
      const [QuestionID = ''] = questions;
      expect(body).toContainEqual({
        SoWMappingID: linkId('SoWMapping', SoWTopicID, QuestionID),
        QuestionID,
        SoWTopicID,
        QuestionNumber: 1,
        TestTopic: 'Topic 1',
        TestID,
        TestName: 'Mock',
      });
    },
  },
  'GET /admin/22': reads(
    ({ school: { ids } }) => ({ query: { YeargroupID: ids.year } }),
    () => ({ StudentID: '00B1', LastFirst: fullName('B1'), SetName: '11B', DoB: '2009-05-01' }),
    examines,
  ),
  'GET /admin/23': {
    ...examines,
    given: async ({ school: { as, ids } }) =>
      (await as('admin')).done('UploadMarks', {
        subjectId: ids.maths,
        testId: ids.mock,
        setIds: [ids.setB],
        rows: [{ admissionNo: '00B2', name: fullName('B2'), marks: [1, null, 2] }],
        fileName: 'marks.csv',
      }),
    ask: ({ school: { ids } }) => ({ query: { TestID: ids.mock } }),
    right: ({ body }) => expect(body).toContainEqual({ StudentID: '00B2', LastFirst: fullName('B2'), Q1: 1, Q2: null, Q3: 2 }),
  },
  'GET /admin/25': {
    ...configures,
    ask: ({ school: { ids } }) => ({ query: { SubjectID: ids.maths } }),
    right: ({ world: { school }, body }) => {
      const { recordB, setB, setC, maths, year, scheme } = school.ids;
      expect(body).toEqual({
        teachers: expect.arrayContaining([
          { TeacherID: recordB, Teacher: 'Teacher B', SubjectID: maths, selectedClasses: [setB] },
        ]) as unknown,
        mappings: expect.arrayContaining([
          { TeachersSetsID: linkId('TeachersSets', recordB, setB), TeacherID: recordB, SetID: setB },
        ]) as unknown,
        allsets: expect.arrayContaining([{ SetId: setC, SetName: '11C', YeargroupID: year, SoWID: scheme }]) as unknown,
      });
    },
  },
  'GET /admin/26': {
    ...configures,
    ask: () => ({}),
    right: ({ world: { school }, body }) =>
      expect(body).toEqual({
        teachers: expect.arrayContaining([{ TeacherID: school.ids.recordB, Teacher: 'Teacher B', SubjectID: school.ids.maths }]) as unknown,
        subjects: expect.arrayContaining([
          { subjectid: school.ids.science, subject_name: 'Science', SchoolID: school.schoolId },
        ]) as unknown,
      }),
  },
  ...adminWrites,
};

const question = (QuestionID: string | undefined, QuestionNumber: number, MarksAvailable: number, TestID: string) => ({
  QuestionID,
  QuestionNumber,
  TestTopic: `Topic ${QuestionNumber}`,
  MarksAvailable,
  TestID,
  Mappings: expect.any(Number) as number,
});
const student = (short: string, UniqueID: string | undefined, SetID: string, SetName: string, SubjectID: string) => ({
  UniqueID,
  StudentID: `00${short}`,
  LastFirst: fullName(short),
  DoB: '2009-05-01',
  SetID,
  SubjectID,
  SetName,
});
