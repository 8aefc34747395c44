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
    /** when the server received the command; null for an event without our metadata */
    at: 'timestamptz?',
  },
  indexes: [{ columns: ['school_id', 'at'], late: true }],
});

/** What happened, an event a row: who did what, to which things. The sentence is made when it is read, from the event in the log. */
export const record = table('record', {
  key: { position: 'int8' },
  columns: {
    event_id: 'uuid',
    stream: harmless('text'),
    revision: 'int8',
    type: harmless('text'),
    at: 'timestamptz',
    account_id: 'uuid',
    role: harmless('text'),
    /** as whom its author viewed the site */
    viewed_as: harmless('text?'),
    viewed_as_id: 'uuid?',
    command_id: 'uuid',
    /** the job that the command is a step of, or the command itself */
    act_id: 'uuid',
    /** the act that it undoes, as one */
    cause_id: 'uuid?',
    /** null: of the school, or of a person in several subjects */
    subject_id: 'uuid?',
    /** the id of everything that is named in it, of what caused it, and of everything named in the command that it takes back */
    things: 'uuid[]',
  },
  indexes: [
    ['school_id', 'command_id'],
    { columns: ['school_id', 'act_id'], late: true },
    { columns: ['school_id', 'event_id'], late: true },
    { columns: ['school_id', 'at'], late: true },
    { columns: ['school_id', 'account_id', 'position'], late: true },
    { columns: ['school_id', 'type', 'position'], late: true },
    { columns: ['school_id', 'stream'], late: true },
    { columns: ['school_id', 'subject_id', 'position'], late: true },
  ],
});

/**
 * The same by thing: whatever is named in an event finds it, the newest first. An index of the list in `record` could not: under row-level
 * security PostgreSQL uses only operators that give nothing away by failing, and those of lists are not among them.
 */
export const recordThings = table('record_things', { key: { thing: 'uuid', position: 'int8' }, columns: {} });

/** The subject of what a stream is of, where its later events do not name it. */
export const streamSubjects = table('stream_subjects', { key: { stream: harmless('text') }, columns: { subject_id: 'uuid' } });
