/** Requests and responses about marks: typed saves, decisions, undo; the markbook and the history of a cell. */
import { ATTENDANCES } from '../contract/attendance.ts';
import { z } from 'zod';
import { instant, leftOut, namedStudent } from '../contract/answer.ts';
import type { Answer } from '../contract/answer.ts';
import { id, isInCalendar, isoDate } from '../contract/fields.ts';
import { messages } from '../contract/limits.ts';
import { openMarks, totalFlag } from '../contract/total-flag.ts';
import { ENOUGH_PRIOR } from '../prior/prior-score.contract.ts';
import { studentColumns } from './student-columns.contract.ts';

/** A mark or total, 'cleared', or an attendance. */
export const value = z.union([z.int(), z.enum(['cleared', ...ATTENDANCES])], messages.manualNotInteger);
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
const refusal = z.enum(['unknown-student', 'unknown-question', 'not-your-set', 'above-maximum', 'not-a-mark']);
export type Refusal = z.infer<typeof refusal>;
/** So many refused cells are listed: more than a class has marks in most assessments, and a file of rubbish has 20,000. */
export const MOST_REFUSED = 1_000;
const marksEntered = z.object({
  commandId: id.nullable().describe('For undoing the save; null: it changed nothing.'),
  stored: z.int(),
  refusedCount: z.int().describe('How many cells were refused.'),
  refused: z
    .array(
      z.object({
        studentId: id,
        testId: id,
        questionId: id.exactOptional(),
        attendance: z.literal(true).exactOptional(),
        is: value,
        reason: refusal,
        message: z.string(),
      }),
    )
    .describe(`The first ${MOST_REFUSED} of them, in the order of the request: nothing after the last one is known to be stored.`),
  leftOut: leftOut('maximum'),
});
export type MarksEnteredAnswer = Answer<typeof marksEntered>;

/** Decides a contested cell: `is` counts, `was` are the values that the author saw. */
export const decideMark = z.strictObject({ entryId: id, subjectId: id, ...cell, is: value, was: valuesSeen.min(1) });
export type DecideMark = z.infer<typeof decideMark>;
const markDecided = z.object({ decided: z.boolean(), commandId: id.nullable().describe('For undoing it; null: it changed nothing.') });

/** UndoCommand and RedoCommand: one command of an entry. */
const turnCommand = z.strictObject({ entryId: id, commandId: id });
/** `ask`: first, where it would take back more than 100 marks, or any that a ranking rests on (`answers-needed`). Sent again without it. */
export const undoCommand = turnCommand.extend({ ask: z.boolean().default(false) });
export type UndoCommand = z.infer<typeof undoCommand>;
/** `anyway`: also where marks would come back above today's maximum; without it that is asked first (`answers-needed`). */
export const redoCommand = turnCommand.extend({ anyway: z.boolean().default(false) });
export type RedoCommand = z.infer<typeof redoCommand>;

/** Response to UndoCommand and RedoCommand. */
const turned = z.object({
  undone: z.boolean(),
  cells: z.int().describe('Number of cells of the command: the three below together.'),
  own: z.int().describe('Cells whose value nobody else entered: gone with the undo, back with the redo.'),
  shared: z.int().describe('Cells whose value others entered too: it counts, undone or not.'),
  replaced: z.int().describe('Cells whose value was replaced since.'),
  alsoBy: z
    .array(z.object({ name: z.string().nullable(), you: z.boolean() }))
    .describe('Who entered the shared values. `name` null: forgotten. `you`: another upload or save of the reader.'),
  leftOut: leftOut('own', 'shared', 'replaced', 'alsoBy'),
});
export type Turned = Answer<typeof turned>;

export const marksCommands = {
  EnterMarks: { input: enterMarks, result: marksEntered },
  DecideMark: { input: decideMark, result: markDecided },
  UndoCommand: { input: undoCommand, result: turned },
  RedoCommand: { input: redoCommand, result: turned },
};

export const markbookTotal = z.object({
  total: z
    .number()
    .nullable()
    .describe(
      'The total entered by staff, else the sum of the question marks if every question has one. null: neither, or absent or exempt.',
    ),
  source: z.enum(['total', 'marks']).nullable(),
  attendance: z.enum(ATTENDANCES),
  flags: z.array(totalFlag).exactOptional().describe('What is open about it. Left out: nothing.'),
  marked: z
    .object({ questions: z.int(), of: z.int() })
    .exactOptional()
    .describe('Only where staff have entered marks for some of the questions, and not for all.'),
});
export type MarkbookTotal = Answer<typeof markbookTotal>;

/** What one test contributed to the scores. */
const markbookNorms = z.object({
  testId: id,
  max: z.int(),
  n: z.int(),
  mean: z.number().nullable(),
  sd: z.number().nullable().describe('Of the population.'),
  priorMean: z.number().nullable(),
  difference: z.number(),
  clipped: z.boolean(),
  multiplier: z.number(),
  counted: z.object({ events: z.int(), last: id.nullable() }),
});

const columnValues = { points: z.string(), rank: z.int(), score: z.number(), difference: z.int(), grade: z.string() };
type Columns = (typeof studentColumns)[number];
const columnFields = Object.fromEntries(
  studentColumns.map(({ of, is, ...column }) => {
    const field = columnValues[is].exactOptional();
    return [of, 'about' in column ? field.describe(column.about) : field];
  }),
) as { readonly [Column in Columns as Column['of']]: z.ZodExactOptional<(typeof columnValues)[Column['is']]> };

const markbook = z
  .object({
    yearGroupId: id,
    setId: id.exactOptional().describe('Of which class the students are, if only these were asked for.'),
    rows: z
      .object({
        from: z.int().describe('How many come before them.'),
        of: z.int().describe('How many match.'),
        spread: z
          .array(z.object({ totals: z.array(z.object({ total: z.number(), students: z.int() })), contested: z.int() }))
          .describe('Of all who match, parallel to `tests`: how many have which total, and of how many it is contested.'),
      })
      .exactOptional()
      .describe('Which of all that match the students are, if some rows were asked for.'),
    year: z.int(),
    subject: z.object({ subjectId: id, name: z.string() }),
    sets: z.array(z.object({ setId: id, name: z.string(), mayWrite: z.boolean() })),
    priorExam: z
      .object({ terminalExamId: id, name: z.string() })
      .exactOptional()
      .describe(`The exam of the ranking that is shown, else the newest that reaches ${ENOUGH_PRIOR} %. Left out: none does.`),
    ranked: z
      .object({
        taskId: id,
        name: z.string().nullable().describe('Of the task. null: forgotten.'),
        at: instant,
        students: z.int().describe('Of the ranking.'),
        sets: z.array(z.string()).describe('The names of its classes.'),
        formula: z.enum(['R3', 'client']).describe('`client`: made elsewhere and sent, without norms.'),
        norms: z.object({
          prior: z.object({ n: z.int(), mean: z.number().nullable(), sd: z.number().nullable() }),
          tests: z.array(markbookNorms),
        }),
      })
      .exactOptional()
      .describe(
        'The ranking that is shown: of `taskId`, else of the task that was ranked last; it holds somebody on roll here. Left out: none.',
      ),
    rankings: z
      .array(z.object({ taskId: id, name: z.string().nullable(), at: instant }))
      .exactOptional()
      .describe('All that can be shown, the last one first. Left out: none.'),
    scores: z
      .object({ mean: z.number().nullable(), sd: z.number().nullable() })
      .exactOptional()
      .describe('Of the scores shown; the SD is that of a sample.'),
    tests: z.array(
      z.object({
        testId: id,
        name: z.string(),
        max: z.int().nullable().describe('null: no questions yet'),
        mean: z
          .number()
          .nullable()
          .describe('Of the effective totals of the students who sat; the SD is that of a sample. null: nobody has a total.'),
        sd: z.number().nullable(),
        count: z.int(),
        open: openMarks,
      }),
    ),
    students: z.array(
      z.object({
        ...namedStudent,
        setId: id,
        ...columnFields,
        overridden: z
          .object({
            by: z.string().nullable().describe('null: forgotten'),
            ranking: z.int().nullable().exactOptional().describe('By which the residual goes.'),
            score: z.number().nullable().exactOptional(),
            grade: z.string().nullable().exactOptional(),
          })
          .exactOptional()
          .describe('Which of the three the leader has decided, and what was computed (null: none). Left out: none.'),
        totals: z.array(markbookTotal),
      }),
    ),
  })
  .describe(
    'Everybody on roll in the year group, or in one of its classes; columns parallel to `tests`. Means are those of the year group.',
  );
export type Markbook = Answer<typeof markbook>;

const cellHistory = z.object({
  reading: z.union([
    z.object({ state: z.literal('empty') }),
    z.object({ state: z.literal('counts'), value }),
    z.object({ state: z.literal('contested'), value, values: z.array(value) }),
  ]),
  mayWrite: z.boolean(),
  max: z.int().nullable(),
  above: z
    .array(z.object({ questionId: id.nullable(), number: z.int().nullable(), mark: z.int(), max: z.int() }))
    .describe(
      'Marks that count in it and are above the maximum of now: of a question, or (questionId null) the total. Of a total: those of its questions too.',
    ),
  changes: z.array(
    z.object({
      is: value,
      was: z.array(value),
      at: instant,
      by: z.string().nullable(),
      how: z.enum(['upload', 'typed', 'decided']),
      fileName: z.string().nullable(),
      satOn: isoDate.nullable().describe('The day that its upload says the assessment was sat on; null: it says none, or it is no upload.'),
      entryId: id,
      commandId: id,
      undone: z.boolean(),
      head: z.boolean().describe('Counts now: neither undone nor covered by a later change.'),
      agrees: z.boolean().describe('Said again what stood there.'),
      confirmed: z.boolean().describe('Covered by a later change that says the same.'),
    }),
  ),
  student: z
    .array(z.object({ mark: z.int(), at: instant, counts: z.boolean() }))
    .describe('Of a question: what the student has confirmed, oldest first. It counts where staff have entered nothing.'),
});
export type CellHistory = Answer<typeof cellHistory>;

/**
 * `rows`: so many students, after `from` others, or on the page of `student`, as the page shows them: those found by name or StudentID,
 * `only` those in a band of a test ('green.<test>'), and sorted by a column or test. Left out: all, by name.
 */
const markbookRows = {
  rows: z
    .string()
    .regex(/^[1-9]\d{0,2}$/u, 'At most 999 rows.')
    .optional(),
  from: z
    .string()
    .regex(/^\d{1,6}$/u, 'A number of students.')
    .optional(),
  student: id.optional(),
  sort: z.string().max(40).optional(),
  dir: z.enum(['asc', 'desc']).optional(),
  find: z.string().max(200).optional(),
  only: z.string().max(60).optional(),
};

export const marksQueries = {
  /** `taskId`: of which feedback task the ranking is to be; left out, or one without a ranking: of the one that was ranked last. */
  markbook: { input: z.object({ yearGroupId: id, setId: id.optional(), taskId: id.optional(), ...markbookRows }), answer: markbook },
  /** A cell's history, oldest first. */
  cell: {
    input: z.object({ testId: id, studentId: id, questionId: id.optional(), attendance: z.enum(['true', 'false']).optional() }),
    answer: cellHistory,
  },
};
