import { MAX_APPEND_BYTES, type NewEvent } from './port.ts';

/**
 * Bytes that an event takes in an append, estimated generously: its texts, and what surrounds them on the wire (id, content type, lengths).
 * EventStoreDB 23.10 only counts data towards its limit; another version, or a proxy in front of it, may count everything.
 */
export const weightOf = ({ type, data, metadata }: NewEvent): number =>
  Buffer.byteLength(data) + Buffer.byteLength(metadata) + Buffer.byteLength(type) + AROUND_EVENT;
const AROUND_EVENT = 256;

/** The most that the events of one append should weigh if the log has this limit, with room for the name of the stream. */
export const weightWithin = (limit: number): number => limit - 16 * 1024;

/** The same for the limit of every adapter. */
export const MAX_APPEND_WEIGHT = weightWithin(MAX_APPEND_BYTES);
