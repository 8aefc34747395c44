import type { Facts } from './facts.ts';

export type StudentFacts = { readonly exists: boolean; readonly hasAccount: boolean };

/** Whether a student exists and has an account that is open. */
export const studentFacts: Facts<{ readonly studentId: string }, StudentFacts> = {
  models: ['roster', 'accounts'],
  waits: true,
  load: async (query, { studentId }) => {
    const [row] = await query<StudentFacts>(
      `select exists (select from students where school_id = $1 and student_id = $2) as "exists",
              exists (select from accounts where school_id = $1 and student_id = $2 and not closed) as "hasAccount"`,
      [studentId],
    );
    return row ?? { exists: false, hasAccount: false };
  },
};

/** The subject's sets: id and name. */
export type SetFacts = { readonly sets: readonly { readonly setId: string; readonly name: string }[] };
export const setFacts: Facts<{ readonly subjectId: string }, SetFacts> = {
  models: ['structure'],
  waits: true,
  load: async (query, { subjectId }) => ({
    sets: await query(`select set_id as "setId", name from sets where school_id = $1 and subject_id = $2 and not deleted`, [subjectId]),
  }),
};
