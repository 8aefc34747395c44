import type { Facts } from '../../common/facts.ts';

export type TeacherLink = { readonly subjectId: string; readonly teacherId: string };

/** The given teacher records, as far as they exist. */
export const teacherFacts: Facts<{ readonly teachers?: readonly TeacherLink[] | undefined }, readonly TeacherLink[]> = {
  models: ['structure'],
  waits: true,
  load: async (query, { teachers = [] }) =>
    teachers.length === 0
      ? []
      : query<TeacherLink>(
          `select subject_id as "subjectId", teacher_id as "teacherId" from teachers where school_id = $1 and teacher_id = any($2::uuid[])`,
          [teachers.map(({ teacherId }) => teacherId)],
        ),
};

/**
 * The same without waiting for the read model: rights can be taken away even while it has stopped. A record that was removed at the same
 * time may still be linked, but gives no rights.
 */
export const teacherFactsAtOnce: typeof teacherFacts = { ...teacherFacts, waits: false };
