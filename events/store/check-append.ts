import { AppendTooLarge, EventIdTaken, MAX_APPEND_BYTES } from './port.ts';
import type { NewEvent, StreamId } from './port.ts';

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
