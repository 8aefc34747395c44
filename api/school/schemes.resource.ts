import { z } from 'zod';
import { label } from '../contract/fields.ts';
import { addScheme, structureRecords } from './school.contract.ts';
import { resource } from '../common/resource.ts';

/** Schemes of work with their topics in order; `mapped`: the topic has mappings, so the screen asks before removing it. */
export const schemes = resource({
  record: structureRecords.schemes,
  models: ['structure', 'mappings'],
  from: `
    select w.scheme_id as id, w.subject_id as "subjectId", w.name,
      (select count(*)::int4 from sets t where t.school_id = $1 and t.scheme_id = w.scheme_id and not t.deleted) as sets,
      (select coalesce(json_agg(json_build_object('topicId', topic.id, 'name', topic.name, 'mapped',
                exists (select from scheme_topic_maps m where m.school_id = $1 and m.scheme_topic_id = topic.id and m.topic_ids <> '{}')
                or exists (select from prerequisites p where p.school_id = $1 and p.scheme_topic_id = topic.id and p.question_ids <> '{}'))
                order by topic.place), '[]')
         from (select (one ->> 'topicId')::uuid as id, one ->> 'name' as name, place
                 from json_array_elements(w.topics) with ordinality as listed (one, place)) topic) as topics
    from schemes w where w.school_id = $1`,
  columns: { subjectId: 'uuid', name: 'text' },
  search: ['name'],
  sort: 'name',
  subject: 'subjectId',
  edited: ['name', 'topics'],
  create: {
    command: 'AddScheme',
    body: ({ subjectId, name, topics }) => ({ subjectId, name, topics: namesIn(topics) }),
    sent: addScheme.extend({ topics: z.array(z.object({ name: label })).optional() }),
    id: 'schemeId',
  },
  update: { command: 'ChangeScheme', body: ({ name, topics }, { id }) => ({ schemeId: id, name, topics: topicsIn(topics) }) },
  remove: { command: 'DeleteScheme', body: ({ id }) => ({ schemeId: id }) },
});

const listIn = (topics: unknown): readonly object[] =>
  Array.isArray(topics) ? topics.filter((topic): topic is object => typeof topic === 'object' && topic !== null) : [];
const nameOf = (topic: object): unknown => ('name' in topic ? topic.name : undefined);
const namesIn = (topics: unknown): readonly unknown[] => listIn(topics).map(nameOf);
const topicsIn = (topics: unknown): readonly object[] =>
  listIn(topics).map((topic) => ({
    name: nameOf(topic),
    ...('topicId' in topic && topic.topicId !== undefined ? { topicId: topic.topicId } : {}),
  }));
