/** Requests that make a feedback task and move it from its assessments to the grades, and what they answer. */
import { z } from 'zod';
import type { Answer } from '../contract/answer.ts';
import { leftOut, nothing } from '../contract/answer.ts';
import { id, isoDate, line, ruled } from '../contract/fields.ts';
import { MAX_LABEL } from '../contract/limits.ts';
import { flaggedTotal } from '../contract/total-flag.ts';
import { NOT_WHOLE, REQUIRED, VISIBLE, wrongCount } from '../contract/rules.ts';
import {
  MAX_COMMENT,
  MAX_SCORE,
  NO_TEST,
  SCORE_ABOVE_ZERO,
  SCORE_TOO_HIGH,
  TASK_REQUIRED,
  reasonsNotNotified,
  wrongScore,
} from './task-fields.contract.ts';

const name = line.min(1, TASK_REQUIRED).max(MAX_LABEL).regex(VISIBLE, TASK_REQUIRED);
/** From today to 30 days ahead, counted from the moment of the request (`wrongExpiry`). */
const expiry = isoDate;
/** Which assessment a class sits for the task; a class may have several. */
const map = z.strictObject({ setId: id, testId: id });
const maps = z.array(map).min(1, 'Choose at least one class with an assessment.').max(500);

export const createFeedbackTask = z.strictObject({ subjectId: id, yearGroupId: id, name, expiry, teacherInput: z.boolean(), maps });

/** Without assessments at first: they are added one by one. Nobody is told of it. */
export const openFeedbackTask = z.strictObject({ subjectId: id, yearGroupId: id, name, expiry, teacherInput: z.boolean() });
export const addTaskMap = z.strictObject({ taskId: id, ...map.shape });

/** Fields that are left out do not change. An expiry that has passed may stay as it is, and is then left out. */
export const editFeedbackTask = z.strictObject({
  taskId: id,
  name: name.optional(),
  expiry: expiry.optional(),
  teacherInput: z.boolean().optional(),
  maps: maps.optional(),
  /** What the author saw; a field that is sent is refused if it has changed since. Left out: there is no such check. */
  was: z
    .strictObject({ name: z.string().nullable(), expiry: z.string(), teacherInput: z.boolean(), maps: z.array(map) })
    .partial()
    .optional(),
});

export const aboutTask = z.strictObject({ taskId: id });

const MOST_FLAGS = 20_000;
const tests = z.array(id).min(1, NO_TEST).max(100);
export const rankTask = z.strictObject({
  taskId: id,
  terminalExamId: id,
  testIds: tests,
  /** The ranking that stood when the author looked (`rankingId`), null: none. Refused if it has changed. Left out: there is no such check. */
  was: id.nullable().optional(),
  /** `digest` of the preview that the author saw. Refused if totals or prior data have changed it since. Left out: there is no such check. */
  preview: z.string().max(100).optional(),
  /**
   * What is open about totals that the author has seen, and ranks by all the same: `flaggedTotals` of the preview. Where there is more, the
   * command asks (`answers-needed`).
   */
  flaggedTotals: z.array(flaggedTotal).max(MOST_FLAGS).optional(),
});
export const removeRanking = z.strictObject({
  taskId: id,
  /** The ranking that the author means; refused if another one stands now. Left out: whichever stands. */
  rankingId: id.optional(),
});

const reason = line.min(1, REQUIRED).max(MAX_COMMENT).regex(VISIBLE, REQUIRED);
/** Classes whose teachers' check the leader goes on without, and why. */
const without = z
  .array(z.strictObject({ setId: id, reason }))
  .max(200)
  .default([]);
/** A comment only where there is a flag. */
const flagged = { studentId: id, flag: z.boolean(), comment: line.max(MAX_COMMENT).optional() };
const MOST_STUDENTS = 2_000;

/** As it stood when the author looked. */
const wasFlagged = { studentId: id, flag: z.boolean(), comment: z.string().max(MAX_COMMENT).optional() };

/** `rows`: only students about whom something is said. Saved again, it is the whole of it again. Left out: by the rows that were sent (RecordRanking). */
export const checkRanking = z.strictObject({
  taskId: id,
  setId: id,
  /** The ranking that the teacher saw; refused if another one stands now. Left out: there is no such check. */
  rankingId: id.optional(),
  rows: z
    .array(z.strictObject({ ...flagged, teacherRank: ruled(z.number(NOT_WHOLE), wrongCount).pipe(z.int().max(100_000)).nullable() }))
    .max(MOST_STUDENTS)
    .optional(),
  /**
   * What had been said about students of the class when the author looked. About whom something else has been said since, and not what is
   * sent either, is refused. Left out: there is no such check.
   */
  was: z
    .array(z.strictObject({ ...wasFlagged, teacherRank: z.number().nullable() }))
    .max(MOST_STUDENTS)
    .optional(),
});
export const checkGrades = z.strictObject({
  taskId: id,
  setId: id,
  /** The grades that the teacher saw; refused if they are others now. Left out: there is no such check. */
  gradesId: id.optional(),
  rows: z.array(z.strictObject(flagged)).max(MOST_STUDENTS).optional(),
  /** As of a check of the ranking. */
  was: z.array(z.strictObject(wasFlagged)).max(MOST_STUDENTS).optional(),
});

export const assignGrades = z.strictObject({
  taskId: id,
  gradeProfileId: id,
  without,
  /** The profile's grades as the author saw them; refused if they are others now. Left out: there is no such check. */
  was: z.array(z.strictObject({ label: z.string(), percent: z.int() })).optional(),
});

const decision = z.strictObject({
  studentId: id,
  ranking: ruled(z.number(NOT_WHOLE), wrongCount).pipe(z.int().max(100_000)).nullable().describe('null: as it was computed'),
  score: z
    // Infinity comes of 1e309 in JSON, and is no number to zod.
    .number({ error: ({ input }) => wrongScore(typeof input === 'number' ? input : Number.NaN) })
    .positive(SCORE_ABOVE_ZERO)
    .max(MAX_SCORE, SCORE_TOO_HIGH)
    .nullable()
    .describe('null: as it was computed'),
  grade: line.min(1, REQUIRED).max(20).regex(VISIBLE, REQUIRED).nullable().describe('null: as it was computed'),
  exempt: z.boolean().describe('Left out of the task.'),
});
/** What is decided by hand about these students, the whole of it for each. */
export const decideResults = z.strictObject({
  taskId: id,
  rows: z
    .array(
      decision.extend({
        /** What was decided when the author looked; refused if that has changed. Left out: there is no such check. */
        was: z
          .strictObject({ ranking: z.number().nullable(), score: z.number().nullable(), grade: z.string().nullable(), exempt: z.boolean() })
          .optional(),
      }),
    )
    .min(1)
    .max(MOST_STUDENTS),
});
export type DecideResults = z.infer<typeof decideResults>;

export const completeTask = z.strictObject({
  taskId: id,
  without,
  /** Contested totals of the ranking that the author has seen, and why they do not wait. Where there are more, the command asks (`answers-needed`). */
  contested: z.strictObject({ totals: z.array(z.strictObject({ studentId: id, testId: id })).max(MOST_FLAGS), reason }).optional(),
});

/** The teachers of those of these classes that wait for a check; left out: of all that do. */
export const remindTeachers = z.strictObject({ taskId: id, setIds: z.array(id).min(1).max(200).optional() });
const notNotified = z
  .array(
    z.object({
      name: z.string().nullable().describe('Of the teacher, or of the class that has none. null: forgotten'),
      why: z.enum(reasonsNotNotified),
    }),
  )
  .describe('Who gets no mail, and why.');
const notified = {
  notified: z.int().describe('Number of teachers to whom a mail goes.'),
  notNotified,
  leftOut: leftOut('notified', 'notNotified'),
};
const reminded = z.object({
  message: z.string().describe('For people.'),
  teachers: z.int().describe('Number of teachers to whom a mail goes.'),
  notNotified,
  leftOut: leftOut('message', 'teachers', 'notNotified'),
});

export const feedbackTaskCommands = {
  CreateFeedbackTask: { input: createFeedbackTask, result: z.object({ taskId: id, ...notified }) },
  OpenFeedbackTask: { input: openFeedbackTask, result: z.object({ taskId: id }) },
  AddTaskMap: { input: addTaskMap, result: nothing },
  EditFeedbackTask: { input: editFeedbackTask, result: z.object(notified) },
  DeleteFeedbackTask: { input: aboutTask, result: nothing },
  RestoreFeedbackTask: { input: aboutTask, result: nothing },
  RankTask: {
    input: rankTask,
    result: z.object({ rankingId: id.nullable().describe('null: nothing has changed, the ranking is the one that stands.') }),
  },
  RemoveRanking: { input: removeRanking, result: nothing },
  CheckRanking: { input: checkRanking, result: nothing },
  AssignGrades: { input: assignGrades, result: z.object({ gradesId: id }) },
  ReopenGrades: { input: aboutTask, result: nothing },
  CheckGrades: { input: checkGrades, result: nothing },
  DecideResults: { input: decideResults, result: nothing },
  CompleteTask: { input: completeTask, result: nothing },
  RemindTeachers: { input: remindTeachers, result: reminded },
};

export type FeedbackTaskResult<Name extends keyof typeof feedbackTaskCommands> = Answer<(typeof feedbackTaskCommands)[Name]['result']>;
