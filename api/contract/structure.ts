/** Requests that shape the school, and the answers that show its shape. */
import { z } from 'zod';
import { admissionNo, email, fileName, id, isInCalendar, isoDate, label, password, personName } from './fields.ts';

// School and accounts
export const openSchool = z.strictObject({ name: label });
export const renameSchool = z.strictObject({ name: label });
export const staffRole = z.enum(['admin', 'leader', 'teacher', 'auditor'], 'Select a role');
const teacherLinks = z.array(z.strictObject({ subjectId: id, teacherId: id }));
export const openStaffAccount = z.strictObject({ name: personName, email, password, role: staffRole, teachers: teacherLinks.default([]) });
export const changeStaffRole = z.strictObject({ accountId: id, role: staffRole });
export const linkTeacher = z.strictObject({ accountId: id, teachers: teacherLinks });
export const closeStaffAccount = z.strictObject({ accountId: id });
export const openStudentAccount = z.strictObject({ studentId: id, name: personName, email, password });
export const closeStudentAccount = z.strictObject({ accountId: id });

// Forgetting: for ever
export const forgetStudent = z.strictObject({ studentId: id });
export const forgetStaffAccount = z.strictObject({ accountId: id });
export const forgetStudentAccount = z.strictObject({ accountId: id });
export const forgetTeacher = z.strictObject({ subjectId: id, teacherId: id });

// Subject
const year = z
  .int('The value must be an integer number')
  .min(1, 'The value must be greater than zero')
  .max(98, 'Year 99 is kept for Off-Roll');
const percent = z.int().min(0).max(100);
export const addSubject = z.strictObject({ name: label });
export const renameSubject = z.strictObject({ subjectId: id, name: label });
export const addYearGroup = z.strictObject({ subjectId: id, year });
export const renameYearGroup = z.strictObject({ subjectId: id, yearGroupId: id, year });
export const deleteYearGroup = z.strictObject({ subjectId: id, yearGroupId: id });
export const addSet = z.strictObject({ subjectId: id, yearGroupId: id, name: label, schemeId: id });
export const renameSet = z.strictObject({ subjectId: id, setId: id, name: label });
export const chooseSetScheme = z.strictObject({ subjectId: id, setId: id, schemeId: id });
export const chooseSetAssessments = z.strictObject({ subjectId: id, setId: id, testIds: z.array(id).max(200) });
export const changeSetThresholds = z.strictObject({
  subjectId: id,
  setId: id,
  thresholds: z.strictObject({ red: percent, amber: percent, green: percent }),
});
export const deleteSet = z.strictObject({ subjectId: id, setId: id });
export const addTeacher = z.strictObject({ subjectId: id, name: personName });
export const renameTeacher = z.strictObject({ subjectId: id, teacherId: id, name: personName });
export const assignTeacherSets = z.strictObject({ subjectId: id, teacherId: id, setIds: z.array(id).max(500) });
export const removeTeacher = z.strictObject({ subjectId: id, teacherId: id });
export const addTerminalExam = z.strictObject({
  subjectId: id,
  name: label,
  yearSat: z.int('The value must be an integer number').min(1, 'The value must be greater than zero').max(9_999),
});
export const removeTerminalExam = z.strictObject({ subjectId: id, terminalExamId: id });

// Scheme of work, assessment
export const addScheme = z.strictObject({ subjectId: id, name: label });
export const renameScheme = z.strictObject({ schemeId: id, name: label });
export const uploadSchemeTopics = z.strictObject({ schemeId: id, topics: z.array(label).max(1_000) });
export const createAssessment = z.strictObject({ subjectId: id, name: label });
export const renameAssessment = z.strictObject({ testId: id, name: label });
export const showAssessment = z.strictObject({ testId: id, visible: z.boolean() });
const questionMark = z
  .int('Max mark needs to be an integer greater than 0. Please check your upload file.')
  .min(1, 'Max mark needs to be an integer greater than 0. Please check your upload file.')
  .max(1_000);
export const uploadQuestions = z.strictObject({
  testId: id,
  questions: z
    .array(z.strictObject({ number: z.int(), topic: z.string().trim().min(1, 'Required.').max(500), marksAvailable: questionMark }))
    .min(1)
    .max(50),
});

// Roster
const dateOfBirth = isoDate.refine(isInCalendar, 'The year must be between 1000 and 3000').nullable();
export const addStudent = z.strictObject({ subjectId: id, setId: id, admissionNo, name: personName, dateOfBirth });
export const correctStudent = z.strictObject({ studentId: id, admissionNo, name: personName, dateOfBirth });
export const moveStudent = z.strictObject({ subjectId: id, studentId: id, setId: id });
export const takeOffRoll = z.strictObject({ subjectId: id, studentId: id });
export const removeStudent = z.strictObject({ subjectId: id, studentId: id });
export const importStudents = z.strictObject({
  subjectId: id,
  fileName,
  /** Sets by name, as in the file. */
  rows: z
    .array(z.strictObject({ admissionNo, name: personName, set: label, dateOfBirth }))
    .min(1)
    .max(5_000),
  /** What becomes of students of the subject who are not in the file. */
  others: z.enum(['keep', 'off-roll', 'remove']).default('keep'),
  /** Students whose name or date of birth the file changes: change them (else they are refused and listed). */
  correct: z.boolean().default(false),
});

/** GET /api/queries/me */
export type Me = {
  readonly accountId: string;
  readonly name: string;
  readonly email: string;
  readonly role: 'admin' | 'leader' | 'teacher' | 'student' | 'auditor';
  readonly school: { readonly schoolId: string; readonly name: string };
  /** The subjects that he works in (staff), the first by default. */
  readonly subjects: readonly { readonly subjectId: string; readonly name: string }[];
  /** Through whose eyes he looks (X-View-As); of a student, once one was chosen, which. His rights are his own all the same. */
  readonly viewAs?: { readonly role: string; readonly studentId?: string; readonly name?: string };
};

/** GET /api/queries/structure?subjectId=: what the reader may see of it. */
export type Structure = {
  readonly subject: { readonly subjectId: string; readonly name: string };
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
