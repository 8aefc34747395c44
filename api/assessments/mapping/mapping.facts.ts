/** What decisions about mappings depend on. */
import type { Facts } from '../../common/facts.ts';

/** What there is in a subject to bind: topics of its schemes of work, and questions on its papers. */
export type Bindable = {
  readonly schemeTopicIds: readonly string[];
  readonly questionIds: readonly string[];
};

export const bindable: Facts<{ readonly subjectId: string }, Bindable> = {
  models: ['structure', 'assessments'],
  waits: true,
  async load(query, { subjectId }) {
    const [row] = await query<Bindable>(
      `select
         array(select topic ->> 'topicId' from schemes s, json_array_elements(s.topics) as topic
                where s.school_id = $1 and s.subject_id = $2) as "schemeTopicIds",
         array(select q.question_id::text from tests t join questions q using (school_id, test_id)
                where t.school_id = $1 and t.subject_id = $2 and not q.hidden) as "questionIds"`,
      [subjectId],
    );
    return row ?? { schemeTopicIds: [], questionIds: [] };
  },
};
