/** Requests about the students of a subject, and the preview of an import. */
import { z } from 'zod';
import { admissionNo, fileName, id, isInCalendar, isoDate, label, personName, personNameInFile } from '../contract/fields.ts';

const dateOfBirth = isoDate.refine(isInCalendar, 'The year must be between 1000 and 3000').nullable();
export const addStudent = z.strictObject({ subjectId: id, setId: id, admissionNo, name: personName, dateOfBirth });
/** The edits in a table of students, applied together or not at all. */
export const changeStudents = z.strictObject({
  subjectId: id,
  changes: z
    .array(
      z.strictObject({
        studentId: id,
        /** new details; left out: no change */
        details: z.strictObject({ admissionNo, name: personName, dateOfBirth }).optional(),
        /** The details when the table was loaded: refused if somebody else has changed them since. */
        was: z.strictObject({ admissionNo: z.string(), name: z.string(), dateOfBirth: z.string().nullable() }).optional(),
        place: z.union([z.strictObject({ setId: id }), z.enum(['off-roll', 'removed'])]).optional(),
      }),
    )
    .min(1)
    .max(2_000),
});
/** `commandId`: from the response to the command that changed students. */
export const undoRosterChange = z.strictObject({ subjectId: id, commandId: id });
export const importStudents = z.strictObject({
  subjectId: id,
  fileName,
  /** Sets by name, as in the file; Off-Roll takes a student off roll. */
  rows: z
    .array(
      z.strictObject({
        admissionNo,
        name: personNameInFile,
        set: label,
        dateOfBirth,
        /** If the student is known with another name or date of birth: which version counts. Left out: see `correct`. */
        details: z.enum(['file', 'stored']).optional(),
      }),
    )
    .min(1)
    .max(5_000),
  /** What happens to students of the subject who are not in the file. */
  others: z.enum(['keep', 'off-roll', 'remove']).default('keep'),
  /** Whether to change names and dates of birth that differ from the file (else the file is refused, and they are listed). */
  correct: z.boolean().default(false),
  /** `seen` of the preview: the file is refused if the students have changed since. */
  seen: z.string().max(100).optional(),
});

/** POST /api/queries/preview-students: what ImportStudents with the same input would do. */
export type ImportPreview = {
  /** in the file's order */
  readonly rows: readonly {
    readonly admissionNo: string;
    readonly name: string;
    readonly dateOfBirth: string | null;
    readonly set: string;
    /** `missing`: no such set; nothing else is known about the row. `left-out`: off roll in the file, and not in the subject. */
    readonly change: 'added' | 'enrolled' | 'moved' | 'off-roll' | 'left-out' | 'same' | 'missing';
    /** for students who are moved or taken off roll: the current set, or Off-Roll */
    readonly from: string | null;
    /** The stored name and date of birth, if they differ; `counts`: which version will count, null: the user must choose. */
    readonly stored: {
      readonly name: string;
      readonly dateOfBirth: string | null;
      readonly counts: 'file' | 'stored' | null;
    } | null;
  }[];
  /** names of sets in the file that do not exist, each once */
  readonly missingSets: readonly string[];
  /** Students of the subject who are not in the file, and what happens to them. */
  readonly others: readonly {
    readonly studentId: string;
    readonly admissionNo: string;
    readonly name: string;
    readonly set: string;
    readonly becomes: 'kept' | 'off-roll' | 'removed';
  }[];
  readonly counts: ImportCounts;
  /** To be sent with the import. */
  readonly seen: string;
};

export type ImportCounts = {
  readonly added: number;
  readonly enrolled: number;
  readonly moved: number;
  readonly corrected: number;
  readonly offRolled: number;
  readonly removed: number;
};
