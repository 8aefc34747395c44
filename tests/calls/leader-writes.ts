import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { feedbackMapId, rankId } from '../../api/calls/ids.ts';
import { gradeId } from '../../api/calls/leader/task-reads.ts';
import { tomorrow } from '../support/samples.ts';
import type { Asked } from '../matrix/row.ts';
import type { World } from '../matrix/world.ts';
import type { Case, Cases, Seen } from './case.ts';
import { asks } from './case.ts';
import { newTask, readyForTasks } from './tasks.ts';

const fresh = (): string => randomUUID().slice(0, 18);
const leads = { may: ['admin', 'leader'], as: 'leader' } as const;
const teaches = { may: ['admin', 'leader', 'teacherA', 'teacherB'], as: 'teacherA' } as const;

const post = (table: string, key: string, values: object): Asked => ({ body: { table, data: [{ keyval: { [key]: null }, values }] } });
const ofYear = ({ school }: World) => ({ YeargroupID: school.ids.year });
const lastId = ({ body }: Seen): string => {
  const { insertids, lastid }: { insertids: string[]; lastid: string } = body;
  expect(insertids).toEqual([lastid]);
  return lastid;
};

const send = async ({ school: { as, ids } }: World, taskId: string): Promise<string> => {
  await (await as('admin')).done('RecordRanking', { taskId, rows: [{ studentId: ids.students['A4'], ranking: 1, score: 70 }] });
  return taskId;
};
const newProfile = async ({ school: { as, ids } }: World): Promise<string> =>
  (await (await as('admin')).done('OpenGradeProfile', { subjectId: ids.maths, yearGroupId: ids.year, name: fresh() }))['gradeProfileId'] ??
  '';

type Task = { readonly TaskID: string; readonly Status: number };
const tasksIn = ({ world, client }: Seen) => asks<Task[]>(client, '/leader/17', ofYear(world));

const posts: Cases = {
  'POST /leader FeedbackTasks': {
    ...leads,
    given: ({ school }) => readyForTasks(school),
    ask: ({ school: { ids } }) =>
      post('FeedbackTasks', 'taskID', { TaskName: fresh(), Expiry: tomorrow(), TeacherInput: 1, YeargroupID: ids.year }),
    right: async (seen) => {
      const { data } = seen.asked.body as { data: [{ values: object }] };
      const TaskID = lastId(seen);
      expect(await tasksIn(seen)).toContainEqual({ ...data[0].values, TaskID, taskID: TaskID, Status: 0 });
    },
  },
  'POST /leader FeedbackMaps': {
    ...leads,
    ask: async (world) =>
      post('FeedbackMaps', 'FeedbackMapID', {
        TaskID: await newTask(world.school, false),
        SetID: world.school.ids.setA,
        TestID: world.school.ids.other,
        Status: 0,
      }),
    right: async (seen) => {
      const { data } = seen.asked.body as { data: [{ values: { TaskID: string; SetID: string; TestID: string } }] };
      const { TaskID, SetID, TestID } = data[0].values;
      expect(lastId(seen)).toBe(feedbackMapId(TaskID, SetID, TestID));
      const { Counts } = await asks<{ Counts: object[] }>(seen.client, '/leader/10', { TaskID });
      expect(Counts).toEqual([expect.objectContaining({ FeedbackMapID: feedbackMapId(TaskID, SetID, TestID), SetID, TestID, Status: 1 })]);
    },
  },
  'POST /leader ranking': {
    ...leads,
    ask: async (world) => {
      const { ids } = world.school;
      await newTask(world.school);
      const about = { YearID: ids.year, SetID: ids.setA, UniqueID: ids.students['A2'], Tests: JSON.stringify([ids.other]) };
      return post('ranking', 'RankID', { ...about, Ranking: 2, Score: 55.25, Trank: null, Tflag: 0, Comment: null, Grade: '8' });
    },
    right: async (seen) => {
      const { data } = seen.asked.body as { data: [{ values: object }] };
      const rows = await asks<object[]>(seen.client, '/leader/16', ofYear(seen.world));
      expect(rows).toEqual([expect.objectContaining({ ...data[0].values, RankID: lastId(seen) })]);
    },
  },
  'POST /leader GradeProfileName': {
    ...leads,
    ask: ({ school }) => post('GradeProfileName', 'GPID', { Name: fresh(), YearID: school.ids.year }),
    right: async (seen) => {
      const { data } = seen.asked.body as { data: [{ values: object }] };
      const { gp } = await asks<{ gp: object[] }>(seen.client, '/leader/15', ofYear(seen.world));
      expect(gp).toContainEqual({ ...data[0].values, GPID: lastId(seen) });
    },
  },
  'POST /leader GradeProfileScores': {
    ...leads,
    ask: async (world) => post('GradeProfileScores', 'GID', { GPID: await newProfile(world), Label: 'A*', Perc: 35 }),
    right: async (seen) => {
      const { data } = seen.asked.body as { data: [{ values: { GPID: string } }] };
      const { values } = data[0];
      expect(lastId(seen)).toBe(gradeId(values.GPID, 'A*'));
      const { grades } = await asks<{ grades: { GPID: string }[] }>(seen.client, '/leader/15', ofYear(seen.world));
      expect(grades.filter(({ GPID }) => GPID === values.GPID)).toEqual([{ ...values, GID: gradeId(values.GPID, 'A*') }]);
    },
  },
};

const puts: Cases = {
  'PUT /leader/{id} RevLinks': {
    ...teaches,
    ask: ({ spare }) => ({ id: spare.header.headerId, body: { table: 'RevLinks', values: { RevHead: fresh() } } }),
    right: async (seen) => {
      const { values } = seen.asked.body as { values: object };
      const { headers } = await asks<{ headers: object[] }>(seen.client, '/leader/2', ofPaper(seen.world));
      expect(headers).toContainEqual(expect.objectContaining({ ...values, RevLinkID: lastId(seen) }));
    },
  },
  'PUT /leader/{id} QuestionData': {
    ...teaches,
    ask: ({ school, spare }) => ({
      id: school.ids.questions[1] ?? '',
      body: { table: 'QuestionData', values: { RevID: spare.header.headerId, RevAlt: fresh() } },
    }),
    right: async (seen) => {
      const { values } = seen.asked.body as { values: object };
      const { rev } = await asks<{ rev: object[] }>(seen.client, '/leader/2', ofPaper(seen.world));
      expect(rev).toContainEqual(expect.objectContaining({ ...values, QuestionID: lastId(seen) }));
    },
  },
  'PUT /leader/{id} FeedbackMaps': {
    ...leads,
    ask: async (world) => ({
      id: await send(world, await newTask(world.school)),
      body: { table: 'FeedbackMaps', key: 'TaskID', values: { Status: 2 } },
    }),
    right: async (seen) => expect(await tasksIn(seen)).toContainEqual(expect.objectContaining({ TaskID: lastId(seen), Status: 2 })),
  },
};
const ofPaper = ({ school: { ids } }: World) => ({ SubjectID: ids.maths, TestID: ids.mock });

const removals: Cases = {
  'DELETE /leader/{id} ranking': {
    ...leads,
    ask: async (world) => {
      await send(world, await newTask(world.school));
      return { id: world.school.ids.year, body: { table: 'ranking', altKey: 'YearID' } };
    },
    right: async (seen) => {
      expect(lastId(seen)).toBe(seen.asked.id);
      const rows = await asks<{ RankID: string; Ranking: number }[]>(seen.client, '/leader/16', ofYear(seen.world));
      const [newest] = await tasksIn(seen);
      expect(rows.map(({ RankID }) => RankID)).not.toContain(rankId(newest?.TaskID ?? '', seen.world.school.ids.students['A4'] ?? ''));
    },
  },
  'DELETE /leader/{id} FeedbackTasks': {
    ...leads,
    ask: async (world) => ({ id: await newTask(world.school), body: { table: 'FeedbackTasks' } }),
    right: async (seen) => expect((await tasksIn(seen)).map(({ TaskID }) => TaskID)).not.toContain(lastId(seen)),
  },
};

export const leaderWrites: Cases = { ...posts, ...puts, ...removals } satisfies Readonly<Record<string, Case>>;
