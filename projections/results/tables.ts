import { json, table } from '../engine/tables/table.ts';

/**
 * Every cell that somebody ever wrote, with all its changes. A student's cells on a test lie side by side: files of marks and most
 * questions are about many of them.
 */
export const results = table('results', {
  key: {
    test_id: 'uuid',
    student_id: 'uuid',
    /** 't' total, 'm' mark, 'a' attendance */
    kind: 'text',
    /** the question's id; for a total and for attendance the test's */
    item_id: 'uuid',
  },
  columns: {
    /** what counts; null: nothing, or attendance */
    mark: 'int4?',
    /** attendance that counts: 'sat', 'absent', 'exempt' */
    attendance: 'text?',
    contested: 'bool',
    /** the history, as encodeCell of events/cell.ts writes it */
    cell: 'json',
  },
});

/** What a student's cells on a test add up to: a row of the markbook. Kept in step with `results` by the same projection. */
export const markbook = table('markbook', {
  key: { test_id: 'uuid', student_id: 'uuid' },
  columns: {
    /** the teacher's */
    total: 'int4?',
    /** of the questions on the paper that have a mark */
    marks_sum: 'int4',
    marks_count: 'int4',
    /** cells with several values among total and marks */
    contested: 'int4',
    /** null: as anybody, he sat */
    attendance: 'text?',
  },
  indexes: [['school_id', 'student_id']],
});

/** The questions that are on a test's paper now. */
export const papers = table('papers', { key: { test_id: 'uuid' }, columns: { subject_id: 'uuid', question_ids: 'uuid[]' } });

/** One command of an entry: an upload, a save, a decision. Names the author of every change in `results`. */
export const saves = table('saves', {
  key: { command_id: 'uuid' },
  columns: {
    entry_id: 'uuid',
    subject_id: 'uuid',
    /** 'totals' and 'marks' are uploads; 'typed', 'decided' */
    kind: 'text',
    account_id: 'uuid',
    at: 'timestamptz',
    typed_at: 'timestamptz?',
    /** null: not an upload, or its author was forgotten */
    file_name: 'text?',
    cells: 'int4',
    test_ids: 'uuid[]',
    student_ids: 'uuid[]',
    /** the columns that it wrote: [test, item, kind] */
    columns: json<readonly (readonly [string, string, string])[]>(),
    undone: 'bool',
    undone_by: 'uuid?',
  },
  indexes: [
    ['school_id', 'subject_id', 'at'],
    ['school_id', 'entry_id'],
    ['school_id', 'account_id'],
  ],
});
