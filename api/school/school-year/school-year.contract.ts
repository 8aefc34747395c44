/** The plan of a new school year of a subject: what becomes of its year groups, sets and students, and who comes. */
import { z } from 'zod';
import type { Answer } from '../../contract/answer.ts';
import { instant } from '../../contract/answer.ts';
import { id, isoDate, label } from '../../contract/fields.ts';
import { importStudents } from '../../students/students.contract.ts';
import { structureCommands } from '../school.contract.ts';
import { addSets, thresholds } from '../sets/sets.contract.ts';

const setName = addSets.shape.names.element;
const { year } = structureCommands.AddYearGroup.input.shape;
const ids = z.array(id).max(200).readonly();

/** What is left out stays as it is on the day. */
const setGoesOn = z.strictObject({
  name: setName,
  year,
  schemeId: id.optional(),
  testIds: ids.optional(),
  teacherIds: ids.optional(),
});
/** `into`: by its name in the new year, the set to which its students go; null: to Off-Roll. */
const setEnds = z.strictObject({ into: label.nullable() });

/**
 * Sets and year groups say what they are in the new year, so that a plan that has been carried out changes nothing when it is carried out
 * again. A year that no year group becomes is added.
 */
export const schoolYearPlan = z.strictObject({
  /** On which day (in the school's time) it is carried out. */
  day: isoDate,
  /** `year`: what it is called then; null: it ends. */
  yearGroups: z
    .array(z.strictObject({ yearGroupId: id, year: year.nullable() }))
    .max(100)
    .readonly(),
  sets: z
    .array(z.strictObject({ setId: id, becomes: z.union([setGoesOn, setEnds]) }))
    .max(1_000)
    .readonly(),
  newSets: z
    .array(setGoesOn.required({ schemeId: true, testIds: true, teacherIds: true }).extend({ thresholds: thresholds.strict() }))
    .max(1_000)
    .readonly(),
  /** Students who go elsewhere than their set: to which set of the new year, by its name; null: Off-Roll. */
  students: z
    .array(z.strictObject({ studentId: id, to: label.nullable() }))
    .max(2_000)
    .readonly(),
  /** A file of students, with the sets of the new year. `correct`: its names and dates of birth count where they differ. */
  intake: z
    .strictObject({ fileName: importStudents.shape.fileName, rows: importStudents.shape.rows.readonly(), correct: z.boolean() })
    .nullable(),
});
export type SchoolYearPlan = z.output<typeof schoolYearPlan>;

const planned = z.strictObject({ subjectId: id, plan: schoolYearPlan });
/** `version`: of the plan that is kept, as its author saw it; null: there was none. */
const version = z.int().nullable();

export const schoolYearCommands = {
  BeginSchoolYear: { input: planned.extend({ version }), result: z.object({ actId: id.describe('For undoing it.') }) },
};

const moved = {
  before: z.int().describe('Students.'),
  after: z.int(),
  leave: z.int().describe('To Off-Roll.'),
  come: z.int(),
  go: z.int().describe('To other sets.'),
};
const preview = z.object({
  problems: z
    .array(z.object({ path: z.string(), message: z.string() }))
    .describe('What has to be changed in the plan before it can begin.'),
  sets: z.array(z.object({ was: z.string().nullable(), name: z.string().nullable(), year: z.int(), ...moved })),
  leavers: z.object({
    students: z.int(),
    logIns: z.int().describe('Those who have a log-in.'),
    elsewhere: z.int().describe('Those who are in another subject.'),
  }),
  intake: z
    .object({ added: z.int(), moved: z.int(), corrected: z.int(), same: z.int(), differ: z.array(z.string()) })
    .nullable()
    .describe('`differ`: names of students whose name or date of birth is another one in the file.'),
  tasks: z
    .array(z.object({ taskId: id, name: z.string(), year: z.int(), becomes: z.int().nullable() }))
    .describe('Feedback tasks that are open.'),
  withoutTeacher: z.array(z.string()).describe('Sets of the new year.'),
});
export type SchoolYearPreview = Answer<typeof preview>;

export const schoolYearQueries = { 'preview-school-year': { input: planned, answer: preview } };

/** The plan that is kept until its day. */
export const keptSchoolYear = z.object({
  kept: z
    .object({
      version: z.int(),
      plan: schoolYearPlan,
      by: z.string(),
      at: instant,
      trouble: z.string().nullable().describe('Why it was not carried out on its day.'),
    })
    .nullable(),
});
export type KeptSchoolYear = Answer<typeof keptSchoolYear>;
export const keepSchoolYear = planned.extend({ version });
export const dropSchoolYear = z.strictObject({ subjectId: id, version: z.int() });
