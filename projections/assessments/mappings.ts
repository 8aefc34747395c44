import { idIn } from '../../events/aggregate.ts';
import type { ReadEventOf } from '../../events/codec/event.ts';
import type { mappingEvents } from '../../events/assessments/mapping.ts';
import { projectionByType } from '../engine/projection.ts';
import { prerequisites, questionMaps, schemeTopicMaps, topics, topicTrees } from './mapping-tables.ts';

type Event = ReadEventOf<typeof mappingEvents>;

/** Topic trees and the mappings to their topics. */
export const mappings = projectionByType<Event>()({
  name: 'mappings',
  version: 1,
  tables: { topicTrees, topics, schemeTopicMaps, questionMaps, prerequisites },

  async load(events, rows) {
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

  changes: {
    TopicTreeReplaced(event, rows) {
      const key = subjectOf(event);
      rows.topicTrees.put({ ...key, title: event.data.title });
      for (const row of rows.topics.where('subject_id', key.subject_id)) rows.topics.put({ ...row, hidden: true });
      for (const [place, { topicId, name, parentId }] of event.data.topics.entries())
        rows.topics.put({ ...key, topic_id: topicId, name, parent_id: parentId, place, hidden: false });
    },
    SchemeTopicsMapped(event, rows) {
      for (const { schemeTopicId, topicIds } of event.data.changes)
        bind(rows.schemeTopicMaps, { ...subjectOf(event), scheme_topic_id: schemeTopicId, topic_ids: topicIds }, topicIds);
    },
    QuestionsMapped(event, rows) {
      for (const { questionId, topicIds } of event.data.changes)
        bind(rows.questionMaps, { ...subjectOf(event), question_id: questionId, topic_ids: topicIds }, topicIds);
    },
    PrerequisitesAllocated(event, rows) {
      for (const { schemeTopicId, questionIds } of event.data.changes)
        bind(rows.prerequisites, { ...subjectOf(event), scheme_topic_id: schemeTopicId, question_ids: questionIds }, questionIds);
    },
  },

  channels: (event) => [`structure:${idIn(event.stream)}`],
});

type Recorded = { readonly stream: string; readonly metadata: { readonly schoolId: string } };
const subjectOf = ({ metadata, stream }: Recorded) => ({ school_id: metadata.schoolId, subject_id: idIn(stream) });

/** Something without bindings has no row. */
const bind = <Key, Row extends Key>(table: { put(row: Row): void; delete(key: Key): void }, row: Row, ids: readonly string[]): void =>
  ids.length === 0 ? table.delete(row) : table.put(row);
