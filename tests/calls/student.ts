import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { resultId } from '../../api/calls/ids.ts';
import type { World } from '../matrix/world.ts';
import { fullName } from '../support/school.ts';
import type { Case, Cases } from './case.ts';
import { asks } from './case.ts';
import { bound, marked } from './marked.ts';

const ofOneself = { may: ['student', 'admin', 'leader', 'teacherA'], as: 'student' } as const;
/** The student is in Science too. */
const inAnySubject = { may: [...ofOneself.may, 'scienceLeader'], as: 'student' } as const;
const ofSubject = { may: ['student', 'admin', 'auditor', 'leader', 'teacherA', 'teacherB'], as: 'student', readsYearGroup: true } as const;

const UniqueID = ({ school: { ids } }: World): string => ids.students['A1'] ?? '';
const ofMock: Case['ask'] = (world) => ({ query: { UniqueID: UniqueID(world), TestID: world.school.ids.mock } });
const ofScheme: Case['ask'] = (world) => ({ query: { SoWID: world.school.ids.scheme, UniqueID: UniqueID(world) } });
const question = ({ school: { ids } }: World, place: number) => ({
  QuestionID: ids.questions[place],
  QuestionNumber: place + 1,
  TestTopic: `Topic ${place + 1}`,
  MarksAvailable: [5, 10, 5][place],
});

/** Six more students in 11A, who have 5 to 10 marks in the mock: fewer than five are not shown. */
let filled: Promise<void> | undefined;
const classOfTen = async (world: World): Promise<void> => {
  await marked(world);
  await (filled ??= fill(world));
};
const fill = async (world: World): Promise<void> => {
  const { as, ids } = world.school;
  const { maths: subjectId, setA, mock: testId } = ids;
  const others = await added(world, setA, 'More');
  const cells = others.flatMap(({ studentId }, more) =>
    [5, more, 0].map((is, place) => ({ testId, studentId, questionId: ids.questions[place], is })),
  );
  await (await as('admin')).done('EnterMarks', { entryId: randomUUID(), subjectId, seq: 1, cells });
};

/** Six students of 11C who had 12 in the mock two years ago, and ended with a 7. */
let ended: Promise<void> | undefined;
const endedBefore = async (world: World): Promise<void> => {
  await marked(world);
  await (ended ??= end(world));
};
const end = async (world: World): Promise<void> => {
  const { as, ids } = world.school;
  const admin = await as('admin');
  const { maths: subjectId, terminalExam: terminalExamId, mock, setC: setId } = ids;
  const year = new Date().getUTCFullYear();
  await admin.done('RestoreTerminalExam', { subjectId, terminalExamId });
  const those = await added(world, setId, 'Earlier');
  await admin.done('UploadTotals', {
    subjectId,
    classes: [{ setId, testIds: [mock] }],
    rows: those.map(({ name }) => ({ admissionNo: name, name, totals: [12] })),
    fileName: 'earlier.csv',
    satOn: `${year - 2}-03-02`,
  });
  const scores = those.map(({ studentId }) => ({ studentId, score: '7' }));
  await admin.done('EnterPriorScores', { subjectId, terminalExamId, yearCompleted: year - 1, scores });
};

/** Six students more. */
const added = async ({ school: { as, ids } }: World, setId: string, word: string) => {
  const admin = await as('admin');
  const those: { readonly studentId: string; readonly name: string }[] = [];
  for (let more = 0; more < 6; more += 1) {
    const name = `${word} ${more}`;
    const student = await admin.done('AddStudent', { subjectId: ids.maths, setId, admissionNo: name, name, dateOfBirth: '2009-05-01' });
    those.push({ studentId: student['studentId'] ?? '', name });
  }
  return those;
};

/** An assessment of 11A for which students enter marks, with two questions. */
const toSubmit = async ({ school: { as, ids } }: World): Promise<readonly string[]> => {
  const admin = await as('admin');
  const { testId = '' } = await admin.done('CreateAssessment', { subjectId: ids.maths, name: `Own ${randomUUID().slice(0, 13)}` });
  await admin.done('UploadQuestions', {
    testId,
    questions: [1, 2].map((number) => ({ number, topic: `Own ${number}`, marksAvailable: 5 })),
  });
  await admin.done('ChangeSet', { subjectId: ids.maths, setId: ids.setA, testIds: [ids.mock, ids.other, testId] });
  await admin.done('ShowAssessment', { testId, visible: true });
  const { questions } = await admin.ask<{ questions: { questionId: string }[] }>('assessment', { testId });
  return questions.map(({ questionId }) => questionId);
};

const topics: Cases = {
  'GET /student/2': {
    ...ofSubject,
    ask: ({ school: { ids } }) => ({ query: { SubjectID: ids.maths } }),
    right: ({ world: { school }, body }) =>
      expect(body).toContainEqual({ SoWId: school.ids.scheme, SoWName: 'Scheme of Mathematics', SubjectID: school.ids.maths }),
  },
  'GET /student/3': {
    ...ofSubject,
    ask: ({ school: { ids } }) => ({ query: { SoWID: ids.scheme } }),
    right: ({ world: { school }, body }) =>
      expect(body).toContainEqual({ SoWTopicID: school.ids.schemeTopic, SoWTopic: 'Algebra', SoWID: school.ids.scheme }),
  },
  'GET /student/31': {
    ...ofOneself,
    given: bound,
    ask: ofScheme,
    right: ({ world, body }) =>
      expect(body).toEqual([
        { SoWTopicID: world.school.ids.schemeTopic, SoWTopic: 'Algebra', TestName: 'Mock', ...question(world, 0), MarkAwarded: 4 },
      ]),
  },
  'GET /student/32': {
    ...ofOneself,
    given: bound,
    ask: ofScheme,
    right: ({ world, body }) =>
      expect(body).toContainEqual({
        SoWTopicID: world.school.ids.schemeTopic,
        SoWTopic: 'Algebra',
        UniqueID: UniqueID(world),
        Rag: 80,
      }),
  },
  'GET /student/34': {
    ...ofSubject,
    ask: ({ school: { ids } }) => ({ query: { SubjectID: ids.maths } }),
    right: ({ world: { school }, body }) => {
      const { ids } = school;
      const row = { TestID: ids.mock, TestName: 'Mock', MaxMark: 20, Allowinput: 1, SubjectID: ids.maths };
      expect(body).toContainEqual(row);
      expect((body as { TestID: string }[]).map(({ TestID }) => TestID)).not.toContain(ids.unready);
    },
  },
  'GET /student/36': {
    ...ofSubject,
    given: async ({ school: { as, ids } }) =>
      (await as('admin')).done('RestoreTerminalExam', { subjectId: ids.maths, terminalExamId: ids.terminalExam }),
    ask: ({ school: { ids } }) => ({ query: { SubjectID: ids.maths, YearSat: '11' } }),
    right: ({ world: { school }, body }) =>
      expect(body).toContainEqual({
        EndpointID: school.ids.terminalExam,
        EndpointName: expect.any(String) as string,
        YearSat: 11,
        SubjectID: school.ids.maths,
      }),
  },
  'GET /student/37': {
    may: ['student'],
    given: endedBefore,
    // Bounds that are not those of the student's own total open nothing.
    ask: ({ school: { ids } }) => ({ query: { EndpointID: ids.terminalExam, TestID: ids.mock, Lower: '0', Upper: '20' } }),
    right: ({ world: { school }, body }) =>
      expect(body).toEqual([{ EndpointID: school.ids.terminalExam, EndpointName: expect.any(String) as string, EndScore: '7', Freq: 6 }]),
  },
  'GET /student/39': {
    may: ['student', 'admin', 'leader', 'teacherA', 'teacherB', 'scienceLeader'],
    ask: () => ({}),
    right: async ({ world, body }) => {
      const { ids } = world.school;
      const row = { UniqueID: UniqueID(world), StudentID: '00A1', LastFirst: fullName('A1'), SubjectID: ids.maths };
      expect(body).toContainEqual({ ...row, subject_name: 'Mathematics', SetID: ids.setA, SetName: '11A' });
      // A teacher chooses from their own classes.
      const theirs = await asks<{ SetName: string }[]>(await world.as('teacherB'), '/student/39');
      expect(new Set(theirs.map(({ SetName }) => SetName))).toEqual(new Set(['11B']));
    },
  },
};

const cards: Cases = {
  'GET /student/25': {
    ...inAnySubject,
    given: marked,
    ask: (world) => ({ query: { UniqueID: UniqueID(world) } }),
    right: async ({ world, body, asked }) => {
      const { ids } = world.school;
      const ofMath = { UniqueID: UniqueID(world), subject_name: 'Mathematics', SetID: ids.setA, SetName: '11A', Yeargroup: 11 };
      const row = { ...ofMath, TestID: ids.mock, TestName: 'Mock', MaxMark: 20, TTotal: 12, Total: 12, Status: 2 };
      expect(body).toContainEqual(expect.objectContaining(row));
      // Staff see the same, and that they looked is recorded.
      const teacher = await world.as('teacherA');
      expect(await asks(teacher, '/student/25', asked.query)).toContainEqual(expect.objectContaining(row));
      const looks: string[] = [];
      for await (const { type, data } of world.school.backend.store.readAll(0n)) if (type === 'StudentLookedAt') looks.push(data);
      expect(looks.join()).toContain(UniqueID(world));
    },
  },
  'GET /student/26': {
    ...ofOneself,
    given: classOfTen,
    ask: ({ school: { ids } }) => ({ query: { SetID: ids.setA, TestID: ids.mock } }),
    right: ({ body }) => {
      const totals = (body as { Total: number }[]).map(({ Total }) => Total);
      expect(body).toEqual(totals.map((Total) => ({ Total })));
      expect(totals).toEqual(totals.toSorted((a, b) => a - b));
      expect(totals).toEqual(expect.arrayContaining([5, 6, 7, 8, 9, 10]));
    },
  },
  'GET /student/27': {
    ...ofOneself,
    given: classOfTen,
    ask: ofMock,
    right: async ({ world, client, body }) => {
      const { ids } = world.school;
      const { questions } = await client.ask<{ questions: { average: number | null }[] }>('student-card', { testId: ids.mock });
      const average = questions[0]?.average ?? Number.NaN;
      expect(body).toContainEqual({
        TestID: ids.mock,
        TestName: 'Mock',
        ...question(world, 0),
        SResult: 4,
        AvResult: expect.closeTo((average * 5) / 100, 9) as number,
        Ratio: expect.closeTo(0.8 - average / 100, 9) as number,
        Rag: 80,
      });
    },
  },
  'GET /student/29': {
    may: ['student', 'admin', 'auditor', 'leader', 'teacherA', 'teacherB'],
    readsYearGroup: true,
    given: async ({ school: { as, ids } }) => {
      const admin = await as('admin');
      const { headerId } = await admin.done('AddRevisionHeader', { subjectId: ids.maths, name: `To revise ${randomUUID().slice(0, 8)}` });
      const questions = [{ questionId: ids.questions[1], headerId, text: 'The other half' }];
      await admin.done('SaveRevisionList', { subjectId: ids.maths, testId: ids.mock, questions });
    },
    ask: ({ school: { ids } }) => ({ query: { TestID: ids.mock } }),
    right: ({ world: { school }, body }) =>
      expect(body).toContainEqual({
        RevLinkID: expect.any(String) as string,
        RevHead: expect.stringMatching(/^To revise/) as string,
        TestTopic: 'The other half',
        QuestionID: school.ids.questions[1],
      }),
  },
  'GET /student/30': {
    ...ofOneself,
    given: marked,
    ask: ofMock,
    right: ({ world, body }) =>
      expect(body).toContainEqual(
        expect.objectContaining({
          TestID: world.school.ids.mock,
          TestName: 'Mock',
          ...question(world, 0),
          MarkAwarded: 4,
          EnteredStatus: 1,
        }),
      ),
  },
  'GET /student/38': {
    ...inAnySubject,
    ask: (world) => ({ query: { UniqueID: UniqueID(world) } }),
    right: ({ world: { school, spare }, body }) =>
      expect(body).toContainEqual({
        TaskID: spare.rankedTaskId,
        TestID: school.ids.mock,
        TestName: 'Mock',
        SubjectID: school.ids.maths,
        subject_name: 'Mathematics',
        Expiry: expect.stringMatching(/-12-31$/) as string,
        Cnt: 0,
      }),
  },
  'POST /student': {
    may: ['student'],
    ask: async (world) => ({
      body: (await toSubmit(world)).map((QuestionID, place) => ({
        unique: { QuestionID, StudentID: UniqueID(world) },
        values: { MarkAwarded: place + 2, EnteredStatus: 2 },
      })),
    }),
    right: async ({ world, client, asked, body }) => {
      const rows = asked.body as { unique: { QuestionID: string } }[];
      const insertids = rows.map(({ unique }) => resultId(unique.QuestionID, UniqueID(world)));
      expect(body).toEqual({ insertids, lastid: insertids.at(-1) });
      const [{ unique } = { unique: { QuestionID: '' } }] = rows;
      const { tests } = await client.ask<{ tests: { testId: string; ownTotal: number | null; name: string }[] }>('student-home', {
        subjectId: world.school.ids.maths,
      });
      const { testId = '' } = tests.find(({ name, ownTotal }) => name.startsWith('Own') && ownTotal === 5) ?? {};
      const marks = await asks<object[]>(client, '/student/30', { UniqueID: UniqueID(world), TestID: testId });
      expect(marks).toContainEqual(
        expect.objectContaining({ QuestionID: unique.QuestionID, SResult: 2, MarkAwarded: 2, EnteredStatus: 2 }),
      );
    },
  },
};

export const studentCases: Cases = { ...topics, ...cards };
