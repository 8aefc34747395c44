import { harmless, json, table } from '../engine/tables/table.ts';
import type { QuestionSums, StoredSnapshot } from './snapshots.ts';

/**
 * A staff total, the first one that the student had, and the day on which they sat the test: as the file said that first brought one, else of
 * the first total.
 */
export type DatedTotal = { readonly total: number; readonly first: number; readonly day: string };

/** The class of a student in a subject, and their staff totals by test: what the averages of a class are made of. */
export const classStudents = table('class_students', {
  key: { subject_id: 'uuid', student_id: 'uuid' },
  columns: {
    /** null: off-roll, removed, or never enrolled */
    set_id: 'uuid?',
    totals: harmless(json<Readonly<Record<string, DatedTotal>>>()),
    /** by test, the class in whose snapshot the student is: that of their first mark */
    shown_in: harmless(json<Readonly<Record<string, string>>>()),
  },
});

export const classSizes = table('class_sizes', { key: { set_id: 'uuid' }, columns: { students: 'int4' } });

/** What students are shown of a class in a test: a snapshot (docs/decisions/19-what-students-see-of-others-is-a-snapshot.md). */
export const shownClasses = table('shown_classes', {
  key: {
    test_id: 'uuid',
    /** `NO_CLASS`: who was in none, or in one that is too small to be shown */
    set_id: 'uuid',
  },
  columns: {
    totals: 'int4[]',
    n: 'int4',
    /** whole numbers */
    sum: 'float8',
    squares: 'float8',
    questions: harmless(json<Readonly<Record<string, QuestionSums>>>()),
    /** never shown */
    snapshot: harmless(json<StoredSnapshot>()),
  },
});
export const NO_CLASS = '00000000-0000-0000-0000-000000000000';
