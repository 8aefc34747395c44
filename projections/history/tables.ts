import { table } from '../engine/table.ts';

/**
 * The index of each school's events: what stands where in the log, so that one school's events are found without reading everybody's.
 * Positions are this log's and stay in here: whoever shows or stores an event names it by id, or by stream and revision.
 */
export const history = table('history', {
  key: { position: 'int8' },
  columns: {
    event_id: 'uuid',
    stream: 'text',
    revision: 'int8',
    /** `Part`: of an event that was too large for one append */
    type: 'text',
    /** when the server took the command. null, like all below: an event without an envelope of ours */
    at: 'timestamptz?',
    account_id: 'uuid?',
    role: 'text?',
    command_id: 'uuid?',
    /** where the event names one itself; null otherwise, and for parts */
    subject_id: 'uuid?',
  },
  indexes: [
    ['school_id', 'event_id'],
    ['school_id', 'at'],
    ['school_id', 'account_id', 'position'],
    ['school_id', 'type', 'position'],
    ['school_id', 'stream', 'position'],
    ['school_id', 'subject_id', 'position'],
  ],
});
