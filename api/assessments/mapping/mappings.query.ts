import { inOrder } from '../../common/in-order.ts';
import type { Mapped, Mappings } from './mapping.contract.ts';
import { theRow } from '../../common/facts.ts';
import { defineQuery } from '../../common/query.ts';
import { mappingQueries } from './mapping.contract.ts';

const models = ['structure', 'assessments', 'mappings'] as const;

/** The topic tree of a subject, and what its schemes of work and assessments have bound to it. */
export const mappings = defineQuery({
  ...mappingQueries.mappings,
  models,
  run: async (query, { subjectId }): Promise<Mappings> => theRow(await query<Mappings>(MAPPINGS, [subjectId])),
});

/** Topics of schemes and questions that are bound to something, or that something is bound to: deleting one of them asks first. */
export const mapped = defineQuery({
  ...mappingQueries.mapped,
  models,
  run: async (query, { subjectId }): Promise<Mapped> => theRow(await query<Mapped>(MAPPED, [subjectId])),
});

/** $1 school; $2 subject. Hidden topics and questions are left out: they do not count, and come back when they are restored. */
const MAPPINGS = `
with known_topic as materialized (
  select topic_id, name, parent_id, place from topics where school_id = $1 and subject_id = $2 and not hidden
),
known_question as materialized (
  select q.question_id, q.test_id, q.number, q.topic
  from tests t join questions q using (school_id, test_id)
  where t.school_id = $1 and t.subject_id = $2 and not q.hidden
)
select
  (select json_build_object('title', tree.title, 'topics',
     (select coalesce(json_agg(json_build_object('topicId', topic_id, 'name', name, 'parentId', parent_id) order by place), '[]')
        from known_topic))
     from topic_trees tree where tree.school_id = $1 and tree.subject_id = $2) as tree,
  (select coalesce(json_agg(json_build_object('schemeId', c.scheme_id, 'name', c.name, 'topics',
     (select coalesce(json_agg(json_build_object(
               'schemeTopicId', topic ->> 'topicId', 'name', topic ->> 'name',
               'topicIds', array(select bound from unnest(m.topic_ids) as bound where bound in (select topic_id from known_topic)),
               'questionIds', array(select bound from unnest(p.question_ids) as bound where bound in (select question_id from known_question)))
               order by place), '[]')
        from json_array_elements(c.topics) with ordinality as listed (topic, place)
        left join scheme_topic_maps m on m.school_id = $1 and m.scheme_topic_id = (topic ->> 'topicId')::uuid
        left join prerequisites p on p.school_id = $1 and p.scheme_topic_id = (topic ->> 'topicId')::uuid)) order by ${inOrder('c.name')}), '[]')
     from schemes c where c.school_id = $1 and c.subject_id = $2) as schemes,
  (select coalesce(json_agg(json_build_object('testId', t.test_id, 'name', t.name, 'questions',
     (select coalesce(json_agg(json_build_object(
               'questionId', q.question_id, 'number', q.number, 'topic', q.topic,
               'topicIds', array(select bound from unnest(m.topic_ids) as bound where bound in (select topic_id from known_topic)))
               order by q.number), '[]')
        from known_question q
        left join question_maps m on m.school_id = $1 and m.question_id = q.question_id
       where q.test_id = t.test_id)) order by ${inOrder('t.name')}), '[]')
     from tests t where t.school_id = $1 and t.subject_id = $2) as tests`;

const MAPPED = `
select
  array(select scheme_topic_id from scheme_topic_maps where school_id = $1 and subject_id = $2
        union select scheme_topic_id from prerequisites where school_id = $1 and subject_id = $2) as "schemeTopicIds",
  array(select question_id from question_maps where school_id = $1 and subject_id = $2
        union select unnest(question_ids) from prerequisites where school_id = $1 and subject_id = $2) as "questionIds"`;
