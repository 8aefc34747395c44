import { idIn } from '../../events/aggregate.ts';
import type { ReadEventOf } from '../../events/codec/event.ts';
import type { mappingEvents } from '../../events/assessments/mapping.ts';
import { projection } from '../engine/projection.ts';
import { prerequisites, questionMaps, schemeTopicMaps, topics, topicTrees } from './mapping-tables.ts';

type Event = ReadEventOf<typeof mappingEvents>;

/** Topic trees and the mappings to their topics. */
export const mappings = projection<Event>()({
  name: 'mappings',
  version: 1,
  tables: { topicTrees, topics, schemeTopicMaps, questionMaps, prerequisites },
  on: ['TopicTreeReplaced', 'SchemeTopicsMapped', 'QuestionsMapped', 'PrerequisitesAllocated'],

  async load(events, rows) {
    const subjectOf = ({ metadata, stream }: (typeof events)[number]) => ({ school_id: metadata.schoolId, subject_id: idIn(stream) });
    const trees = events.filter(({ type }) => type === 'TopicTreeReplaced').map(subjectOf);
    await rows.topicTrees.load(trees);
    await rows.topics.loadUnder(trees);
    await rows.topics.loadWhere(
      'subject_id',
      trees.map(({ subject_id }) => subject_id),
    );
    await rows.schemeTopicMaps.load(
      events.flatMap(({ type, metadata, data }) =>
        type === 'SchemeTopicsMapped'
          ? data.changes.map(({ schemeTopicId }) => ({ school_id: metadata.schoolId, scheme_topic_id: schemeTopicId }))
          : [],
      ),
    );
    await rows.questionMaps.load(
      events.flatMap(({ type, metadata, data }) =>
        type === 'QuestionsMapped' ? data.changes.map(({ questionId }) => ({ school_id: metadata.schoolId, question_id: questionId })) : [],
      ),
    );
    await rows.prerequisites.load(
      events.flatMap(({ type, metadata, data }) =>
        type === 'PrerequisitesAllocated'
          ? data.changes.map(({ schemeTopicId }) => ({ school_id: metadata.schoolId, scheme_topic_id: schemeTopicId }))
          : [],
      ),
    );
  },

  apply(event, rows) {
    const key = { school_id: event.metadata.schoolId, subject_id: idIn(event.stream) };
    switch (event.type) {
      case 'TopicTreeReplaced':
        rows.topicTrees.put({ ...key, title: event.data.title });
        for (const row of rows.topics.where('subject_id', key.subject_id)) rows.topics.put({ ...row, hidden: true });
        for (const [place, { topicId, name, parentId }] of event.data.topics.entries()) {
          rows.topics.put({ ...key, topic_id: topicId, name, parent_id: parentId, place, hidden: false });
        }
        break;
      case 'SchemeTopicsMapped':
        for (const { schemeTopicId, topicIds } of event.data.changes) {
          if (topicIds.length === 0) rows.schemeTopicMaps.delete({ school_id: key.school_id, scheme_topic_id: schemeTopicId });
          else rows.schemeTopicMaps.put({ ...key, scheme_topic_id: schemeTopicId, topic_ids: topicIds });
        }
        break;
      case 'QuestionsMapped':
        for (const { questionId, topicIds } of event.data.changes) {
          if (topicIds.length === 0) rows.questionMaps.delete({ school_id: key.school_id, question_id: questionId });
          else rows.questionMaps.put({ ...key, question_id: questionId, topic_ids: topicIds });
        }
        break;
      case 'PrerequisitesAllocated':
        for (const { schemeTopicId, questionIds } of event.data.changes) {
          if (questionIds.length === 0) rows.prerequisites.delete({ school_id: key.school_id, scheme_topic_id: schemeTopicId });
          else rows.prerequisites.put({ ...key, scheme_topic_id: schemeTopicId, question_ids: questionIds });
        }
        break;
    }
  },

  channels: (event) => [`structure:${idIn(event.stream)}`],
});
