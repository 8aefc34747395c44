import { harmless, json, personal, table } from '../engine/tables/table.ts';

/**
 * Every cell that was ever written, with all its changes. The key keeps a student's cells on a test together, because uploads and most
 * queries read many of them.
 */
export const results = table('results', {
  key: {
    test_id: 'uuid',
    student_id: 'uuid',
    /** 't' total, 'm' mark, 'a' attendance */
    kind: harmless('text'),
    /** the question's id; the test's for a total and for attendance */
    item_id: 'uuid',
  },
  columns: {
    /** the mark that counts; null: none, or attendance */
    mark: 'int4?',
    /** the attendance that counts: 'sat', 'absent', 'exempt' */
    attendance: harmless('text?'),
    contested: 'bool',
    /** the value that counts came with a file; else it was typed */
    uploaded: 'bool',
    /** the history, encoded by encodeCell of events/marks/cell-text.ts */
    cell: harmless('json'),
  },
});

/** The sums of a student's cells on a test: a row of the markbook. Kept consistent with `results` by the same projection. */
export const markbook = table('markbook', {
  key: { test_id: 'uuid', student_id: 'uuid' },
  columns: {
    /** the total entered by staff */
    total: 'int4?',
    /** sum of the marks of the assessment's current questions */
    marks_sum: 'int4',
    marks_count: 'int4',
    /** number of marks above the maximum that their question has now, however they came there */
    marks_above: 'int4',
    /** the same of the marks that count: those of staff, else those that the student has confirmed */
    effective_sum: 'int4',
    effective_count: 'int4',
    /** the student has entered marks: there is a row of `submissions` */
    submitted: 'bool',
    /** the total entered by staff is */
    total_contested: 'bool',
    /** number of contested marks of the assessment's current questions */
    marks_contested: 'int4',
    /** null: the student sat, which is the default */
    attendance: harmless('text?'),
    attendance_contested: 'bool',
  },
  indexes: [{ columns: ['school_id', 'student_id'], late: true }],
});

/**
 * How many students have each mark of a question: the mark that counts, of everybody, whether they sat or not (the few who did not are taken off
 * by whoever asks), also while the question is off the paper. Kept consistent with `results` and `submissions` by the same projection
 * (docs/decisions/28-how-many-have-each-mark-is-kept.md).
 */
export const tallies = table('tallies', {
  key: { test_id: 'uuid', item_id: 'uuid' },
  columns: {
    /** each mark that somebody has, in order */
    marks: 'int4[]',
    /** how many have it */
    students: 'int4[]',
    /** number of contested marks of staff */
    contested: 'int4',
  },
});

/** The current questions of a test, and the maximum mark of each. */
export const papers = table('papers', {
  key: { test_id: 'uuid' },
  columns: { subject_id: 'uuid', question_ids: 'uuid[]', maxima: 'int4[]' },
});

/** One command of an entry: an upload, a save, a decision. Names the author of every change in `results`. */
export const saves = table('saves', {
  key: { command_id: 'uuid' },
  columns: {
    entry_id: 'uuid',
    subject_id: 'uuid',
    /** 'totals' or 'marks' for uploads; 'typed'; 'decided' */
    kind: harmless('text'),
    account_id: 'uuid',
    /** in the log: the order of saves, whose times are those of several clocks */
    position: 'int8',
    at: 'timestamptz',
    typed_at: 'timestamptz?',
    /** null: not an upload, or its author was forgotten */
    file_name: personal('text?', 'account_id'),
    cells: 'int4',
    /** how many of the cells held the value already */
    confirmed: 'int4',
    /** of the cells and values of an upload (events/marks/mark-digest.ts); null: not an upload */
    digest: harmless('text?'),
    /** the day that an upload says its assessments were sat on; null: it does not say, or it is no upload */
    sat_on: 'date?',
    test_ids: 'uuid[]',
    student_ids: 'uuid[]',
    /** the columns that were written: [test, item, kind] */
    columns: harmless(json<readonly (readonly [string, string, string])[]>()),
    undone: 'bool',
    undone_by: 'uuid?',
  },
  indexes: [
    { columns: ['school_id', 'subject_id', 'position'], late: true },
    { columns: ['school_id', 'entry_id'], late: true },
    // Without its second part: a person's saves. With it: the few of them that are uploads.
    ['school_id', 'account_id', 'digest'],
  ],
});

/** By question. */
export type OwnMarks = Readonly<Record<string, number>>;
/** One confirmation of a student's own marks. */
export type Confirmation = { readonly at: string; readonly marks: OwnMarks };

/** The marks that a student entered for a test. */
export const submissions = table('submissions', {
  key: { test_id: 'uuid', student_id: 'uuid' },
  columns: {
    /** 'saved', 'confirmed' or 'reopened' */
    state: harmless('text'),
    /** what was saved or confirmed last, also for questions that are not on the paper now */
    marks: harmless(json<OwnMarks>()),
    /** oldest first; the last one counts */
    confirmations: harmless(json<readonly Confirmation[]>()),
    /** the last change */
    at: 'timestamptz',
  },
  indexes: [['school_id', 'student_id']],
});
