import { z } from 'zod';
import { id } from '../../contract/fields.ts';
import { paperOf, STAFF_TOTAL } from '../../marks/staff-total.facts.ts';
import { byYeargroup } from '../admin/reading.ts';
import { keyOf } from '../../tasks/grades/grade-keys.rules.ts';
import { call } from '../call.ts';
import { totalId } from '../ids.ts';
import { asRankingRow, rankingRow, rankingRows, taskRead, tasksOfYear } from '../ranking-rows.ts';
import { studentOfMarkbook, studentOfSet } from '../students.ts';
import { mapRow, mapsOf, status } from '../maps.ts';
import { binary } from '../structure.ts';
import { linkId } from '../tables.ts';
import { read } from '../read.ts';

/** A grade of a profile. `key`: by what it is known there (grade-keys.rules.ts). */
export const gradeId = (gradeProfileId: string, key: string): string => linkId('GradeProfileScores', gradeProfileId, key);

/** $1 school; $2 task. The staff totals of its classes in what they sit for it. */
const TOTALS = `
select x.test_id as "TestID", s.set_id as "SetID", e.student_id as "UniqueID", ${STAFF_TOTAL} as "Total"
from task_sets s
cross join unnest(s.test_ids) x (test_id)
join enrolments e on e.school_id = $1 and e.set_id = s.set_id
join markbook m on m.school_id = $1 and m.test_id = x.test_id and m.student_id = e.student_id
${paperOf('x.test_id')}
where s.school_id = $1 and s.task_id = $2 and ${STAFF_TOTAL} is not null
order by x.test_id, s.set_id, e.student_id`;

/** Feedback tasks: what their classes sit, rankings and grades. */
export const taskReads = {
  'GET /leader/10': call({
    purpose: 'What the classes of a feedback task sit for it, with the number of totals, and the totals.',
    asks: z.strictObject({ TaskID: id }),
    answers: z.object({
      Counts: z.array(mapRow),
      Totals: z.array(z.object({ TestTotalsID: id, TestID: id, SetID: id, UniqueID: id, Total: z.int() })),
    }),
    behind: ['task'],
    differs:
      'Status is kept for each class of a task, from 2 on: two assessments that a class sits for it have the same. Below, it follows from the totals of each.',
    async adapt(caller, { asks: { TaskID } }) {
      const { sets } = await caller.query('task', { taskId: TaskID });
      const totals = await caller.sql((query) =>
        query<{ TestID: string; SetID: string; UniqueID: string; Total: number }>(TOTALS, [TaskID]),
      );
      return {
        Counts: mapsOf(TaskID, sets),
        Totals: totals.map((total) => ({ TestTotalsID: totalId(total.TestID, total.UniqueID), ...total })),
      };
    },
  }),
  'GET /leader/12': read('markbook', {
    purpose: 'All totals of a year group.',
    asks: byYeargroup,
    answers: z.array(z.object({ ...studentOfSet.shape, TestID: id, Total: z.number(), MaxMark: z.int().nullable() })),
    make({ sets, tests, students }) {
      const names = new Map(sets.map(({ setId, name }) => [setId, name]));
      return students.flatMap(({ totals, ...one }) =>
        totals.flatMap(({ total }, place) => {
          const test = tests[place];
          return total === null || !test
            ? []
            : [{ ...studentOfMarkbook(one, names), TestID: test.testId, Total: total, MaxMark: test.max }];
        }),
      );
    },
  }),
  'GET /leader/14': read('markbook', {
    purpose: 'Students of a year group.',
    asks: byYeargroup,
    answers: z.array(studentOfSet),
    make({ sets, students }) {
      const names = new Map(sets.map(({ setId, name }) => [setId, name]));
      return students.map((one) => studentOfMarkbook(one, names));
    },
  }),
  'GET /leader/15': read('grade-profiles', {
    purpose: 'Grade profiles of a year group, and their grades, the best first.',
    asks: byYeargroup,
    answers: z.object({
      gp: z.array(z.object({ GPID: id, Name: z.string(), YearID: id })),
      grades: z.array(z.object({ GID: id, GPID: id, Label: z.string(), Perc: z.int() })),
    }),
    make: ({ profiles }, { asks: { YeargroupID: yearGroupId } }) => ({
      gp: profiles.map(({ gradeProfileId, name }) => ({ GPID: gradeProfileId, Name: name, YearID: yearGroupId })),
      grades: profiles.flatMap(({ gradeProfileId: GPID, grades, keys = [] }) =>
        grades.map(({ label, percent }) => ({ GID: gradeId(GPID, keyOf({ keys }, label)), GPID, Label: label, Perc: percent })),
      ),
    }),
  }),
  'GET /leader/16': call({
    purpose: 'The ranking of a year group.',
    asks: byYeargroup,
    answers: z.array(rankingRow),
    behind: [],
    models: ['structure', 'roster', 'tasks'],
    differs:
      'Of its newest open feedback task, if that has any; else the one that the markbook shows. What counts is told; what does not count yet, as it was sent.',
    adapt: (caller, { asks: { YeargroupID } }) =>
      caller.sql(async (query) => {
        const task = taskRead(await tasksOfYear(query, YeargroupID));
        return task ? (await rankingRows(query, task.taskId)).map((row) => asRankingRow(row, task)) : [];
      }),
  }),
  'GET /leader/17': read('tasks', {
    purpose: 'Feedback tasks of a year group, the newest first.',
    asks: byYeargroup,
    answers: z.array(
      z.object({
        TaskID: id,
        taskID: id,
        TaskName: z.string().nullable().describe('null: forgotten.'),
        Expiry: z.iso.date(),
        TeacherInput: z.literal([0, 1]),
        YeargroupID: id,
        Status: status.describe('The mean of what its classes sit, rounded down.'),
      }),
    ),
    make: ({ tasks }, { asks: { YeargroupID } }) =>
      tasks.map(({ taskId, name, expiry, teacherInput, status: Status }) => ({
        TaskID: taskId,
        taskID: taskId,
        TaskName: name,
        Expiry: expiry,
        TeacherInput: binary(teacherInput),
        YeargroupID,
        Status,
      })),
  }),
};
