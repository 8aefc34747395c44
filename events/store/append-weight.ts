import { MAX_APPEND_BYTES, type NewEvent } from './port.ts';

/**
 * Bytes that an event takes in an append, counted generously: its texts, and what is around them on the wire (id, content type, lengths).
 * An EventStoreDB 23.10 counts data alone towards its limit; another version, or a proxy before it, may count everything.
 */
export const weightOf = ({ type, data, metadata }: NewEvent): number =>
  Buffer.byteLength(data) + Buffer.byteLength(metadata) + Buffer.byteLength(type) + AROUND_EVENT;
const AROUND_EVENT = 256;

/** What the events of an append weigh together at most below such a limit of the log, with room for the name of the stream. */
export const weightWithin = (limit: number): number => limit - 16 * 1024;

/** The same below every log's own limit. */
export const MAX_APPEND_WEIGHT = weightWithin(MAX_APPEND_BYTES);
