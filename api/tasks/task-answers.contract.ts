/** What is asked about feedback tasks. */
import { z } from 'zod';
import type { Answer } from '../contract/answer.ts';
import { instant } from '../contract/answer.ts';
import { id, isoDate } from '../contract/fields.ts';
import { totalFlag } from '../contract/total-flag.ts';

const status = z.literal([0, 1, 2, 3, 4, 5, 6]).describe('0, 1: from the totals; 2 to 6: what was done.');
const name = z.string().nullable().describe('null: forgotten');
const rankingFormula = z.enum(['R3', 'client']).describe('`client`: made elsewhere and sent; it has no exam and no norms.');

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
  name,
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

const check = z
  .object({ at: instant, by: name, stoodIn: z.boolean().describe('It was not a teacher of the class.') })
  .nullable()
  .describe('null: not checked');
const without = z.object({ by: name, reason: name }).nullable().describe('The leader went on without the check. null: no.');

const task = z
  .object({
    ...taskFields,
    subjectId: id,
    yearGroupId: id,
    year: z.int(),
    createdBy: name,
    lowest: status.describe('The Continue buttons go by it.'),
    step: z.literal([2, 3, 4, 5, 6, 7]).describe('Of the stepper, at which it opens.'),
    students: z.int().describe('On roll in the classes of the task: the cohort, until it is ranked.'),
    sets: z.array(
      z.object({
        ...setFields,
        teachers: z.array(z.object({ teacherId: id, name, hasAccount: z.boolean().describe('An active one, to which a mail can go.') })),
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
          own: z.boolean().describe("One of the task's own."),
        }),
      )
      .describe('What students can be ranked by: each assessment in which somebody of the cohort has a staff total.'),
    ranking: z
      .object({
        rankingId: id,
        at: instant,
        by: name,
        formula: rankingFormula,
        terminalExamId: id.nullable(),
        exam: z.string().nullable(),
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
        by: name,
        gradeProfileId: id.nullable(),
        profile: z.string().nullable().describe('Its name today. null: none, or it was deleted.'),
        shares: z.array(z.object({ label: z.string(), percent: z.int() })),
      })
      .nullable(),
    endedContested: z
      .object({ by: name, reason: name, totals: z.int() })
      .nullable()
      .describe('The leader ended the task while totals of the ranking were contested. null: no.'),
  })
  .describe('A feedback task, for the leader.');
export type Task = Answer<typeof task>;

const testNorms = z.object({
  testId: id,
  name: z.string(),
  max: z.int(),
  n: z.int().describe('How many of the cohort sat it.'),
  mean: z.number().nullable(),
  sd: z.number().nullable().describe('Of the population. null: nobody sat it.'),
  priorMean: z.number().nullable(),
  difference: z.number(),
  clipped: z.boolean(),
  multiplier: z.number(),
});
/** What scored the students of a ranking. */
export const rankingNorms = z.object({
  prior: z.object({ n: z.int(), mean: z.number().nullable(), sd: z.number().nullable() }),
  tests: z.array(testNorms),
});
const result = { score: z.number().nullable(), ranking: z.int().nullable(), grade: z.string().nullable() };

export const totalFlags = z
  .array(z.object({ testId: id, flag: totalFlag }))
  .describe("What is open now about the student's totals in the norms' tests. In the ranking they count as they stood.");

const rankedStudent = z.object({
  studentId: id,
  admissionNo: name,
  name,
  setId: id.describe('Of the moment of the ranking.'),
  left: z.boolean().describe('No longer on roll: needs nothing in the final check.'),
  prior: z.string().nullable().describe('As typed. null: none'),
  points: z.number().nullable().describe('What the prior counts.'),
  totals: z.array(z.int().nullable()).describe("Parallel to the norms' tests. null: did not sit it."),
  totalFlags,
  sat: z.int(),
  given: z.int().describe('How many of the tests are given to the class: `sat` is of these.'),
  ...result,
  residual: z.int().nullable(),
  computed: z.object(result).describe('What counts unless the leader decided otherwise.'),
  decided: z
    .object({ ...result, by: name, at: instant })
    .nullable()
    .describe('By hand; null in it: as computed.'),
  exempt: z.boolean(),
  teacherRank: z.int().nullable(),
  rankingFlag: z.boolean(),
  rankingComment: z.string().nullable(),
  gradeFlag: z.boolean(),
  gradeComment: z.string().nullable(),
  now: z
    .object({
      totals: z.array(z.int().nullable()),
      score: z.number().nullable(),
      ranking: z.int().nullable(),
      changed: z.boolean().describe('One of the totals of this student is another.'),
    })
    .nullable()
    .describe('With the totals of now and the norms of the ranking. null: the same.'),
});
export type RankedStudent = Answer<typeof rankedStudent>;

const taskRanking = z
  .object({
    taskId: id,
    subjectId: id,
    yearGroupId: id,
    name,
    expiry: isoDate,
    teacherInput: z.boolean(),
    status,
    sets: z.array(z.object({ setId: id, name: z.string(), status, rankingChecked: check, gradesChecked: check })),
    ranking: z
      .object({
        rankingId: id,
        at: instant,
        by: name,
        formula: rankingFormula,
        terminalExamId: id.nullable(),
        exam: z.string().nullable(),
        students: z.int().describe('In the whole cohort.'),
        norms: rankingNorms,
      })
      .nullable()
      .describe('null: not ranked'),
    grades: z.object({ gradesId: id, shares: z.array(z.object({ label: z.string(), percent: z.int() })) }).nullable(),
    students: z.array(rankedStudent).describe('By ranking, then by name.'),
  })
  .describe('The ranked students of a task, or (setId) of one class.');
export type TaskRanking = Answer<typeof taskRanking>;

const taskScore = z
  .object({
    taskId: id,
    studentId: id,
    name,
    setId: id,
    prior: z.string().nullable(),
    points: z.number().nullable(),
    ...result,
    residual: z.int().nullable(),
    computed: z.object(result),
    decided: z.object({ ...result, by: name, at: instant }).nullable(),
    exempt: z.boolean(),
    rankedAt: instant,
    rankedBy: name,
    rankingId: id,
    formula: rankingFormula,
    exam: z.string().nullable(),
    priorNorms: rankingNorms.shape.prior,
    tests: z.array(
      testNorms.extend({
        total: z.int().nullable().describe('null: did not sit it, and it counts for nothing.'),
        percent: z.number().nullable(),
        z: z.number().nullable(),
        part: z.number().nullable().describe('multiplier * (z + 3): the score is 100/6 of the mean of these.'),
        now: z.int().nullable().describe('The total of now.'),
        totalFlags: z.array(totalFlag).describe('What is open now about the total.'),
        counted: z.object({ events: z.int(), last: id.nullable() }).describe('Events that the ranking counted, of the whole cohort.'),
        changes: z
          .array(
            z.object({
              commandId: id,
              at: instant,
              by: name,
              how: z.enum(['upload', 'typed', 'decided']),
              fileName: z.string().nullable(),
              marks: z.boolean().describe('It entered marks of questions, else the total.'),
              is: z.int().nullable().describe('The total that it entered. null: marks, or it cleared the total.'),
              later: z.boolean().describe('After the ranking.'),
            }),
          )
          .describe("What staff entered of the student's total and still stands, oldest first."),
      }),
    ),
    now: z.object({ score: z.number().nullable() }).describe('With the totals of now and the norms of the ranking.'),
  })
  .describe('How a score came about.');
export type TaskScore = Answer<typeof taskScore>;

const gradesOfProfile = z.array(
  z.object({
    label: z.string(),
    percent: z.int(),
    students: z.int(),
    boundary: z.number().nullable().describe('The lowest score that gets it. null: nobody does, or without a score.'),
  }),
);
const taskGrades = z
  .object({
    taskId: id,
    students: z.int().describe('With a rank, and not left out.'),
    allocated: gradesOfProfile
      .nullable()
      .describe('The grades as they stand, by the percentages that were allocated, whatever has become of the profile. null: none are.'),
    flaggedTotals: z
      .array(z.object({ studentId: id, name, testId: id, test: z.string(), flag: totalFlag }))
      .describe('What is open now about totals of these students in the tests of the ranking.'),
    profiles: z.array(
      z.object({
        gradeProfileId: id,
        name: z.string(),
        sum: z.int().describe('Of the percentages: only 100 can be allocated.'),
        grades: gradesOfProfile,
      }),
    ),
  })
  .describe('What each grade profile of the year group would give.');
export type TaskGrades = Answer<typeof taskGrades>;

export const taskQueries = {
  /** Either of a year group, for its leader, or of a class. */
  tasks: { input: z.object({ yearGroupId: id.optional(), setId: id.optional() }), answer: tasks },
  task: { input: z.object({ taskId: id }), answer: task },
  'task-ranking': { input: z.object({ taskId: id, setId: id.optional() }), answer: taskRanking },
  'task-score': { input: z.object({ taskId: id, studentId: id }), answer: taskScore },
  'task-grades': { input: z.object({ taskId: id }), answer: taskGrades },
};
