/** Requests and responses about marks: typed saves, decisions, undo, the markbook. */
import { z } from 'zod';
import { id, isInCalendar } from '../contract/fields.ts';

/** Integers, 'cleared', or (attendance) 'sat', 'absent', 'exempt'. */
export const value = z.union([z.int(), z.enum(['cleared', 'sat', 'absent', 'exempt'])]);
export type Value = z.infer<typeof value>;

/** What the author saw in a cell: one value, or each value of a contested cell. Stored with the change. */
export const valuesSeen = z.array(value).max(100);

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
