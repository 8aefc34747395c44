import { z } from 'zod';
import { mayReadSubject } from '../../actor.ts';
import type { RunSql } from '../../common/facts.ts';
import { inOrder } from '../../common/in-order.ts';
import { ProblemError } from '../../common/problems.ts';
import type { Answer } from '../../contract/answer.ts';
import { id, isoDate } from '../../contract/fields.ts';
import { noSuch } from '../../common/about.ts';
import { readSets } from '../../tasks/tasks.query.ts';
import { byYeargroup } from '../admin/reading.ts';
import { call } from '../call.ts';
import type { Caller } from '../caller.ts';
import { feedbackMapId } from '../ids.ts';
import { asRankingRow, rankingRow, rankingRows, taskRead, tasksOfYear } from '../ranking-rows.ts';
import { readableSet } from '../scope.ts';
import { bySet, classRow, forgotten, studentOfSet } from './rows.ts';

const status = z.int().describe('0 to 6.');
const mapRow = z.object({
  FeedbackMapID: id,
  TaskID: id,
  SetID: id,
  TestID: id,
  Status: status,
  TeacherID: id.nullable().describe('The first teacher of the class, by name. null: none.'),
  SetName: z.string(),
  TestName: z.string(),
  Totals: z.int().describe('How many students of the class have a total of staff.'),
  AllStudents: z.int().describe('How many are in the class.'),
  MaxMark: z.int().nullable().describe('null: no questions yet.'),
});

/** What each class sits for a task, as far as the reader sees its classes. @throws ProblemError `not-found`, `not-your-set` */
export const mapsOf = (caller: Pick<Caller, 'actor' | 'sql'>, taskId: string): Promise<Answer<typeof mapRow>[]> =>
  caller.sql(async (query) => {
    const { actor } = caller;
    const [task] = await query<{ subjectId: string }>(
      `select k.subject_id as "subjectId" from feedback_tasks k
         join subjects b on b.school_id = $1 and b.subject_id = k.subject_id
        where k.school_id = $1 and k.task_id = $2 and not k.deleted`,
      [taskId],
    );
    if (!task || !mayReadSubject(actor, task.subjectId)) throw noSuch('task');
    const sets = await readSets(query, [taskId]);
    const theirs = sets.filter(({ set: { setId } }) => actor.role !== 'teacher' || actor.setIds.includes(setId));
    if (theirs.length === 0 && sets.length > 0)
      throw new ProblemError('not-your-set', 'You see the feedback tasks of your own classes only.');
    const teachers = await teachersOf(
      query,
      theirs.map(({ set: { setId } }) => setId),
    );
    return theirs.flatMap(({ set }) =>
      set.tests.map((test) => ({
        FeedbackMapID: feedbackMapId(taskId, set.setId, test.testId),
        TaskID: taskId,
        SetID: set.setId,
        TestID: test.testId,
        Status: test.status,
        TeacherID: teachers.get(set.setId) ?? null,
        SetName: set.name,
        TestName: test.name,
        Totals: test.entered,
        AllStudents: set.students,
        MaxMark: test.max,
      })),
    );
  });

const teachersOf = async (query: RunSql, setIds: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  const rows = await query<{ setId: string; teacherId: string }>(
    `select s.set_id as "setId", t.teacher_id as "teacherId"
       from unnest($2::uuid[]) s (set_id)
       join lateral (select teacher_id from teachers where school_id = $1 and s.set_id = any(set_ids)
                      order by ${inOrder('name')}, teacher_id limit 1) t on true`,
    [setIds],
  );
  return new Map(rows.map(({ setId, teacherId }) => [setId, teacherId]));
};

const shownRanking = z.object({
  UniqueID: id,
  SetID: id,
  Ranking: z.int().nullable(),
  Score: z.number().nullable(),
  Residual: z.int().nullable(),
  Grade: z.string().nullable(),
});

/** Feedback tasks of a class, and the markbook of its year group. */
export const taskReads = {
  'GET /teacher/22': call({
    purpose: 'Feedback tasks of a class, the newest first.',
    asks: bySet,
    answers: z.array(
      z.object({
        TaskID: id,
        TaskName: forgotten,
        Expiry: isoDate,
        TeacherInput: z.literal([0, 1]),
        YeargroupID: id.describe('Of the class now.'),
        SetID: id,
        Status: status.describe('0 to 6: the lowest of the assessments of the class.'),
      }),
    ),
    behind: ['tasks'],
    async adapt(caller, { asks: { SetID } }) {
      const { yearGroupId, tasks } = await caller.query('tasks', { setId: SetID });
      return tasks.map(({ taskId, name, expiry, teacherInput, status: Status }) => ({
        TaskID: taskId,
        TaskName: name,
        Expiry: expiry,
        TeacherInput: teacherInput ? (1 as const) : (0 as const),
        YeargroupID: yearGroupId,
        SetID,
        Status,
      }));
    },
  }),
  'GET /teacher/23': call({
    purpose: 'What each class sits for a feedback task, and how far it is; teachers see their own classes.',
    asks: z.strictObject({ TaskID: id }),
    answers: z.array(mapRow),
    behind: [],
    models: ['structure', 'roster', 'assessments', 'results', 'tasks'],
    differs:
      'The status is kept for each class of a task: from 2 on the assessments of a class have the same one. Below, an assessment is at 1 as soon as somebody of the class has a total in it.',
    adapt: (caller, { asks: { TaskID } }) => mapsOf(caller, TaskID),
  }),
  'GET /teacher/27': call({
    purpose: 'The ranking of a class.',
    asks: bySet,
    answers: z.array(rankingRow),
    behind: [],
    models: ['structure', 'roster', 'tasks'],
    differs:
      'Of the newest open feedback task of the class, if that has any; else the one that the markbook shows. What counts is told; what does not count yet, as it was sent.',
    adapt: (caller, { asks: { SetID } }) =>
      caller.sql(async (query) => {
        const { yearGroupId } = await readableSet(query, caller.actor, SetID);
        const task = taskRead(await tasksOfYear(query, yearGroupId, SetID));
        return task ? (await rankingRows(query, task.taskId, SetID)).map((row) => asRankingRow(row, task)) : [];
      }),
  }),
  'GET /teacher/28': call({
    purpose: 'The markbook of a year group.',
    asks: byYeargroup,
    answers: z.object({
      Tests: z.array(z.object({ TestID: id, TestName: z.string(), MaxMark: z.int().nullable().describe('null: no questions yet.') })),
      allStudents: z.array(studentOfSet),
      allData: z.array(z.object({ UniqueID: id, TestID: id, Total: z.number() })).describe('Totals of staff, where there is one.'),
      ranking: z.array(shownRanking).describe('Of the ranking that the markbook shows.'),
      allPAD: z
        .array(z.object({ UniqueID: id, EndpointID: id, EndpointName: z.string(), EndScore: z.string() }))
        .describe('Prior scores, of the terminal exam that the markbook shows.'),
      allSets: z.array(classRow),
    }),
    behind: ['markbook'],
    adapt: (caller, { asks: { YeargroupID } }) =>
      caller.derived('GET /teacher/28', 'markbook', { yearGroupId: YeargroupID }, ({ tests, students, sets, priorExam }) => {
        const names = new Map(sets.map(({ setId, name }) => [setId, name]));
        return {
          Tests: tests.map(({ testId, name, max }) => ({ TestID: testId, TestName: name, MaxMark: max })),
          allStudents: students.map(({ studentId, admissionNo, name, setId }) => ({
            UniqueID: studentId,
            StudentID: admissionNo,
            LastFirst: name,
            SetID: setId,
            SetName: names.get(setId) ?? '',
          })),
          allData: students.flatMap(({ studentId, totals }) =>
            tests.flatMap(({ testId }, place) => {
              const total = totals[place]?.total ?? null;
              return total === null ? [] : [{ UniqueID: studentId, TestID: testId, Total: total }];
            }),
          ),
          ranking: students.flatMap(({ studentId, setId, ranking, score, residual, grade }) =>
            ranking === undefined && score === undefined && grade === undefined
              ? []
              : [
                  {
                    UniqueID: studentId,
                    SetID: setId,
                    Ranking: ranking ?? null,
                    Score: score ?? null,
                    Residual: residual ?? null,
                    Grade: grade ?? null,
                  },
                ],
          ),
          allPAD: students.flatMap(({ studentId, prior }) =>
            prior === undefined || !priorExam
              ? []
              : [{ UniqueID: studentId, EndpointID: priorExam.terminalExamId, EndpointName: priorExam.name, EndScore: prior }],
          ),
          allSets: sets.map(({ setId, name }) => ({ SetId: setId, SetName: name, YeargroupID })),
        };
      }),
  }),
};
