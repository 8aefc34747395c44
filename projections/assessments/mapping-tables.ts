import { harmless, table } from '../engine/tables/table.ts';

export const topicTrees = table('topic_trees', { key: { subject_id: 'uuid' }, columns: { title: harmless('text') } });

export const topics = table('topics', {
  key: { subject_id: 'uuid', topic_id: 'uuid' },
  columns: {
    name: harmless('text'),
    /** null: at the top */
    parent_id: 'uuid?',
    /** order in the tree, parents before their children */
    place: 'int4',
    /** removed from the tree; its mappings are kept, but do not count until it is back */
    hidden: 'bool',
  },
});

/** The pre-requisite topics of a topic of a scheme of work (NLPSoW). */
export const schemeTopicMaps = table('scheme_topic_maps', {
  key: { scheme_topic_id: 'uuid' },
  columns: { subject_id: 'uuid', topic_ids: 'uuid[]' },
  indexes: [['school_id', 'subject_id']],
});

/** The topics that a question tests (NLPAssess). */
export const questionMaps = table('question_maps', {
  key: { question_id: 'uuid' },
  columns: { subject_id: 'uuid', topic_ids: 'uuid[]' },
  indexes: [['school_id', 'subject_id']],
});

/** The questions assigned by hand to a topic of a scheme of work (SoWMapping). */
export const prerequisites = table('prerequisites', {
  key: { scheme_topic_id: 'uuid' },
  columns: { subject_id: 'uuid', question_ids: 'uuid[]' },
  indexes: [['school_id', 'subject_id']],
});
