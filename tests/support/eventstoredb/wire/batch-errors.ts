import statuses from '@eventstore/db-client/generated/status_pb.js';
import type { Status } from '@eventstore/db-client/generated/status_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { Expected } from '../store/store.ts';
import { identifierOf } from './identifiers.ts';

/** Why one append of a BatchAppend call failed: a google.rpc.Status with typed details. */
export type BatchError = Status;

export const timeout = (): BatchError => error(4, 'Timeout', 'event_store.client.Timeout', new shared.Timeout());

export const badRequest = (): BatchError => error(3, 'BadRequest', 'event_store.client.BadRequest', new shared.BadRequest());

export const notReadyYet = (): BatchError => error(14, 'Server Is Not Ready', 'google.protobuf.Empty', new shared.Empty());

export const tooMuch = (limit: number): BatchError => {
  const details = new shared.MaximumAppendSizeExceeded();
  details.setMaxappendsize(limit);
  return error(3, 'MaximumAppendSizeExceeded', 'event_store.client.MaximumAppendSizeExceeded', details);
};

export const deleted = (stream: string): BatchError => {
  const details = new shared.StreamDeleted();
  details.setStreamIdentifier(identifierOf(stream));
  return error(5, 'StreamDeleted', 'event_store.client.StreamDeleted', details);
};

export const wrongExpectedVersion = (expected: Expected, actual: bigint | 'no_stream'): BatchError => {
  const details = new shared.WrongExpectedVersion();
  if (actual === 'no_stream') details.setCurrentNoStream(new shared.Empty());
  else details.setCurrentStreamRevision(String(actual));
  if (expected === 'any') details.setExpectedAny(new shared.Empty());
  else if (expected === 'no_stream') details.setExpectedNoStream(new shared.Empty());
  else if (expected === 'stream_exists') details.setExpectedStreamExists(new shared.Empty());
  else details.setExpectedStreamPosition(String(expected));
  return error(6, 'WrongExpectedVersion', 'event_store.client.WrongExpectedVersion', details);
};

const error = (code: number, message: string, type: string, details: { serializeBinary(): Uint8Array }): BatchError => {
  const packed = [field(1, Buffer.from(`type.googleapis.com/${type}`)), field(2, Buffer.from(details.serializeBinary()))];
  const bytes = [Buffer.from([8, code]), field(2, Buffer.from(message)), field(3, Buffer.concat(packed))];
  return statuses.Status.deserializeBinary(Buffer.concat(bytes));
};

/** A bytes field on the wire. google.protobuf.Any needs it and is not among the client's stubs; all values here are short. */
const field = (number: number, bytes: Buffer): Buffer => {
  const length = bytes.length < 128 ? [bytes.length] : [(bytes.length & 127) | 128, bytes.length >> 7];
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...length]), bytes]);
};
