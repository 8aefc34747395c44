import { harmless, json, personal, table } from '../engine/tables/table.ts';

export const students = table('students', {
  key: { student_id: 'uuid' },
  columns: {
    /** The school's StudentID; like the name, null if forgotten */
    admission_no: personal('text?', 'student_id'),
    /** Normalised like its tag: trimmed, NFC, lower case */
    admission_key: personal('text?', 'student_id'),
    name: personal('text?', 'student_id'),
    date_of_birth: personal('date?', 'student_id'),
  },
  indexes: [['school_id', 'admission_key']],
});

/** A student's current or earlier place in a subject, and since when. */
export type Membership = { readonly setId: string | null; readonly from: string };

/** A student's current enrolment in a subject, with the earlier sets. No row: never enrolled. */
export const enrolments = table('enrolments', {
  key: { subject_id: 'uuid', student_id: 'uuid' },
  columns: {
    /** null: off-roll, or removed */
    set_id: 'uuid?',
    state: harmless('text'),
    /** oldest first, the current one last */
    memberships: harmless(json<readonly Membership[]>()),
  },
  indexes: [
    ['school_id', 'set_id'],
    ['school_id', 'student_id'],
  ],
});
