import type { RunSql } from '../common/facts.ts';
import type { Bearing, MappedQuestion, SchemeTopic, TreeTopic } from './topics.formula.ts';
import { bearingOn } from './topics.formula.ts';

/** A scheme of work with what is mapped to its topics, and the subject's tree of topics. */
export type Topics = {
  readonly scheme: { readonly schemeId: string; readonly name: string };
  readonly topics: readonly (SchemeTopic & { readonly name: string })[];
  readonly tree: readonly (TreeTopic & { readonly name: string })[];
  /** Questions of the subject's assessments that have topics of the tree. */
  readonly mapped: readonly MappedQuestion[];
};

/** Undefined: there is no such scheme of work in the subject, or it is deleted. */
export const topicsOf = async (query: RunSql, subjectId: string, schemeId: string): Promise<Topics | undefined> => {
  const [row] = await query<Topics>(TOPICS, [subjectId, schemeId]);
  return row;
};

/** Which of these questions bear on each topic of the scheme: none without a scheme. */
export const bearingOf = (topics: Topics | undefined, questionIds: Iterable<string>): ReadonlyMap<string, readonly Bearing[]> => {
  if (!topics) return new Map();
  const topicIdsOf = new Map(topics.mapped.map(({ questionId, topicIds }) => [questionId, topicIds]));
  const questions = [...questionIds].map((questionId) => ({ questionId, topicIds: topicIdsOf.get(questionId) ?? [] }));
  return bearingOn(topics.topics, topics.tree, questions);
};

/** $1 school; $2 subject; $3 scheme of work. What was taken out of the tree does not count until it is back. */
const TOPICS = `
select json_build_object('schemeId', s.scheme_id, 'name', s.name) as scheme,
  (select coalesce(json_agg(json_build_object('schemeTopicId', t.one ->> 'topicId', 'name', t.one ->> 'name',
                     'topicIds', coalesce(to_json(n.topic_ids), '[]'), 'questionIds', coalesce(to_json(h.question_ids), '[]'))
                   order by t.place), '[]')
     from json_array_elements(s.topics) with ordinality t (one, place)
     left join scheme_topic_maps n on n.school_id = $1 and n.scheme_topic_id = (t.one ->> 'topicId')::uuid
     left join prerequisites h on h.school_id = $1 and h.scheme_topic_id = (t.one ->> 'topicId')::uuid) as topics,
  (select coalesce(json_agg(json_build_object('topicId', t.topic_id, 'parentId', t.parent_id, 'name', t.name) order by t.place), '[]')
     from topics t where t.school_id = $1 and t.subject_id = $2 and not t.hidden) as tree,
  (select coalesce(json_agg(json_build_object('questionId', q.question_id, 'topicIds', to_json(q.topic_ids))), '[]')
     from question_maps q where q.school_id = $1 and q.subject_id = $2 and cardinality(q.topic_ids) > 0) as mapped
from schemes s
where s.school_id = $1 and s.scheme_id = $3 and s.subject_id = $2`;
