import { harmless, table } from '../engine/tables/table.ts';

const test = {
  key: { test_id: 'uuid' },
  columns: {
    subject_id: 'uuid',
    name: harmless('text'),
    /** students may enter feedback */
    visible: 'bool',
    /** sum of the marks available; null: no questions yet */
    max: 'int4?',
  },
  indexes: [['school_id', 'subject_id']],
} as const;
export const tests = table('tests', test);
/** In a separate table, so that queries need no filter. Their questions and marks stay where they are. */
export const deletedTests = table('deleted_tests', test);

export const questions = table('questions', {
  key: { question_id: 'uuid' },
  columns: {
    test_id: 'uuid',
    number: 'int4',
    topic: harmless('text'),
    marks_available: 'int4',
    /** removed from the assessment; its marks are kept */
    hidden: 'bool',
    /** when it was; null: it is on the paper */
    removed_at: 'timestamptz?',
  },
  indexes: [['school_id', 'test_id']],
});
