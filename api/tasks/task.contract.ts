/** The feedback tasks of a year group or a class, and one of them. */
import { z } from 'zod';
import type { Answer } from '../contract/answer.ts';
import { instant } from '../contract/answer.ts';
import { id, isoDate } from '../contract/fields.ts';

export const status = z.literal([0, 1, 2, 3, 4, 5, 6]).describe('0, 1: from the totals; 2 to 6: what was done.');
export const nameOrForgotten = z.string().nullable().describe('null: forgotten');
export const rankingFormula = z.enum(['R3', 'client']).describe('`client`: made elsewhere and sent; it has no exam and no norms.');

/** Of the ranking that stands. */
export const rankingFields = {
  rankingId: id,
  at: instant,
  by: nameOrForgotten,
  formula: rankingFormula,
  terminalExamId: id.nullable(),
  exam: z.string().nullable(),
};

const setFields = {
  setId: id,
  name: z.string(),
  students: z.int().describe('On roll in the class now.'),
  status: status.describe('The lowest of its assessments.'),
  since: instant.describe('When it came to this status; of 0 and 1: since when it waits for the ranking.'),
  tests: z.array(
    z.object({
      testId: id,
      name: z.string(),
      max: z.int().nullable().describe('null: no questions yet'),
      entered: z.int().describe('How many of the students have a staff total.'),
      out: z.int().describe('How many are absent or exempt.'),
      status,
    }),
  ),
};
const taskFields = {
  taskId: id,
  name: nameOrForgotten,
  expiry: isoDate,
  teacherInput: z.boolean(),
  createdAt: instant,
  status: status.describe('The mean of the assessments of all classes, rounded down. Of one class: its lowest.'),
};

const tasks = z
  .object({
    subjectId: id,
    yearGroupId: id,
    classes: z.int().describe('Of the year group, also those that are not in a task.'),
    tasks: z.array(z.object({ ...taskFields, sets: z.array(z.object(setFields)) })),
  })
  .describe(
    'The feedback tasks of a year group, or (setId) those of a class, with nothing of the others. The newest first; without deleted ones.',
  );
export type Tasks = Answer<typeof tasks>;
export type TaskCard = Tasks['tasks'][number];
export type TaskCardSet = TaskCard['sets'][number];

export const check = z
  .object({ at: instant, by: nameOrForgotten, stoodIn: z.boolean().describe('It was not a teacher of the class.') })
  .nullable()
  .describe('null: not checked');
const without = z
  .object({ by: nameOrForgotten, reason: nameOrForgotten })
  .nullable()
  .describe('The leader went on without the check. null: no.');

const task = z
  .object({
    ...taskFields,
    subjectId: id,
    yearGroupId: id,
    year: z.int(),
    createdBy: nameOrForgotten,
    lowest: status.describe('The Continue buttons go by it.'),
    step: z.literal([2, 3, 4, 5, 6, 7]).describe('Of the stepper, at which it opens.'),
    students: z.int().describe('On roll in the classes of the task: the cohort, until it is ranked.'),
    sets: z.array(
      z.object({
        ...setFields,
        teachers: z.array(
          z.object({ teacherId: id, name: nameOrForgotten, hasAccount: z.boolean().describe('An active one, to which a mail can go.') }),
        ),
        rankingChecked: check,
        gradesChecked: check,
        withoutRanking: without,
        withoutGrades: without,
      }),
    ),
    otherSets: z.array(z.object({ setId: id, name: z.string() })).describe('Classes of the year group that are not in the task.'),
    offered: z
      .array(
        z.object({
          testId: id,
          name: z.string(),
          max: z.int().nullable(),
          entered: z.int().describe('How many of the cohort have a staff total.'),
          inTask: z.boolean().describe("One of the task's own."),
        }),
      )
      .describe('What students can be ranked by: each assessment in which somebody of the cohort has a staff total.'),
    ranking: z
      .object({
        ...rankingFields,
        testIds: z.array(id),
        students: z.int(),
        ranked: z.int().describe('With a rank, by score or by hand, and not left out.'),
        flagged: z.int().describe('In one of the checks.'),
      })
      .nullable(),
    grades: z
      .object({
        gradesId: id,
        at: instant,
        by: nameOrForgotten,
        gradeProfileId: id.nullable(),
        profile: z.string().nullable().describe('Its name today. null: none, or it was deleted.'),
        shares: z.array(z.object({ label: z.string(), percent: z.int() })),
      })
      .nullable(),
    endedContested: z
      .object({ by: nameOrForgotten, reason: nameOrForgotten, totals: z.int() })
      .nullable()
      .describe('The leader ended the task while totals of the ranking were contested. null: no.'),
  })
  .describe('A feedback task, for the leader.');
export type Task = Answer<typeof task>;

export const taskQueries = {
  /** Either of a year group, for its leader, or of a class. */
  tasks: { input: z.object({ yearGroupId: id.optional(), setId: id.optional() }), answer: tasks },
  task: { input: z.object({ taskId: id }), answer: task },
};
