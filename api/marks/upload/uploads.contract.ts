/** Requests and responses about uploads of marks: their previews, and the list of the newest. */
import { AWAYS } from '../../contract/attendance.ts';
import { z } from 'zod';
import type { Answer } from '../../contract/answer.ts';
import { instant, leftOut } from '../../contract/answer.ts';
import { admissionNo, admissionNoInFile, fileName, id, isoDate } from '../../contract/fields.ts';
import { MAX_LABEL, MAX_QUESTIONS, MAX_TESTS, MAX_UPLOAD_ROWS, messages } from '../../contract/limits.ts';
import { casesOf, studentDoubts } from '../../students/plausible.contract.ts';
import { value, valuesSeen } from '../marks.contract.ts';

const mark = z.int(messages.nonNumeric).min(0, messages.nonNumeric).nullable();
/** In place of what somebody would have in a test, had they sat it. */
const away = z.enum(AWAYS);

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

/** The day on which the assessments of a file were sat; left out: it does not say. Not in the future, by the time of the request. */
const satOn = z.iso.date('There is no such day. A date is written as 2026-01-31.').optional();

/** The rows of a totals file, and for each class the test of each column. `absent` or `exempt` is the student's attendance in that test. */
export const totalsFile = z.strictObject({
  subjectId: id,
  classes: z.array(z.strictObject({ setId: id, testIds: z.array(id).max(MAX_TESTS, messages.tooManyTests) })).max(MOST_SETS),
  rows: z
    .array(
      z.strictObject({
        admissionNo: admissionNoInFile,
        name: z.string().max(MAX_LABEL),
        totals: z.array(z.union([mark, away], messages.nonNumeric)).max(MAX_TESTS),
      }),
    )
    .min(1)
    .max(MAX_UPLOAD_ROWS),
  satOn,
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
    .array(
      z.strictObject({
        admissionNo: admissionNoInFile,
        name: z.string().max(MAX_LABEL),
        marks: z.array(mark).max(MAX_QUESTIONS),
        /** The student's attendance, in place of marks. */
        away: away.optional(),
      }),
    )
    .min(1)
    .max(MAX_UPLOAD_ROWS),
  satOn,
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
const unmatched = z.array(
  z.object({
    admissionNo: z.string(),
    name: z.string(),
    offRoll: z.literal(true).exactOptional().describe('A student of the subject who is off roll, in no class.'),
  }),
);
const uploadClasses = z.object({
  classes: z.array(
    z.object({
      setId: id,
      name: z.string(),
      year: z.int(),
      students: z.int().describe('Students of the file in this set.'),
      mayWrite: z.boolean(),
      testIds: z.array(id).describe("Assessments to choose from, the set's own first."),
    }),
  ),
  unmatched,
});
export type UploadClasses = Answer<typeof uploadClasses>;
export type Unmatched = UploadClasses['unmatched'][number];

const cellChange = z
  .enum(['equal', 'new', 'replaced', 'contested'])
  .describe(
    "equal: the file has the stored value, and confirms it. new: the cell is empty. replaced: the stored value is replaced. contested: several values are stored; the file's value is added to them, or decides if the user ticks the cell.",
  );
export type CellChange = z.infer<typeof cellChange>;
const previewCell = z.object({
  column: z.int().describe('From 0: totals[column] or marks[column] of the row.'),
  is: z.union([z.int(), away]),
  now: z.array(value).describe('The values in the cell now: none, one, or several if it is contested.'),
  change: cellChange,
});
export type PreviewCell = Answer<typeof previewCell>;
const doubts = z.object({
  ...studentDoubts,
  sums: casesOf(
    z.object({
      admissionNo: z.string(),
      name: z.string(),
      test: z.string(),
      total: z.int(),
      sum: z.int().describe('Of the marks of all its questions.'),
    }),
    'Students whose total in an assessment is not the sum of their question marks: either of them in the file, the other as it stands.',
  ),
});
export type UploadDoubts = Answer<typeof doubts>;
/** POST /api/queries/preview-totals, /api/queries/preview-marks. */
const uploadPreview = z.object({
  students: z.array(
    z.object({
      studentId: id,
      admissionNo: z.string(),
      name: z.string(),
      setId: id,
      setName: z.string(),
      cells: z.array(previewCell),
      blanks: z
        .object({ row: z.int().describe('Of the file, from 0.'), columns: z.array(z.int()) })
        .exactOptional()
        .describe('Of a marks file: columns without a mark, in the file or stored, of a student who sat it and has marks for others.'),
    }),
  ),
  unmatched,
  counts: z.object({ equal: z.int(), new: z.int(), replaced: z.int(), contested: z.int() }),
  rankings: z.int().describe('How many feedback tasks rank a student by a total that would be added or replaced: they would show that.'),
  repeats: z.boolean().describe('The file repeats an upload of the same author that still stands: nothing would be stored.'),
  questionIds: z.array(id).describe('Of a marks file: the question of each column, to be sent along with the upload.'),
  doubts: doubts.exactOptional().describe('What looks wrong about the file, though nothing of it is refused; absent: nothing does.'),
});
export type UploadPreview = Answer<typeof uploadPreview>;

/** Response to UploadTotals and UploadMarks. */
const uploaded = z.object({
  entryId: id,
  commandId: id,
  stored: z.int().describe("Number of cells in which the file's value was stored."),
  confirmed: z.int().describe("Number of cells that held the file's value already: it is now stored as entered by this author too."),
  unchanged: z
    .int()
    .describe('Number of cells in which nothing was stored, because the file repeats an upload of the same author that still stands.'),
  unmatched,
  leftOut: leftOut('unchanged', 'unmatched'),
});
export type Uploaded = Answer<typeof uploaded>;

const recentUploads = z.object({
  uploads: z.array(
    z.object({
      entryId: id,
      commandId: id,
      kind: z.enum(['totals', 'marks']),
      fileName: z.string().nullable().describe('null: the person who uploaded it was forgotten'),
      tests: z.array(z.object({ testId: id, name: z.string() })),
      sets: z.array(z.string()),
      cells: z.int(),
      confirmed: z.int().describe('of these cells, how many held the value already'),
      students: z.int(),
      at: instant,
      satOn: isoDate.nullable().describe('The day that it says its assessments were sat on; null: it says none.'),
      by: z.string().nullable(),
      undone: z.boolean(),
      mayUndo: z.boolean().describe('Or redo, where it is undone.'),
      whyNot: z
        .string()
        .nullable()
        .describe("For its author, why they may not: a sentence that says who can. null: they may, or it is somebody else's."),
    }),
  ),
  next: id.nullable().describe('`before` of the next page; null: this is the last one'),
});
export type RecentUploads = Answer<typeof recentUploads>;

export const uploadsCommands = {
  UploadTotals: { input: uploadTotals, result: uploaded },
  UploadMarks: { input: uploadMarks, result: uploaded },
};

export const uploadsQueries = {
  'upload-classes': { input: uploadStudents, answer: uploadClasses },
  'preview-totals': { input: totalsFile, answer: uploadPreview },
  'preview-marks': { input: marksFile, answer: uploadPreview },
  /** The newest 50 uploads of a subject that the reader may see. */
  uploads: {
    input: z.object({
      subjectId: id,
      /** only those with marks of students who are in this set now */
      setId: id.optional(),
      /** the next page: `next` of the page before */
      before: id.optional(),
    }),
    answer: recentUploads,
  },
};
