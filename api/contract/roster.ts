/** Requests about the students of a subject, and what an import of them would do. */
import { z } from 'zod';
import { admissionNo, fileName, id, isInCalendar, isoDate, label, personName } from './fields.ts';

const dateOfBirth = isoDate.refine(isInCalendar, 'The year must be between 1000 and 3000').nullable();
export const addStudent = z.strictObject({ subjectId: id, setId: id, admissionNo, name: personName, dateOfBirth });
/** The edits in a table of students, applied together or not at all. */
export const changeStudents = z.strictObject({
  subjectId: id,
  changes: z
    .array(
      z.strictObject({
        studentId: id,
        /** as it is to be; left out: as it is */
        details: z.strictObject({ admissionNo, name: personName, dateOfBirth }).optional(),
        /** As it was when the table was shown: refused where somebody else changed it since. */
        was: z.strictObject({ admissionNo: z.string(), name: z.string(), dateOfBirth: z.string().nullable() }).optional(),
        place: z.union([z.strictObject({ setId: id }), z.enum(['off-roll', 'removed'])]).optional(),
      }),
    )
    .min(1)
    .max(2_000),
});
/** `commandId`: of a command that changed students, as it was answered. */
export const undoRosterChange = z.strictObject({ subjectId: id, commandId: id });
export const importStudents = z.strictObject({
  subjectId: id,
  fileName,
  /** Sets by name, as in the file; Off-Roll takes a student off roll. */
  rows: z
    .array(
      z.strictObject({
        admissionNo,
        name: personName,
        set: label,
        dateOfBirth,
        /** Where the student is known with another name or date of birth: which of them counts. Left out: see `correct`. */
        details: z.enum(['file', 'stored']).optional(),
      }),
    )
    .min(1)
    .max(5_000),
  /** What becomes of students of the subject who are not in the file. */
  others: z.enum(['keep', 'off-roll', 'remove']).default('keep'),
  /** Students whose name or date of birth the file changes: change them (else they are refused and listed). */
  correct: z.boolean().default(false),
  /** What a preview answered: the file is refused where the students are not what that preview stood on. */
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
    /**
     * `missing`: there is no such set, and nothing else is said about the student. `left-out`: off roll in the file, and not in the subject
     * anyway.
     */
    readonly change: 'added' | 'enrolled' | 'moved' | 'off-roll' | 'left-out' | 'same' | 'missing';
    /** for students who are moved or taken off roll: the present set, or Off-Roll */
    readonly from: string | null;
    /** Name and date of birth as they are stored, where they differ; `counts`: which of them will, null: that is asked. */
    readonly stored: {
      readonly name: string;
      readonly dateOfBirth: string | null;
      readonly counts: 'file' | 'stored' | null;
    } | null;
  }[];
  /** of the file, each once */
  readonly missingSets: readonly string[];
  /** Students of the subject who are not in the file, and what becomes of them. */
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
