import type { AppendReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { ProposedEvent } from '../store/event.ts';
import { textOf } from './identifiers.ts';

/** undefined: without an id or a type, which the server refuses. */
export const proposedEvent = (message: AppendReq.ProposedMessage): ProposedEvent | undefined => {
  const id = textOf(message.getId());
  const described = message.getMetadataMap();
  const type = described.get('type');
  if (id === undefined || !type) return undefined;
  const contentType = described.get('content-type') ?? 'application/octet-stream';
  return { id, type, contentType, data: message.getData_asU8(), metadata: message.getCustomMetadata_asU8() };
};

export const bytesOfData = (events: readonly ProposedEvent[]): number => events.reduce((sum, { data }) => sum + data.length, 0);

/** The size of its record in the log: two bytes per letter of the type. */
export const bytesOfAll = (events: readonly ProposedEvent[]): number =>
  events.reduce((sum, { type, data, metadata }) => sum + data.length + metadata.length + 2 * type.length, 0);
