/** Requests and responses about uploads of marks, with their previews. */
import { z } from 'zod';
import { admissionNo, admissionNoInFile, fileName, id } from '../contract/fields.ts';
import { MAX_LABEL, MAX_QUESTIONS, MAX_TESTS, MAX_UPLOAD_ROWS, messages } from '../contract/limits.ts';
import type { Value } from '../marks/marks.contract.ts';
import { valuesSeen } from '../marks/marks.contract.ts';

const mark = z.int(messages.nonNumeric).min(0, messages.nonNumeric).nullable();

/** What the user saw in a cell that was not empty: the student, the column from 0, and the value (several if it was contested). */
const seenCell = z.strictObject({
  admissionNo,
  column: z
    .int()
    .min(0)
    .max(MAX_QUESTIONS - 1),
  values: valuesSeen.min(1),
});
export type SeenCell = z.infer<typeof seenCell>;

/** in a file */
const MOST_CELLS = MAX_UPLOAD_ROWS * MAX_QUESTIONS;
/** in a subject */
const MOST_SETS = 1_000;

const seen = {
  /** After a preview: every cell that was not empty there. Left out: the current values of the read model. */
  saw: z.array(seenCell).max(MOST_CELLS).optional(),
  /** Contested cells that the user ticked: this upload decides them. */
  decides: z
    .array(z.strictObject({ admissionNo, column: z.int().min(0) }))
    .max(MOST_CELLS)
    .optional(),
};

/** The rows of a totals file, and for each class the test of each column. */
export const totalsFile = z.strictObject({
  subjectId: id,
  classes: z.array(z.strictObject({ setId: id, testIds: z.array(id).max(MAX_TESTS, messages.tooManyTests) })).max(MOST_SETS),
  rows: z
    .array(z.strictObject({ admissionNo: admissionNoInFile, name: z.string().max(MAX_LABEL), totals: z.array(mark).max(MAX_TESTS) }))
    .min(1)
    .max(MAX_UPLOAD_ROWS),
});
export const uploadTotals = totalsFile.extend({ fileName, ...seen });
export type TotalsFile = z.infer<typeof totalsFile>;
export type UploadTotals = z.infer<typeof uploadTotals>;

/** The results file of one test: marks[i] is the mark of question i + 1. `setIds`: the selected group, or all classes of the year group. */
export const marksFile = z.strictObject({
  subjectId: id,
  testId: id,
  setIds: z.array(id).min(1).max(MOST_SETS),
  rows: z
    .array(z.strictObject({ admissionNo: admissionNoInFile, name: z.string().max(MAX_LABEL), marks: z.array(mark).max(MAX_QUESTIONS) }))
    .min(1)
    .max(MAX_UPLOAD_ROWS),
});
export const uploadMarks = marksFile.extend({
  fileName,
  ...seen,
  /** After a preview: its `questionIds`. Refused if another question stands under one of these numbers now. */
  questionIds: z.array(id).max(MAX_QUESTIONS).optional(),
});
export type MarksFile = z.infer<typeof marksFile>;
export type UploadMarks = z.infer<typeof uploadMarks>;

/** POST /api/queries/upload-classes: the students and classes in the file, before tests are chosen. */
export const uploadStudents = z.strictObject({
  subjectId: id,
  students: z
    .array(z.strictObject({ admissionNo: admissionNoInFile, name: z.string().max(MAX_LABEL) }))
    .min(1)
    .max(MAX_UPLOAD_ROWS),
});
export type UploadClasses = {
  readonly classes: readonly {
    readonly setId: string;
    readonly name: string;
    readonly year: number;
    /** Students of the file in this set. */
    readonly students: number;
    readonly mayWrite: boolean;
    /** Assessments to choose from, the set's own first. */
    readonly testIds: readonly string[];
  }[];
  readonly unmatched: readonly Unmatched[];
};
export type Unmatched = { readonly admissionNo: string; readonly name: string };

/**
 * equal: the file has the stored value, and confirms it. new: the cell is empty. replaced: the stored value is replaced. contested: several values are
 * stored; the file's value is added to them, or decides if the user ticks the cell.
 */
export type CellChange = 'equal' | 'new' | 'replaced' | 'contested';
export type PreviewCell = {
  /** from 0: totals[column] or marks[column] of the row */
  readonly column: number;
  readonly is: number;
  /** The values in the cell now: none, one, or several if it is contested. */
  readonly now: readonly Value[];
  readonly change: CellChange;
};
/** POST /api/queries/preview-totals, /api/queries/preview-marks. */
export type UploadPreview = {
  readonly students: readonly {
    readonly studentId: string;
    readonly admissionNo: string;
    readonly name: string;
    readonly setId: string;
    readonly setName: string;
    readonly cells: readonly PreviewCell[];
  }[];
  readonly unmatched: readonly Unmatched[];
  readonly counts: Readonly<Record<CellChange, number>>;
  /** The file repeats an upload of the same author that still stands: nothing would be stored. */
  readonly repeats: boolean;
  /** Of a marks file: the question of each column, to be sent along with the upload. */
  readonly questionIds: readonly string[];
};

/** Response to UploadTotals and UploadMarks. */
export type Uploaded = {
  readonly entryId: string;
  readonly commandId: string;
  /** Number of cells in which the file's value was stored. */
  readonly stored: number;
  /** Number of cells that held the file's value already: it is now stored as entered by this author too. */
  readonly confirmed: number;
  /** Number of cells in which nothing was stored, because the file repeats an upload of the same author that still stands. */
  readonly unchanged: number;
  readonly unmatched: readonly Unmatched[];
};

/** GET /api/queries/uploads: the newest 50 uploads of a subject that the reader may see. */
export const uploadsAsked = z.object({
  subjectId: id,
  /** only those with marks of students who are in this set now */
  setId: id.optional(),
  /** the next page: `next` of the page before */
  before: id.optional(),
});

export type RecentUploads = {
  readonly uploads: readonly {
    readonly entryId: string;
    readonly commandId: string;
    readonly kind: 'totals' | 'marks';
    /** null: the person who uploaded it was forgotten */
    readonly fileName: string | null;
    readonly tests: readonly { readonly testId: string; readonly name: string }[];
    readonly sets: readonly string[];
    readonly cells: number;
    /** of these cells, how many held the value already */
    readonly confirmed: number;
    readonly students: number;
    /** ISO instant */
    readonly at: string;
    readonly by: string | null;
    readonly undone: boolean;
    /** Or redo, where it is undone. */
    readonly mayUndo: boolean;
    /** To its author, why he may not: a sentence that says who can. null: he may, or it is somebody else's. */
    readonly whyNot: string | null;
  }[];
  /** `before` of the next page; null: this is the last one */
  readonly next: string | null;
};
