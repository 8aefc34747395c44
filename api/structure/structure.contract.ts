/** Requests and responses about the structure of a school, without its students. */
import { z } from 'zod';
import type { HeldQuestion } from '../assessments/identity-of-questions.contract.ts';
import { accountName, email, id, label, line, password, personName, schoolName } from '../contract/fields.ts';
import { MAX_MARK, MAX_QUESTIONS, MAX_SCHEME_TOPICS, MAX_TOPIC } from '../contract/limits.ts';
import { isOffRoll } from '../roster/off-roll.contract.ts';

// School and accounts
export const openSchool = z.strictObject({ name: schoolName });
export const renameSchool = z.strictObject({ name: schoolName });
export const openStructureToLeaders = z.strictObject({ open: z.boolean() });
export const staffRole = z.enum(['admin', 'leader', 'teacher', 'auditor'], 'Select a role');
const teacherLinks = z.array(z.strictObject({ subjectId: id, teacherId: id }));
export const openStaffAccount = z.strictObject({ name: accountName, email, password, role: staffRole, teachers: teacherLinks.default([]) });
/** Given by an admin; fields that are left out do not change. */
export const changeStaffAccount = z.strictObject({
  accountId: id,
  email: email.optional(),
  role: staffRole.optional(),
  teachers: teacherLinks.optional(),
});
export const closeStaffAccount = z.strictObject({ accountId: id });
export const openStudentAccount = z.strictObject({ studentId: id, name: accountName, email, password });
export const closeStudentAccount = z.strictObject({ accountId: id });

// Forgetting, which cannot be undone
export const forgetStudent = z.strictObject({ studentId: id });
export const forgetStaffAccount = z.strictObject({ accountId: id });
export const forgetStudentAccount = z.strictObject({ accountId: id });
export const forgetTeacher = z.strictObject({ subjectId: id, teacherId: id });

// Subject
const NO_SET_OFF_ROLL = 'Off-Roll is no set: students are moved there under Student Details, or by a file of students.';
const year = z
  .int('The value must be an integer number')
  .min(1, 'The value must be greater than zero')
  .max(99, 'The value must be less than 99')
  .refine((year) => year !== 99, 'Year 99 is kept for Off-Roll');
const setName = label.refine((name) => !isOffRoll(name), NO_SET_OFF_ROLL);
const percent = z.int().min(0).max(100);
export const addSubject = z.strictObject({ name: label });
export const renameSubject = z.strictObject({ subjectId: id, name: label });
export const removeSubject = z.strictObject({ subjectId: id });
export const restoreSubject = removeSubject;
export const addYearGroup = z.strictObject({ subjectId: id, year });
export const renameYearGroup = z.strictObject({ subjectId: id, yearGroupId: id, year });
export const deleteYearGroup = z.strictObject({ subjectId: id, yearGroupId: id });
export const addSet = z.strictObject({ subjectId: id, yearGroupId: id, name: setName, schemeId: id });
/** The changes of a set; fields that are left out do not change. */
export const changeSet = z.strictObject({
  subjectId: id,
  setId: id,
  name: setName.optional(),
  schemeId: id.optional(),
  testIds: z.array(id).max(200).optional(),
  thresholds: z.strictObject({ red: percent, amber: percent, green: percent }).optional(),
});
/** Several sets by name, for an import that needs them. `testIds`: the assessments of each of them. */
export const addSets = z.strictObject({
  subjectId: id,
  yearGroupId: id,
  names: z.array(setName).min(1).max(200),
  schemeId: id,
  testIds: z.array(id).max(200).default([]),
});
export const deleteSets = z.strictObject({ subjectId: id, setIds: z.array(id).min(1).max(200) });
export const deleteSet = z.strictObject({ subjectId: id, setId: id });
export const addTeacher = z.strictObject({ subjectId: id, name: personName });
/** The changes of a teacher; fields that are left out do not change. */
export const changeTeacher = z.strictObject({
  subjectId: id,
  teacherId: id,
  name: personName.optional(),
  setIds: z.array(id).max(500).optional(),
});
export const removeTeacher = z.strictObject({ subjectId: id, teacherId: id });
export const addTerminalExam = z.strictObject({
  subjectId: id,
  name: label,
  yearSat: z.int('The value must be an integer number').min(1, 'The value must be greater than zero').max(9_999),
});
export const removeTerminalExam = z.strictObject({ subjectId: id, terminalExamId: id });

// Scheme of work, assessment
export const addScheme = z.strictObject({ subjectId: id, name: label, topics: z.array(label).max(MAX_SCHEME_TOPICS).default([]) });
/** The topics in order: one without an id is new, one that is left out is removed. */
export const changeScheme = z.strictObject({
  schemeId: id,
  name: label,
  topics: z.array(z.strictObject({ topicId: id.optional(), name: label })).max(MAX_SCHEME_TOPICS),
});
export const deleteScheme = z.strictObject({ schemeId: id });
export const createAssessment = z.strictObject({ subjectId: id, name: label });
export const renameAssessment = z.strictObject({ testId: id, name: label });
export const showAssessment = z.strictObject({ testId: id, visible: z.boolean() });
export const deleteAssessment = z.strictObject({ testId: id });
export const restoreAssessment = z.strictObject({ testId: id });
const TOO_MANY_QUESTIONS = `An assessment has ${MAX_QUESTIONS} questions at most.`;
const questionMark = z
  .int('Max mark needs to be an integer greater than 0. Please check your upload file.')
  .min(1, 'Max mark needs to be an integer greater than 0. Please check your upload file.')
  .max(MAX_MARK);
const questionTopic = line.min(1, 'Required.').max(MAX_TOPIC);
/** The questions when the form was opened or the file was previewed: refused if somebody else has changed them since. */
const paperSeen = z.array(z.strictObject({ questionId: id, topic: z.string(), marksAvailable: z.int() })).optional();
export const uploadQuestions = z.strictObject({
  testId: id,
  questions: z
    .array(z.strictObject({ number: z.int(), topic: questionTopic, marksAvailable: questionMark }))
    .min(1)
    .max(MAX_QUESTIONS, TOO_MANY_QUESTIONS),
  was: paperSeen,
  /**
   * Which question the file means under a number that it changes: the same, one that moved, a removed one that returns (its id); null: another,
   * new one without marks, while the old one is hidden with its marks. Needed where marks or mappings hang on it, else `answers-needed`.
   */
  answers: z
    .array(z.strictObject({ number: z.int(), questionId: id.nullable() }))
    .max(MAX_QUESTIONS)
    .default([]),
});

const markAvailable = z
  .number('The value must be an integer number')
  .int('The value must be an integer number')
  .min(1, 'The value must be greater than zero')
  .max(MAX_MARK, `The value must not be greater than ${MAX_MARK}`);
/** A question of a form, in their new order: the first is question 1. */
const editedQuestion = z.strictObject({ questionId: id.nullable(), topic: questionTopic, marksAvailable: markAvailable });
export const editQuestions = z.strictObject({
  testId: id,
  /**
   * All questions. One keeps its marks whatever of it changes; a removed one brings them back; one without an id is new and has none. One
   * that is left out is hidden with its marks.
   */
  questions: z.array(editedQuestion).max(MAX_QUESTIONS, TOO_MANY_QUESTIONS),
  was: paperSeen,
});
/** `commandId`: from the response to the upload or edit of the questions. */
export const undoQuestions = z.strictObject({ testId: id, commandId: id });

/** GET /api/queries/assessment?testId= */
export type AssessmentContents = {
  readonly testId: string;
  readonly name: string;
  readonly visible: boolean;
  readonly max: number | null;
  /** Names of the sets with this assessment. */
  readonly sets: readonly string[];
  /** Number of students with a total or marks. */
  readonly students: number;
  /** Those on the paper. */
  readonly questions: readonly HeldQuestion[];
  /** Removed ones with marks or mappings, which can be brought back; the newest first. */
  readonly removed: readonly HeldQuestion[];
};

/** GET /api/queries/me */
export type Me = {
  readonly accountId: string;
  readonly name: string;
  readonly email: string;
  readonly role: 'admin' | 'leader' | 'teacher' | 'student' | 'auditor';
  /** `structureOpen`: leaders may change the structure of their own subjects. */
  readonly school: { readonly schoolId: string; readonly name: string; readonly structureOpen: boolean };
  /** The subjects of a member of staff, the first one being the default; those of a student, each with the class. */
  readonly subjects: readonly MySubject[];
  /** The role that the user views as (X-View-As), and the chosen student. The rights are still the user's own. */
  readonly viewAs?: {
    readonly role: string;
    readonly studentId?: string;
    readonly name?: string;
    readonly subjects?: readonly MySubject[];
  };
};
/** `set`: only for a student; null: off roll. */
export type MySubject = { readonly subjectId: string; readonly name: string; readonly set?: string | null };

/** GET /api/queries/students-to-view?find=: the first 50, and how many there are. */
export type StudentsToView = {
  readonly students: readonly { readonly studentId: string; readonly name: string; readonly sets: readonly string[] }[];
  readonly count: number;
};

/** GET /api/queries/structure?subjectId=: the parts that the user may see. */
export type Structure = {
  readonly subject: { readonly subjectId: string; readonly name: string };
  readonly schemes: readonly { readonly schemeId: string; readonly name: string }[];
  readonly yearGroups: readonly {
    readonly yearGroupId: string;
    readonly year: number;
    readonly sets: readonly {
      readonly setId: string;
      readonly name: string;
      readonly students: number;
      readonly mayWrite: boolean;
      readonly testIds: readonly string[];
      readonly thresholds: { readonly red: number; readonly amber: number; readonly green: number };
    }[];
  }[];
  readonly tests: readonly {
    readonly testId: string;
    readonly name: string;
    readonly max: number | null;
    readonly visible: boolean;
    readonly questions: readonly {
      readonly questionId: string;
      readonly number: number;
      readonly topic: string;
      readonly marksAvailable: number;
    }[];
  }[];
};
