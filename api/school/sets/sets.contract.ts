/** Requests and responses about sets and their teachers. */
import { z } from 'zod';
import type { Answer } from '../../contract/answer.ts';
import { instant, nothing, record } from '../../contract/answer.ts';
import { id, isoDate, label, linksOf, personName, ruled } from '../../contract/fields.ts';
import { wrongDaySat } from '../../contract/rules.ts';
import { isOffRoll } from '../../students/off-roll.contract.ts';

const NO_SET_OFF_ROLL = 'Off-Roll is no set: students are moved there under Student Details, or by a file of students.';
const setName = label.refine((name) => !isOffRoll(name), NO_SET_OFF_ROLL);
const percent = z.int().min(0).max(100);
/** What is changed of a set; fields that are left out do not change. */
const setFields = {
  name: setName.optional(),
  /** Moves it, with its students. */
  yearGroupId: id.optional(),
  schemeId: id.optional(),
  testIds: z.array(id).max(200).optional(),
  thresholds: z.strictObject({ red: percent, amber: percent, green: percent }).optional(),
};
export const changeSet = z.strictObject({ subjectId: id, setId: id, ...setFields });
/** `was`: what its author saw of what is changed, refused where it is something else by now. */
export const changeSets = z.strictObject({
  subjectId: id,
  changes: z
    .array(z.strictObject({ setId: id, ...setFields, was: z.strictObject(setFields).optional() }))
    .min(1)
    .max(500),
});
/** `linked`: whether the sets shall have these assessments. */
export const linkSetAssessment = z.strictObject({ subjectId: id, links: linksOf({ setId: id, testId: id }), linked: z.boolean() });
/** Several sets by name. `testIds`: the assessments of each of them. */
export const addSets = z.strictObject({
  subjectId: id,
  yearGroupId: id,
  names: z.array(setName).min(1).max(500),
  schemeId: id,
  testIds: z.array(id).max(200).default([]),
});
/** The day on which a set sat an assessment; null: nobody says. `was`: what its author saw, refused where it is something else by now. */
export const dateAssessment = z.strictObject({
  subjectId: id,
  setId: id,
  testId: id,
  satOn: ruled(isoDate, (day) => wrongDaySat(day)).nullable(),
  was: isoDate.nullable().optional(),
});
export const restoreSet = z.strictObject({ subjectId: id, setId: id });
/** `offRoll`: its students are moved to Off-Roll first; else it is refused if it has any. */
export const deleteSet = restoreSet.extend({ offRoll: z.boolean().default(false) });
/** The changes of a teacher; fields that are left out do not change. */
export const changeTeacher = z.strictObject({
  subjectId: id,
  teacherId: id,
  name: personName.optional(),
  setIds: z.array(id).max(500).optional(),
});
/** `linked`: whether the teachers shall teach these sets. */
export const linkTeacherSet = z.strictObject({ subjectId: id, links: linksOf({ teacherId: id, setId: id }), linked: z.boolean() });
export const removeTeacher = z.strictObject({ subjectId: id, teacherId: id });
/**
 * `handOver`: each class that the teacher has, and the teacher who takes it over; null: nobody yet. `accountId`: the teacher's log-in, which is
 * closed for good; left out: it stays.
 */
export const letTeacherLeave = removeTeacher.extend({
  handOver: z.array(z.strictObject({ setId: id, to: id.nullable() })).max(500),
  accountId: id.optional(),
});

export const thresholds = z.object({ red: z.int(), amber: z.int(), green: z.int() });

const actId = id.describe('For undoing it.');
export const setsCommands = {
  AddSet: { input: z.strictObject({ subjectId: id, yearGroupId: id, name: setName, schemeId: id }), result: z.object({ setId: id }) },
  ChangeSet: { input: changeSet, result: nothing },
  ChangeSets: { input: changeSets, result: z.object({ actId }) },
  LinkSetAssessment: { input: linkSetAssessment, result: nothing },
  AddSets: { input: addSets, result: z.object({ setIds: z.array(id) }) },
  DateAssessment: { input: dateAssessment, result: nothing },
  DeleteSet: { input: deleteSet, result: z.object({ actId }) },
  RestoreSet: { input: restoreSet, result: nothing },
  AddTeacher: { input: z.strictObject({ subjectId: id, name: personName }), result: z.object({ teacherId: id }) },
  ChangeTeacher: { input: changeTeacher, result: nothing },
  LinkTeacherSet: { input: linkTeacherSet, result: nothing },
  RemoveTeacher: { input: removeTeacher, result: nothing },
  LetTeacherLeave: { input: letTeacherLeave, result: z.object({ actId }) },
  RestoreTeacher: { input: removeTeacher, result: nothing },
};

const teachersToView = z.object({
  teachers: z.array(
    z.object({
      teacherId: id,
      name: z.string().nullable().describe('null: forgotten'),
      sets: z.array(z.object({ setId: id, name: z.string() })),
    }),
  ),
});
export type TeachersToView = Answer<typeof teachersToView>;

const satOn = z
  .object({
    satOn: isoDate.nullable().describe('As somebody has said for the set; null: nobody has.'),
    upload: z
      .object({
        satOn: isoDate,
        fileName: z.string().nullable().describe('null: the person who uploaded it was forgotten'),
        by: z.string().nullable(),
      })
      .nullable()
      .describe(
        'As said with an upload that stands: of several, the one whose totals count for most of the set, else the latest of these. null: no such upload says.',
      ),
    firstMark: instant.nullable().describe('When the first mark of the set was entered, or its first total.'),
    mayWrite: z.boolean(),
  })
  .describe('On which day a set sat an assessment: `satOn`, else that of `upload`, else the day of `firstMark`.');
export type SatOn = Answer<typeof satOn>;

export const setsQueries = {
  'sat-on': { input: z.object({ setId: id, testId: id }), answer: satOn },
  'teachers-to-view': { input: z.object({ subjectId: id }), answer: teachersToView },
};

export const setsRecords = {
  sets: record({
    subjectId: id,
    yearGroupId: id,
    name: z.string(),
    schemeId: id,
    testIds: z.array(id),
    thresholds,
    students: z.int(),
    year: z.int().nullable(),
    scheme: z.string().nullable().describe("The name of the set's scheme of work."),
    assessments: z.string().nullable().describe('The names of its assessments as one string.'),
  }),
  teachers: record({
    subjectId: id,
    name: z.string().nullable().describe('null: forgotten'),
    setIds: z.array(id),
    classes: z.string().nullable().describe('The names of the sets as one string.'),
  }),
};
