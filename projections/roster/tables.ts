import { json, table } from '../engine/tables/table.ts';

export const students = table('students', {
  key: { student_id: 'uuid' },
  columns: {
    /** The school's StudentID. null, like the name: forgotten */
    admission_no: 'text?',
    /** Normalised as its tag is: trimmed, NFC, lower case. */
    admission_key: 'text?',
    name: 'text?',
    date_of_birth: 'date?',
  },
  indexes: [['school_id', 'admission_key']],
});

/** Where a student is, or was, in a subject, from when. */
export type Membership = { readonly setId: string | null; readonly from: string };

/** A student's present enrolment in a subject, with the sets he was in before. No row: never enrolled. */
export const enrolments = table('enrolments', {
  key: { subject_id: 'uuid', student_id: 'uuid' },
  columns: {
    /** null: off-roll, or removed */
    set_id: 'uuid?',
    state: 'text',
    /** oldest first, the present one last */
    memberships: json<readonly Membership[]>(),
  },
  indexes: [
    ['school_id', 'set_id'],
    ['school_id', 'student_id'],
  ],
});
