import type { handleBidiStreamingCall, ServerDuplexStream } from '@grpc/grpc-js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { UUID } from '@eventstore/db-client/generated/shared_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { ProposedEvent } from '../store/event.ts';
import type { Appended, Expected } from '../store/store.ts';
import { messageTooLarge } from './answers.ts';
import { badRequest, deleted, notReadyYet, timeout, tooMuch, wrongExpectedVersion, type BatchError } from './batch-errors.ts';
import { identifierOf, nameOf, textOf } from './identifiers.ts';
import { isTooLarge, type Sized } from './message-size.ts';
import { refusalByFollower, type Node } from './node.ts';
import { perform } from './perform.ts';
import { bytesOfData, proposedEvent } from './proposed.ts';

type Call = ServerDuplexStream<Sized<BatchAppendReq>, BatchAppendResp>;

/** The parts received so far of an append. `events` undefined: one of them was invalid. */
type Parts = { id: UUID; options: BatchAppendReq.Options; events: ProposedEvent[] | undefined };

/** BatchAppend: one call for all appends of a client, which arrive in parts under a correlation id and are answered as they complete. */
export const batchAppend =
  (node: Node): handleBidiStreamingCall<Sized<BatchAppendReq>, BatchAppendResp> =>
  (call) => {
    const refused = refusalByFollower(node, call.metadata);
    const open = new Map<string, Parts>();
    call.on('error', () => undefined);
    call.on('end', () => call.end());
    call.on('data', (message: Sized<BatchAppendReq>) => {
      if (refused) return call.emit('error', refused);
      if (isTooLarge(message)) return call.emit('error', messageTooLarge());
      const id = message.getCorrelationId();
      const key = textOf(id) ?? '';
      const options = message.getOptions();
      if (id && options) open.set(key, { id, options, events: [] });
      const parts = open.get(key);
      // Parts of an unknown append are not answered.
      if (!parts) return undefined;
      for (const proposed of message.getProposedMessagesList()) {
        const event = proposedEvent(proposed);
        if (event) parts.events?.push(event);
        else parts.events = undefined;
      }
      if (!message.getIsFinal()) return undefined;
      open.delete(key);
      return void finish(node, call, parts);
    });
  };

async function finish(node: Node, call: Call, { id, options, events }: Parts): Promise<void> {
  const stream = nameOf(options.getStreamIdentifier());
  const expected = expectedIn(options);
  const deadline = options.getDeadline()?.toDate().getTime() ?? Infinity;
  const answer = (result: BatchError | (Appended & { kind: 'appended' })) => {
    if (call.writable && !call.cancelled) call.write(response(id, stream, result));
  };
  if (!events || expected === undefined || stream === '') return answer(badRequest());
  if (bytesOfData(events) > node.faults.maxAppendSize) return answer(tooMuch(node.faults.maxAppendSize));
  if (deadline <= Date.now()) return answer(timeout());

  const late = () =>
    call.cancelled ? ({ kind: 'silence' } as const) : deadline <= Date.now() ? ({ kind: 'timeout' } as const) : undefined;
  const outcome = await perform(node, { method: 'batchAppend', stream }, { events, expected }, late);
  switch (outcome.kind) {
    case 'silence':
      return undefined;
    case 'cut':
      return node.cut(call.getPeer());
    case 'not ready':
      return answer(notReadyYet());
    case 'timeout':
      return answer(timeout());
    case 'deleted':
      return answer(deleted(stream));
    case 'wrong':
      return answer(wrongExpectedVersion(expected, outcome.actual));
    case 'appended':
      return answer(outcome);
  }
}

const expectedIn = (options: BatchAppendReq.Options): Expected | undefined => {
  if (options.hasStreamPosition()) return BigInt(options.getStreamPosition());
  if (options.hasNoStream()) return 'no_stream';
  if (options.hasAny()) return 'any';
  return options.hasStreamExists() ? 'stream_exists' : undefined;
};

const response = (id: UUID, stream: string, result: BatchError | (Appended & { kind: 'appended' })): BatchAppendResp => {
  const message = new streams.BatchAppendResp();
  message.setCorrelationId(id);
  message.setStreamIdentifier(identifierOf(stream));
  if (!('kind' in result)) {
    message.setError(result);
    return message;
  }
  const success = new streams.BatchAppendResp.Success();
  if (result.revision === 'no_stream') success.setNoStream(new shared.Empty());
  else success.setCurrentRevision(String(result.revision));
  const position = new shared.AllStreamPosition();
  position.setCommitPosition(String(result.position));
  position.setPreparePosition(String(result.position));
  success.setPosition(position);
  message.setSuccess(success);
  return message;
};
