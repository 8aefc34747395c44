import type { StreamIdentifier, UUID } from '@eventstore/db-client/generated/shared_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';

const UUID_TEXT = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export const nameOf = (identifier: StreamIdentifier | undefined): string =>
  Buffer.from(identifier?.getStreamName_asU8() ?? new Uint8Array()).toString();

export const identifierOf = (name: string): StreamIdentifier => {
  const identifier = new shared.StreamIdentifier();
  identifier.setStreamName(Buffer.from(name));
  return identifier;
};

/** In lower case, as the server returns it; undefined: not a UUID. */
export const textOf = (uuid: UUID | undefined): string | undefined => {
  const text = uuid?.hasStructured() ? fromHalves(uuid) : uuid?.getString().toLowerCase();
  return text !== undefined && UUID_TEXT.test(text) ? text : undefined;
};

export const uuidOf = (text: string): UUID => {
  const uuid = new shared.UUID();
  uuid.setString(text);
  return uuid;
};

const fromHalves = (uuid: UUID): string => {
  const halves = uuid.getStructured();
  const bytes = Buffer.alloc(16);
  bytes.writeBigInt64BE(BigInt(halves?.getMostSignificantBits() ?? 0), 0);
  bytes.writeBigInt64BE(BigInt(halves?.getLeastSignificantBits() ?? 0), 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
};
