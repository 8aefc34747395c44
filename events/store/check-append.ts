import { AppendTooLarge, EventIdTaken, MAX_APPEND_BYTES, type NewEvent, type StreamId } from './port.ts';

/**
 * Checks that every adapter makes before it accesses its log.
 *
 * @throws AppendTooLarge; EventIdTaken for an id twice in one append; RangeError for no events at all
 */
export const checkAppend = (stream: StreamId, events: readonly NewEvent[]): void => {
  if (events.length === 0) throw new RangeError(`an append to ${stream} without events`);
  const bytes = events.reduce((sum, event) => sum + Buffer.byteLength(event.data), 0);
  if (bytes > MAX_APPEND_BYTES) throw new AppendTooLarge(stream, bytes);
  if (new Set(events.map((event) => event.id)).size < events.length) throw new EventIdTaken(stream);
};

/**
 * Bytes that an event takes in an append, estimated generously: its texts, and what surrounds them on the wire (id, content type, lengths).
 * EventStoreDB 23.10 only counts data towards its limit; another version, or a proxy in front of it, may count everything.
 */
export const weightOf = ({ type, data, metadata }: NewEvent): number =>
  Buffer.byteLength(data) + Buffer.byteLength(metadata) + Buffer.byteLength(type) + AROUND_EVENT;
const AROUND_EVENT = 256;

/** The most that the events of one append should weigh under this limit of a log: leaves room for the name of the stream. */
export const weightWithin = (limit: number): number => limit - 16 * 1024;

/** The same for the limit of every adapter. */
export const MAX_APPEND_WEIGHT = weightWithin(MAX_APPEND_BYTES);
