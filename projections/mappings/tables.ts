import { table } from '../engine/tables/table.ts';

export const topicTrees = table('topic_trees', { key: { subject_id: 'uuid' }, columns: { title: 'text' } });

export const topics = table('topics', {
  key: { subject_id: 'uuid', topic_id: 'uuid' },
  columns: {
    name: 'text',
    /** null: at the top */
    parent_id: 'uuid?',
    /** in the tree, parents before what lies below them */
    place: 'int4',
    /** left the tree; what is bound to it is kept, and counts for nothing until it is back */
    hidden: 'bool',
  },
});

/** The topics of the tree that a topic of a scheme of work stands on (NLPSoW). */
export const schemeTopicMaps = table('scheme_topic_maps', {
  key: { scheme_topic_id: 'uuid' },
  columns: { subject_id: 'uuid', topic_ids: 'uuid[]' },
  indexes: [['school_id', 'subject_id']],
});

/** The topics of the tree that a question asks for (NLPAssess). */
export const questionMaps = table('question_maps', {
  key: { question_id: 'uuid' },
  columns: { subject_id: 'uuid', topic_ids: 'uuid[]' },
  indexes: [['school_id', 'subject_id']],
});

/** The questions that bear on a topic of a scheme of work by hand (SoWMapping). */
export const prerequisites = table('prerequisites', {
  key: { scheme_topic_id: 'uuid' },
  columns: { subject_id: 'uuid', question_ids: 'uuid[]' },
  indexes: [['school_id', 'subject_id']],
});
