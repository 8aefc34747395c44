import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ExpectedRevision, NewEvent, Position, RecordedEvent, StreamId } from '../port.ts';

/** What goes over the wire: the messages of Append and Read, and what their answers mean. A position is the commit position. */

type AppendReq = streams.AppendReq;
type ReadReq = streams.ReadReq;

/** First where it goes, then a message for each event. */
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

/** The server keeps the bytes as they are; the content type says that people and projections may read them as JSON. */
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

/** Undefined: an answer that says nothing. */
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

/** Events of a stream, from a revision on (that one included) or the newest one. The server is asked to say when that was all: see `isAll`. */
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

/** Whether the message says that the stream was read as far as was asked for, or does not exist. A server that breaks off does not say so. */
export const isAll = (message: streams.ReadResp): boolean => message.hasLastStreamPosition() || message.hasStreamNotFound();

/** Everything, the server's own events among it, from a position on. That one is included. */
export const readAllFrom = (from: Position, count: number): ReadReq =>
  request((read) => read.setAll(at(from)).setReadDirection(FORWARDS).setCount(String(count)).setNoFilter(new shared.Empty()));

/** Everything before the position of an event, that one excluded, the newest first. */
export const readAllBefore = (before: Position | 'end', count: number): ReadReq =>
  request((read) =>
    read
      .setAll(before === 'end' ? new streams.ReadReq.Options.AllOptions().setEnd(new shared.Empty()) : at(before, before))
      .setReadDirection(BACKWARDS)
      .setCount(String(count))
      .setNoFilter(new shared.Empty()),
  );

/**
 * Rings for each event that is written from now on, without bringing it: a filter that no stream passes, with a checkpoint after every
 * event that it looked at.
 */
export const ringForEach = (): ReadReq => {
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
 * The commit position alone names an event or a checkpoint: prepare 0 is taken with each of them, everywhere. Not so backwards: both are
 * compared with the place where an event ends, and with prepare 0 the event directly before would be left out.
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

/** An event as it came, its texts not yet made. */
export type Arrived = {
  readonly stream: StreamId;
  readonly revision: bigint;
  readonly position: Position;
  /** Not one that the server wrote for itself. */
  readonly isOwn: boolean;
  recorded(): RecordedEvent;
};

/** Undefined: a message about something else than an event. */
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

/** What a subscription says besides events. */
export const signIn = (message: streams.ReadResp): { readonly confirmed: boolean; readonly position: Position | undefined } => {
  const checkpoint = message.getCheckpoint();
  return { confirmed: message.hasConfirmation(), position: checkpoint && BigInt(checkpoint.getCommitPosition()) };
};

/** Names of streams and types that the server keeps for itself: they are left out of every reading. */
export const isReserved = (name: string): boolean => name.startsWith('$');

const text = (raw: Uint8Array | undefined): string => (raw ? Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString() : '');
