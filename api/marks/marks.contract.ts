/** Requests and responses about marks: uploads with their previews, typed saves, decisions, undo. */
import { z } from 'zod';
import { admissionNo, admissionNoInFile, fileName, id, isInCalendar } from '../contract/fields.ts';
import { MAX_LABEL, MAX_QUESTIONS, MAX_TESTS, MAX_UPLOAD_ROWS, messages } from '../contract/limits.ts';

/** Integers, 'cleared', or (attendance) 'sat', 'absent', 'exempt'. */
export const value = z.union([z.int(), z.enum(['cleared', 'sat', 'absent', 'exempt'])]);
export type Value = z.infer<typeof value>;

/** What the author saw in a cell: one value, or each value of a contested cell. Stored with the change. */
const valuesSeen = z.array(value).max(100);

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

const cell = {
  studentId: id,
  testId: id,
  /** a question's mark; left out: the total, or (attendance) the student's attendance */
  questionId: id.optional(),
  attendance: z.boolean().optional(),
};

/** One save of a grid. `was`: what the author saw in the cell ([]: empty); if left out, the value in the read model. */
export const enterMarks = z.strictObject({
  entryId: id,
  subjectId: id,
  seq: z.int().min(1),
  /** When it was typed, for a save that waited offline. Recorded as within the last 30 days; another claim is kept beside it. */
  typedAt: z.iso.datetime().refine(isInCalendar, 'The year must be between 1000 and 3000').optional(),
  cells: z
    .array(z.strictObject({ ...cell, is: value, was: valuesSeen.optional() }))
    .min(1)
    .max(20_000),
});
export type EnterMarks = z.infer<typeof enterMarks>;
export type Refusal = 'unknown-student' | 'unknown-question' | 'not-your-set' | 'above-maximum' | 'not-a-mark';
export type MarksEnteredAnswer = {
  /** For undoing the save; null: it changed nothing. */
  readonly commandId: string | null;
  readonly stored: number;
  readonly refused: readonly {
    readonly studentId: string;
    readonly testId: string;
    readonly questionId?: string;
    readonly is: Value;
    readonly reason: Refusal;
    readonly message: string;
  }[];
};

/** Decides a contested cell: `is` counts, `was` are the values that the author saw. */
export const decideMark = z.strictObject({ entryId: id, subjectId: id, ...cell, is: value, was: valuesSeen.min(1) });
export type DecideMark = z.infer<typeof decideMark>;

/** UndoCommand and RedoCommand: one command of an entry. */
export const undoCommand = z.strictObject({ entryId: id, commandId: id });
export type UndoCommand = z.infer<typeof undoCommand>;
/** `anyway`: also where marks would come back above today's maximum; without it that is asked first (`answers-needed`). */
export const redoCommand = undoCommand.extend({ anyway: z.boolean().default(false) });
export type RedoCommand = z.infer<typeof redoCommand>;

/** Response to UndoCommand and RedoCommand. */
export type Turned = {
  readonly undone: boolean;
  /** Number of cells of the command: the three below together. */
  readonly cells: number;
  /** Cells whose value nobody else entered: gone with the undo, back with the redo. */
  readonly own: number;
  /** Cells whose value others entered too: it counts, undone or not. */
  readonly shared: number;
  /** Cells whose value was replaced since. */
  readonly replaced: number;
  /** Who entered the shared values. `name` null: forgotten. `you`: another upload or save of the reader. */
  readonly alsoBy: readonly { readonly name: string | null; readonly you: boolean }[];
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

/** GET /api/queries/markbook?yearGroupId=: everybody on roll in the year group, columns parallel to `tests`. */
export type Markbook = {
  readonly yearGroupId: string;
  readonly year: number;
  readonly subject: { readonly subjectId: string; readonly name: string };
  readonly sets: readonly { readonly setId: string; readonly name: string; readonly mayWrite: boolean }[];
  readonly tests: readonly {
    readonly testId: string;
    readonly name: string;
    /** null: no questions yet */
    readonly max: number | null;
    /** Of the effective totals of the students who sat; the SD is that of a sample. null: nobody has a total. */
    readonly mean: number | null;
    readonly sd: number | null;
    readonly count: number;
  }[];
  readonly students: readonly {
    readonly studentId: string;
    readonly admissionNo: string | null;
    /** null: forgotten */
    readonly name: string | null;
    readonly setId: string;
    readonly totals: readonly MarkbookTotal[];
  }[];
};
export type MarkbookTotal = {
  /** The total entered by staff, else the sum of the question marks if every question has one. null: neither, or absent or exempt. */
  readonly total: number | null;
  readonly source: 'total' | 'marks' | null;
  readonly attendance: 'sat' | 'absent' | 'exempt';
  /** The total entered by staff, or one of the question marks, is contested. */
  readonly contested: boolean;
  /** The total entered by staff, or one of the question marks, is above the maximum that the test or question has now. */
  readonly aboveMaximum: boolean;
};

/** GET /api/queries/cell?testId=&studentId=[&questionId=|&attendance=true]: a cell's history, oldest first. */
export type CellHistory = {
  readonly reading:
    | { readonly state: 'empty' }
    | { readonly state: 'counts'; readonly value: Value }
    | { readonly state: 'contested'; readonly value: Value; readonly values: readonly Value[] };
  readonly mayWrite: boolean;
  readonly max: number | null;
  /** Marks that count in it and are above the maximum of now: of a question, or (questionId null) the total. Of a total: those of its questions too. */
  readonly above: readonly {
    readonly questionId: string | null;
    readonly number: number | null;
    readonly mark: number;
    readonly max: number;
  }[];
  readonly changes: readonly {
    readonly is: Value;
    readonly was: readonly Value[];
    readonly at: string;
    readonly by: string | null;
    readonly how: 'upload' | 'typed' | 'decided';
    readonly fileName: string | null;
    readonly entryId: string;
    readonly commandId: string;
    readonly undone: boolean;
    /** Counts now: neither undone nor covered by a later change. */
    readonly head: boolean;
    /** Said again what stood there. */
    readonly agrees: boolean;
    /** Covered by a later change that says the same. */
    readonly confirmed: boolean;
  }[];
};
