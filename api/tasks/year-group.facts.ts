import type { Facts } from '../common/facts.ts';

export type YearGroupFacts = { readonly subject: boolean; readonly yearGroup: boolean };

/** Whether there is such a subject, with such a year group. */
export const yearGroupFacts: Facts<{ readonly subjectId: string; readonly yearGroupId: string }, YearGroupFacts> = {
  models: ['structure'],
  waits: true,
  async load(query, { subjectId, yearGroupId }) {
    const [row] = await query<YearGroupFacts>(
      `select exists (select from subjects where school_id = $1 and subject_id = $2 and not removed) as subject,
              exists (select from year_groups where school_id = $1 and subject_id = $2 and year_group_id = $3) as "yearGroup"`,
      [subjectId, yearGroupId],
    );
    return row ?? { subject: false, yearGroup: false };
  },
};
