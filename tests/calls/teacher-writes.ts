import { expect } from 'vitest';
import { endpointScoreId, feedbackMapId, rankId, resultId, totalId } from '../../api/calls/ids.ts';
import type { Asked } from '../matrix/row.ts';
import { asks } from './case.ts';
import type { Cases, Seen } from './case.ts';
import { newTask } from './tasks.ts';

const writers = { may: ['admin', 'leader', 'teacherA'], as: 'teacherA' } as const;

const post = (table: string, key: string, rows: readonly object[]): Asked => ({
  body: { table, data: rows.map((values) => ({ keyval: { [key]: null }, values })) },
});
const answered = ({ body }: Seen, ids: readonly string[]): void => expect(body).toEqual({ insertids: ids, lastid: ids.at(-1) });

export const teacherWrites: Cases = {
  'POST /teacher TestTotals': {
    ...writers,
    ask: ({ school: { ids } }) =>
      post('TestTotals', 'TestTotalsID', [
        { TestID: ids.other, StudentID: ids.students['A1'], Total: 13 },
        { TestID: ids.other, StudentID: ids.students['A2'], Total: 7 },
      ]),
    right: async (seen) => {
      const { ids } = seen.world.school;
      answered(
        seen,
        ['A1', 'A2'].map((short) => totalId(ids.other, ids.students[short] ?? '')),
      );
      const { students } = await seen.client.ask<{ students: { studentId: string; totals: { total: number | null }[] }[] }>('markbook', {
        yearGroupId: ids.year,
      });
      const totals = students.find(({ studentId }) => studentId === ids.students['A1'])?.totals;
      expect(totals).toContainEqual(expect.objectContaining({ total: 13, source: 'total' }));
    },
  },
  'POST /teacher QuestionResults': {
    ...writers,
    ask: ({ school: { ids } }) =>
      post('QuestionResults', 'ResultID', [
        { StudentID: ids.students['A2'], QuestionID: ids.questions[0], MarkAwarded: 3, EnteredStatus: 1 },
        { StudentID: ids.students['A2'], QuestionID: ids.questions[1], MarkAwarded: 9, EnteredStatus: 2 },
      ]),
    right: async (seen) => {
      const { ids } = seen.world.school;
      const A2 = ids.students['A2'] ?? '';
      answered(
        seen,
        [0, 1].map((place) => resultId(ids.questions[place] ?? '', A2)),
      );
      const rows = await asks<object[]>(seen.client, '/teacher/12', { SetID: ids.setA, TestID: ids.mock });
      const row = { StudentID: A2, QuestionID: ids.questions[0], MarkAwarded: 3, EnteredStatus: 1 };
      expect(rows).toContainEqual(expect.objectContaining(row));
      expect(rows).toContainEqual(expect.objectContaining({ ...row, QuestionID: ids.questions[1], MarkAwarded: 9, EnteredStatus: 2 }));
    },
  },
  'POST /teacher EndpointScores': {
    may: ['admin', 'leader'],
    as: 'leader',
    given: async ({ school: { as, ids } }) =>
      (await as('admin')).done('RestoreTerminalExam', { subjectId: ids.maths, terminalExamId: ids.terminalExam }),
    ask: ({ school: { ids } }) =>
      post('EndpointScores', 'EndpointScoresID', [
        { StudentID: ids.students['C1'], EndpointID: ids.terminalExam, EndScore: 'A*', DateCompleted: new Date().getUTCFullYear() },
        { StudentID: ids.students['C2'], EndpointID: ids.terminalExam, EndScore: null, DateCompleted: new Date().getUTCFullYear() },
      ]),
    right: async (seen) => {
      const { ids } = seen.world.school;
      answered(
        seen,
        ['C1', 'C2'].map((short) => endpointScoreId(ids.terminalExam, ids.students[short] ?? '')),
      );
      const { students } = await seen.client.ask<{ students: { studentId: string; now: object | null }[] }>('prior-scores', {
        subjectId: ids.maths,
        terminalExamId: ids.terminalExam,
        yearGroupId: ids.year,
      });
      expect(students).toContainEqual(
        expect.objectContaining({ studentId: ids.students['C1'], now: expect.objectContaining({ score: 'A*' }) as object }),
      );
    },
  },
  'POST /teacher ranking': {
    ...writers,
    ask: async ({ school }) => {
      const { ids } = school;
      await newTask(school);
      return post('ranking', 'RankID', [
        { YearID: ids.year, SetID: ids.setA, UniqueID: ids.students['A2'], Trank: 2, Tflag: 1, Comment: 'Was ill' },
      ]);
    },
    right: async (seen) => {
      const { ids } = seen.world.school;
      const rows = await asks<{ RankID: string }[]>(seen.client, '/teacher/27', { SetID: ids.setA });
      const row = { UniqueID: ids.students['A2'], SetID: ids.setA, Trank: 2, Tflag: 1, Comment: 'Was ill' };
      expect(rows).toEqual([expect.objectContaining(row)]);
      answered(
        seen,
        rows.map(({ RankID }) => RankID),
      );
    },
  },
  'PUT /teacher/{id} FeedbackMaps': {
    ...writers,
    ask: async ({ school }) => {
      const { ids } = school;
      const taskId = await newTask(school);
      const admin = await school.as('admin');
      await admin.done('RecordRanking', { taskId, rows: [{ studentId: ids.students['A4'], ranking: 1, score: 70, flag: true }] });
      await admin.done('AdoptRanking', { taskId });
      return {
        id: feedbackMapId(taskId, ids.setA, ids.other),
        body: { table: 'FeedbackMaps', key: 'FeedbackMapID', values: { Status: 3 } },
      };
    },
    right: async (seen) => {
      const { ids } = seen.world.school;
      const { client, asked } = seen;
      answered(seen, [asked.id ?? '']);
      const [{ TaskID = '' } = {}] = await asks<{ TaskID: string }[]>(client, '/teacher/22', { SetID: ids.setA });
      const maps = await asks<object[]>(client, '/teacher/23', { TaskID });
      expect(maps).toEqual([expect.objectContaining({ FeedbackMapID: asked.id, Status: 3 })]);
      // What was sent of the ranking is what the check says.
      const rows = await asks<object[]>(client, '/teacher/27', { SetID: ids.setA });
      expect(rows).toContainEqual(
        expect.objectContaining({ RankID: rankId(TaskID, ids.students['A4'] ?? ''), Ranking: 1, Score: 70, Tflag: 1 }),
      );
    },
  },
};
