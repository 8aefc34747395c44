/** Requests and responses about the structure of a school: school, subjects, year groups, terminal exams, schemes of work. */
import { z } from 'zod';
import { id, label, schoolName } from '../contract/fields.ts';
import { MAX_SCHEME_TOPICS } from '../contract/limits.ts';

// School
export const openSchool = z.strictObject({ name: schoolName });
export const renameSchool = z.strictObject({ name: schoolName });
export const openStructureToLeaders = z.strictObject({ open: z.boolean() });
const year = z
  .int('The value must be an integer number')
  .min(1, 'The value must be greater than zero')
  .max(99, 'The value must be less than 99')
  .refine((year) => year !== 99, 'Year 99 is kept for Off-Roll');

// Subject
export const addSubject = z.strictObject({ name: label });
export const renameSubject = z.strictObject({ subjectId: id, name: label });
export const removeSubject = z.strictObject({ subjectId: id });
export const restoreSubject = removeSubject;
export const addYearGroup = z.strictObject({ subjectId: id, year });
export const renameYearGroup = z.strictObject({ subjectId: id, yearGroupId: id, year });
export const deleteYearGroup = z.strictObject({ subjectId: id, yearGroupId: id });
export const addTerminalExam = z.strictObject({
  subjectId: id,
  name: label,
  yearSat: z.int('The value must be an integer number').min(1, 'The value must be greater than zero').max(9_999),
});
export const removeTerminalExam = z.strictObject({ subjectId: id, terminalExamId: id });

// Scheme of work
export const addScheme = z.strictObject({ subjectId: id, name: label, topics: z.array(label).max(MAX_SCHEME_TOPICS).default([]) });
/** The topics in order: one without an id is new, one that is left out is removed. */
export const changeScheme = z.strictObject({
  schemeId: id,
  name: label,
  topics: z.array(z.strictObject({ topicId: id.optional(), name: label })).max(MAX_SCHEME_TOPICS),
});
export const deleteScheme = z.strictObject({ schemeId: id });

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
