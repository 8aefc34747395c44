import { harmless, table } from '../engine/tables/table.ts';

/**
 * An index of each school's events by position in the log, so that one school's events are found without reading all. Positions are only
 * valid in this log and are used only here: elsewhere an event is referred to by id, or by stream and revision.
 */
export const history = table('history', {
  key: { position: 'int8' },
  columns: {
    event_id: 'uuid',
    stream: harmless('text'),
    revision: 'int8',
    /** `Part`: a part of an event that was too large for one append */
    type: harmless('text'),
    /** when the server received the command. This and all columns below are null for an event without our metadata */
    at: 'timestamptz?',
    account_id: 'uuid?',
    role: harmless('text?'),
    command_id: 'uuid?',
    /** null if the event does not name one, and for parts */
    subject_id: 'uuid?',
  },
  indexes: [
    { columns: ['school_id', 'event_id'], late: true },
    { columns: ['school_id', 'at'], late: true },
    { columns: ['school_id', 'account_id', 'position'], late: true },
    { columns: ['school_id', 'type', 'position'], late: true },
    { columns: ['school_id', 'stream', 'position'], late: true },
    { columns: ['school_id', 'subject_id', 'position'], late: true },
  ],
});
