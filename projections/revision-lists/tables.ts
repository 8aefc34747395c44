import { harmless, table } from '../engine/tables/table.ts';

/** The headers of a subject's revision lists. */
export const revisionHeaders = table('revision_headers', {
  key: { header_id: 'uuid' },
  columns: {
    subject_id: 'uuid',
    name: harmless('text'),
    /** in the order that counts, from 1; null: it was never put in order, and comes after those that were */
    place: 'int4?',
    /** how many were added to the subject before */
    added: 'int4',
    deleted: 'bool',
  },
  indexes: [['school_id', 'subject_id']],
});

/** Where a question stands. */
export const revisionQuestions = table('revision_questions', {
  key: { question_id: 'uuid' },
  columns: {
    subject_id: 'uuid',
    /** null: under no header; a deleted one: the same, until it is restored */
    header_id: 'uuid?',
    /** shown instead of the topic */
    text: harmless('text?'),
  },
  indexes: [['school_id', 'subject_id']],
});
