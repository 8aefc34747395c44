import { harmless, json, table } from '../engine/tables/table.ts';
import type { Waiting } from './snapshots.ts';

/** A staff total, and the day on which the student sat the test: as the file said that first brought one, else of the first total. */
export type DatedTotal = { readonly total: number; readonly day: string };

/** The class of a student in a subject, and their staff totals by test: what the averages of a class are made of. */
export const classStudents = table('class_students', {
  key: { subject_id: 'uuid', student_id: 'uuid' },
  columns: {
    /** null: off-roll, removed, or never enrolled */
    set_id: 'uuid?',
    totals: harmless(json<Readonly<Record<string, DatedTotal>>>()),
  },
});

/** What students are shown of the totals of a class: a snapshot (docs/decisions/19-what-students-see-of-others-is-a-snapshot.md). */
export const shownTotals = table('shown_totals', {
  key: { test_id: 'uuid', set_id: 'uuid' },
  columns: {
    /** of the snapshot, in ascending order, so that no place says whose one is */
    totals: 'int4[]',
    /** never shown */
    waiting: harmless(json<Waiting>()),
  },
});

/** The same of the marks that count in a question, of everybody of the subject who sat the test. */
export const shownQuestions = table('shown_questions', {
  key: { test_id: 'uuid', question_id: 'uuid' },
  columns: {
    /** how many sat the test, and how many of them have a mark here: the others left the question out, which counts 0 */
    n: 'int4',
    marked: 'int4',
    sum: 'int4',
    /** of the marks; a whole number */
    squares: 'float8',
    /** never shown */
    waiting: harmless(json<Waiting>()),
  },
});
