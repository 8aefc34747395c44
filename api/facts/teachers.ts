import type { Facts } from './facts.ts';

export type TeacherLink = { readonly subjectId: string; readonly teacherId: string };

/** Those of the named teacher records that exist. */
export const teacherFacts: Facts<{ readonly teachers?: readonly TeacherLink[] | undefined }, readonly TeacherLink[]> = {
  models: ['structure'],
  waits: true,
  load: async (query, { teachers = [] }) =>
    teachers.length === 0
      ? []
      : query<TeacherLink>(
          `select subject_id as "subjectId", teacher_id as "teacherId" from teachers where school_id = $1 and teacher_id = any($2::uuid[]) and not removed`,
          [teachers.map(({ teacherId }) => teacherId)],
        ),
};

/**
 * The same, for what must not wait: whoever loses rights loses them also where the read model stands still. A record that was removed in this
 * moment may still be linked: it gives no right.
 */
export const teacherFactsAtOnce: typeof teacherFacts = { ...teacherFacts, waits: false };
