import type { PriorStatement } from '../../events/prior/prior.ts';
import { harmless, json, personal, table } from '../engine/tables/table.ts';

export const priorScores = table('prior_scores', {
  key: { terminal_exam_id: 'uuid', student_id: 'uuid' },
  columns: {
    /** the one that counts, as typed; null: all were undone */
    score: harmless('text?'),
    year_completed: 'int4?',
    /** every statement about it, in the order of the log */
    said: harmless(json<readonly PriorStatement[]>()),
  },
  indexes: [['school_id', 'student_id']],
});

/** An upload of scores, or what was typed at once. */
export const priorUploads = table('prior_uploads', {
  key: { command_id: 'uuid' },
  columns: {
    terminal_exam_id: 'uuid',
    subject_id: 'uuid',
    account_id: 'uuid',
    /** in the log: their order */
    position: 'int8',
    at: 'timestamptz',
    /** 'file', 'hand' */
    kind: harmless('text'),
    /** null: typed, or its author was forgotten */
    file_name: personal('text?', 'account_id'),
    year_completed: 'int4',
    student_ids: 'uuid[]',
    undone: 'bool',
  },
  indexes: [
    ['school_id', 'terminal_exam_id'],
    ['school_id', 'account_id'],
  ],
});
