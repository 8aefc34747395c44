import { z } from 'zod';
import { maySeeClass } from '../../actor.ts';
import { ProblemError } from '../../common/problems.ts';
import { id, isoDate } from '../../contract/fields.ts';
import { readCheckedSets } from '../../tasks/task.query.ts';
import { byYeargroup } from '../admin/reading.ts';
import { call } from '../call.ts';
import { mapRow, mapsOf, status } from '../maps.ts';
import { asRankingRow, rankingRow, rankingRows, taskRead, tasksOfYear } from '../ranking-rows.ts';
import { binary } from '../structure.ts';
import { studentOfMarkbook, studentOfSet } from '../students.ts';
import { bySet, classRow, forgotten } from './rows.ts';
import { read } from '../read.ts';

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
  'GET /teacher/22': read('tasks', {
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
    make: ({ yearGroupId, tasks }, { asks: { SetID } }) =>
      tasks.map(({ taskId, name, expiry, teacherInput, status: Status }) => ({
        TaskID: taskId,
        TaskName: name,
        Expiry: expiry,
        TeacherInput: binary(teacherInput),
        YeargroupID: yearGroupId,
        SetID,
        Status,
      })),
  }),
  'GET /teacher/23': call({
    purpose: 'What each class sits for a feedback task, and how far it is; teachers see their own classes.',
    asks: z.strictObject({ TaskID: id }),
    answers: z.array(mapRow),
    behind: [],
    models: ['structure', 'roster', 'assessments', 'results', 'tasks'],
    differs:
      'The status is kept for each class of a task: from 2 on the assessments of a class have the same one. Below, an assessment is at 1 as soon as somebody of the class has a total in it.',
    async adapt(caller, { asks: { TaskID } }) {
      const sets = await caller.sql((query) => readCheckedSets(query, TaskID));
      const theirs = sets.filter(({ setId }) => maySeeClass(caller.actor, setId));
      if (theirs.length === 0 && sets.length > 0)
        throw new ProblemError('not-your-set', 'You see the feedback tasks of your own classes only.');
      return mapsOf(TaskID, theirs);
    },
  }),
  'GET /teacher/27': call({
    purpose: 'The ranking of a class.',
    asks: bySet,
    answers: z.array(rankingRow),
    behind: [],
    models: ['structure', 'roster', 'tasks'],
    differs:
      'Of the newest open feedback task of the class, if that has any; else the one that the markbook shows. What counts is told; what does not count yet, as it was sent.',
    adapt: (caller, { asks: { SetID }, about: { yearGroupId } }) =>
      caller.sql(async (query) => {
        const task = taskRead(await tasksOfYear(query, yearGroupId ?? '', SetID));
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
          allStudents: students.map((student) => studentOfMarkbook(student, names)),
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
