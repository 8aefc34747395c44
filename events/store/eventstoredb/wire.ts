import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ExpectedRevision, NewEvent, Position, RecordedEvent, StreamId } from '../port.ts';

/** The messages of Append and Read, and the meaning of their answers. A position is the commit position. */

type AppendReq = streams.AppendReq;
type ReadReq = streams.ReadReq;

/** First the stream and expected revision, then a message for each event. */
export const appendMessages = (stream: StreamId, events: readonly NewEvent[], expected: ExpectedRevision): AppendReq[] => [
  new streams.AppendReq().setOptions(appendOptions(stream, expected)),
  ...events.map((event) => new streams.AppendReq().setProposedMessage(proposed(event))),
];

const appendOptions = (stream: StreamId, expected: ExpectedRevision): streams.AppendReq.Options => {
  const options = new streams.AppendReq.Options().setStreamIdentifier(identifier(stream));
  if (expected === 'none') return options.setNoStream(new shared.Empty());
  if (expected === 'any') return options.setAny(new shared.Empty());
  return options.setRevision(String(expected));
};

/** The server stores the bytes unchanged; the content type lets its own projections and tools read them as JSON. */
const proposed = ({ id, type, data, metadata }: NewEvent): streams.AppendReq.ProposedMessage => {
  const message = new streams.AppendReq.ProposedMessage();
  message.setId(new shared.UUID().setString(id)).setData(bytes(data)).setCustomMetadata(bytes(metadata));
  message.getMetadataMap().set('type', type).set('content-type', 'application/json');
  return message;
};

export type Written =
  | { readonly written: true; readonly revision: bigint; readonly position: Position | undefined }
  /** `actual` undefined: the server does not say */
  | { readonly written: false; readonly actual: bigint | 'none' | undefined };

/** Undefined: an empty answer. */
export const writtenIn = (answer: streams.AppendResp): Written | undefined => {
  const success = answer.getSuccess();
  if (success?.hasCurrentRevision() === true) {
    const position = success.getPosition();
    return { written: true, revision: BigInt(success.getCurrentRevision()), position: position && BigInt(position.getCommitPosition()) };
  }
  const conflict = answer.getWrongExpectedVersion();
  if (!conflict) return undefined;
  const actual = conflict.hasCurrentRevision() ? BigInt(conflict.getCurrentRevision()) : conflict.hasCurrentNoStream() ? 'none' : undefined;
  return { written: false, actual };
};

/** Events of a stream, from a revision on (included) or the newest one. Asks the server to confirm the end of the stream: see `isAll`. */
export const readStream = (stream: StreamId, from: bigint | 'newest', count: number): ReadReq => {
  const options = new streams.ReadReq.Options.StreamOptions().setStreamIdentifier(identifier(stream));
  if (from === 'newest') options.setEnd(new shared.Empty());
  else options.setRevision(String(from));
  return request((read) =>
    read
      .setStream(options)
      .setReadDirection(from === 'newest' ? BACKWARDS : FORWARDS)
      .setCount(String(count))
      .setNoFilter(new shared.Empty())
      .setControlOption(new streams.ReadReq.Options.ControlOption().setCompatibility(1)),
  );
};

/**
 * Whether the message confirms that the stream was read as far as requested, or does not exist. An interrupted read has no such message.
 */
export const isAll = (message: streams.ReadResp): boolean => message.hasLastStreamPosition() || message.hasStreamNotFound();

/** All events from a position on (included), the server's own among them. */
export const readAllFrom = (from: Position, count: number): ReadReq =>
  request((read) => read.setAll(at(from)).setReadDirection(FORWARDS).setCount(String(count)).setNoFilter(new shared.Empty()));

/** All events before the position of an event (excluded), newest first. */
export const readAllBefore = (before: Position | 'end', count: number): ReadReq =>
  request((read) =>
    read
      .setAll(before === 'end' ? new streams.ReadReq.Options.AllOptions().setEnd(new shared.Empty()) : at(before, before))
      .setReadDirection(BACKWARDS)
      .setCount(String(count))
      .setNoFilter(new shared.Empty()),
  );

/**
 * A subscription that delivers only the position of each new event: its filter matches no stream, and it sends a checkpoint after every
 * event.
 */
export const subscribeToPositions = (): ReadReq => {
  const filter = new streams.ReadReq.Options.FilterOptions();
  filter.setStreamIdentifier(new streams.ReadReq.Options.FilterOptions.Expression().setPrefixList([NO_STREAM]));
  filter.setMax(1).setCheckpointintervalmultiplier(1);
  return request((read) =>
    read
      .setAll(new streams.ReadReq.Options.AllOptions().setEnd(new shared.Empty()))
      .setSubscription(new streams.ReadReq.Options.SubscriptionOptions())
      .setFilter(filter),
  );
};

const NO_STREAM = '$no-stream-is-called-so$';
const FORWARDS = 0;
const BACKWARDS = 1;

const request = (fill: (options: streams.ReadReq.Options) => void): ReadReq => {
  const options = new streams.ReadReq.Options().setResolveLinks(false);
  options.setUuidOption(new streams.ReadReq.Options.UUIDOption().setString(new shared.Empty()));
  fill(options);
  return new streams.ReadReq().setOptions(options);
};

/**
 * Reading forwards, the commit position is enough to identify an event or a checkpoint: the server accepts prepare position 0 with any of
 * them. Backwards it compares both with the end of an event, and with prepare 0 the event directly before would be left out.
 */
const at = (position: Position, prepare: Position = 0n): streams.ReadReq.Options.AllOptions => {
  const options = new streams.ReadReq.Options.AllOptions();
  if (position === 0n) return options.setStart(new shared.Empty());
  const place = new streams.ReadReq.Options.Position();
  return options.setPosition(place.setCommitPosition(String(position)).setPreparePosition(String(prepare)));
};

const identifier = (stream: StreamId) => new shared.StreamIdentifier().setStreamName(bytes(stream));

const bytes = (text: string): Uint8Array => encoder.encode(text);
const encoder = new TextEncoder();

/** An event as received, its texts not yet decoded. */
export type Arrived = {
  readonly stream: StreamId;
  readonly revision: bigint;
  readonly position: Position;
  /** False for the server's own events. */
  readonly isOwn: boolean;
  recorded(): RecordedEvent;
};

/** Undefined: the message is not an event. */
export const arrivedIn = (message: streams.ReadResp): Arrived | undefined => {
  const event = message.getEvent()?.getEvent();
  if (!event) return undefined;
  const type = event.getMetadataMap().get('type') ?? '';
  const stream = text(event.getStreamIdentifier()?.getStreamName_asU8());
  const position = BigInt(event.getCommitPosition());
  const revision = BigInt(event.getStreamRevision());
  return {
    stream,
    revision,
    position,
    isOwn: !isReserved(type) && !isReserved(stream),
    recorded: () => ({
      id: event.getId()?.getString() ?? '',
      type,
      stream,
      revision,
      position,
      data: text(event.getData_asU8()),
      metadata: text(event.getCustomMetadata_asU8()),
    }),
  };
};

/** The messages of a subscription other than events. */
export const noticeIn = (message: streams.ReadResp): { readonly confirmed: boolean; readonly position: Position | undefined } => {
  const checkpoint = message.getCheckpoint();
  return { confirmed: message.hasConfirmation(), position: checkpoint && BigInt(checkpoint.getCommitPosition()) };
};

/** Names of streams and types that are the server's own, and skipped by every read. */
export const isReserved = (name: string): boolean => name.startsWith('$');

const text = (raw: Uint8Array | undefined): string => (raw ? Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString() : '');
