/** Requests and responses about the structure of a school: school, subjects, year groups, terminal exams, schemes of work. */
import { z } from 'zod';
import type { Answer } from '../contract/answer.ts';
import { nothing, record } from '../contract/answer.ts';
import { id, label, ruled, schoolName } from '../contract/fields.ts';
import { MAX_SCHEME_TOPICS } from '../contract/limits.ts';
import { LAST_YEAR, NOT_WHOLE, wrongCount, wrongYear } from '../contract/rules.ts';
import { reportWords } from './report-words.contract.ts';
import { thresholds } from './sets/sets.contract.ts';

// School
export const openSchool = z.strictObject({ name: schoolName });
const year = ruled(z.number(NOT_WHOLE), wrongYear).meta({ type: 'integer', minimum: 1, maximum: LAST_YEAR });

// Subject
/** `actId`: of a command, or of all commands of one act. `partly`: also if something of it stays. */
export const undoAct = z.strictObject({ subjectId: id, actId: id, partly: z.boolean().default(false) });
const actUndone = z.object({
  already: z.boolean().describe('Nothing was left to undo.'),
  students: z.int().describe('How many are put back.'),
  stays: z.array(z.string()).describe('What stays as it is, a sentence each.'),
});
export type ActUndone = Answer<typeof actUndone>;
export const removeSubject = z.strictObject({ subjectId: id });
export const restoreSubject = removeSubject;
export const restoreYearGroup = z.strictObject({ subjectId: id, yearGroupId: id });
/** `offRoll`: its students are moved to Off-Roll first; else it is refused if it has any. */
export const deleteYearGroup = restoreYearGroup.extend({ offRoll: z.boolean().default(false) });
const yearSat = ruled(z.number(NOT_WHOLE).max(LAST_YEAR, 'The value must be less than 10000'), wrongCount).meta({
  type: 'integer',
  minimum: 1,
});
export const addTerminalExam = z.strictObject({ subjectId: id, name: label, yearSat });
/** Fields that are left out do not change. */
export const changeTerminalExam = z.strictObject({
  subjectId: id,
  terminalExamId: id,
  name: label.optional(),
  yearSat: yearSat.optional(),
});
export const removeTerminalExam = z.strictObject({ subjectId: id, terminalExamId: id });

// Scheme of work
export const addScheme = z.strictObject({ subjectId: id, name: label, topics: z.array(label).max(MAX_SCHEME_TOPICS).default([]) });
/** Fields that are left out do not change. The topics in order: one without an id is new, one that is left out is removed. */
export const changeScheme = z.strictObject({
  schemeId: id,
  name: label.optional(),
  topics: z
    .array(z.strictObject({ topicId: id.optional(), name: label }))
    .max(MAX_SCHEME_TOPICS)
    .optional(),
});
/** Some of its topics, whatever others there are: one with an id is renamed, one without is new and comes last. */
export const saveSchemeTopics = z.strictObject({
  schemeId: id,
  save: z
    .array(z.strictObject({ topicId: id.nullable(), name: label }))
    .max(MAX_SCHEME_TOPICS)
    .default([]),
  remove: z.array(id).max(MAX_SCHEME_TOPICS).default([]),
});
export const deleteScheme = z.strictObject({ schemeId: id });

export const schoolCommands = {
  RenameSchool: { input: z.strictObject({ name: schoolName }), result: nothing },
  OpenStructureToLeaders: { input: z.strictObject({ open: z.boolean() }), result: nothing },
  ShowResultsToStudents: { input: z.strictObject({ shown: z.boolean() }), result: nothing },
  ChangeReportWords: { input: reportWords, result: nothing },
};

/** The parts that the user may see. */
const structure = z.object({
  subject: z.object({ subjectId: id, name: z.string() }),
  schemes: z.array(z.object({ schemeId: id, name: z.string() })),
  yearGroups: z.array(
    z.object({
      yearGroupId: id,
      year: z.int(),
      sets: z.array(
        z.object({
          setId: id,
          name: z.string(),
          students: z.int(),
          mayWrite: z.boolean(),
          testIds: z.array(id),
          schemeId: id.nullable(),
          thresholds,
        }),
      ),
    }),
  ),
  tests: z.array(z.object({ testId: id, name: z.string(), max: z.int().nullable(), visible: z.boolean() })),
  exams: z.array(z.object({ terminalExamId: id, name: z.string(), yearSat: z.int() })),
  teachers: z.array(z.object({ teacherId: id, name: z.string().nullable(), setIds: z.array(id) })),
});
export type Structure = Answer<typeof structure>;

export const structureCommands = {
  AddSubject: { input: z.strictObject({ name: label }), result: z.object({ subjectId: id }) },
  RenameSubject: { input: z.strictObject({ subjectId: id, name: label }), result: nothing },
  RemoveSubject: { input: removeSubject, result: nothing },
  RestoreSubject: { input: restoreSubject, result: nothing },
  UndoAct: { input: undoAct, result: actUndone },
  AddYearGroup: { input: z.strictObject({ subjectId: id, year }), result: z.object({ yearGroupId: id }) },
  RenameYearGroup: { input: z.strictObject({ subjectId: id, yearGroupId: id, year }), result: nothing },
  DeleteYearGroup: { input: deleteYearGroup, result: z.object({ actId: id.describe('For undoing it.') }) },
  RestoreYearGroup: { input: restoreYearGroup, result: nothing },
  AddTerminalExam: { input: addTerminalExam, result: z.object({ terminalExamId: id }) },
  ChangeTerminalExam: { input: changeTerminalExam, result: nothing },
  RemoveTerminalExam: { input: removeTerminalExam, result: nothing },
  RestoreTerminalExam: { input: removeTerminalExam, result: nothing },
  AddScheme: { input: addScheme, result: z.object({ schemeId: id }) },
  ChangeScheme: { input: changeScheme, result: nothing },
  SaveSchemeTopics: {
    input: saveSchemeTopics,
    result: z.object({ topicIds: z.array(id).describe('Of those that were sent to be saved.') }),
  },
  DeleteScheme: { input: deleteScheme, result: nothing },
  RestoreScheme: { input: deleteScheme, result: nothing },
};

export const structureQueries = {
  structure: { input: z.object({ subjectId: id }), answer: structure },
};

export const structureRecords = {
  subjects: record({
    name: z.string(),
    yearGroups: z.int(),
    sets: z.int(),
    teachers: z.int(),
    schemes: z.int(),
    assessments: z.int(),
    students: z.int().describe('Those in a set.'),
    offRoll: z.int(),
    schemesWithTopics: z.boolean(),
    assessmentsWithQuestions: z.boolean(),
    setsWithAssessments: z.boolean().describe('Assessments that have questions.'),
    teachersWithClasses: z.boolean(),
    teachersInvited: z.boolean().describe('One of its teachers has an account.'),
    hasJoinCode: z.boolean(),
    marks: z.int().describe('Totals, and marks of questions: those of staff, else those that students have confirmed.'),
  }),
  schemes: record({
    subjectId: id,
    name: z.string(),
    sets: z.int(),
    topics: z.array(z.object({ topicId: id, name: z.string(), mapped: z.boolean().describe('Something is mapped to it.') })),
  }),
  yearGroups: record({ subjectId: id, year: z.int(), sets: z.int(), students: z.int() }),
  terminalExams: record({
    subjectId: id,
    name: z.string(),
    yearSat: z.int().describe('The school year in which students take it, such as 11.'),
  }),
  deleted: record({
    subjectId: id,
    kind: z.enum(['set', 'yearGroup', 'teacher', 'scheme', 'assessment', 'terminalExam', 'subject']),
    name: z.string(),
  }),
};
