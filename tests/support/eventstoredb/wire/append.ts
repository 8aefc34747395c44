import { setImmediate as nextTurn } from 'node:timers/promises';
import type { handleClientStreamingCall, sendUnaryData, ServerReadableStream } from '@grpc/grpc-js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { AppendReq, AppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { ProposedEvent } from '../store/event.ts';
import type { Appended, Expected } from '../store/store.ts';
import { handlerThrew, messageTooLarge, notReady, streamDeleted, timedOut, tooMuchToAppend, type Refusal } from './answers.ts';
import { nameOf } from './identifiers.ts';
import { isTooLarge, type Sized } from './message-size.ts';
import { isSince, refusalByFollower, type Node } from './node.ts';
import { perform } from './perform.ts';
import { bytesOfAll, bytesOfData, proposedEvent } from './proposed.ts';

type Call = ServerReadableStream<Sized<AppendReq>, AppendResp>;
type Answer = sendUnaryData<AppendResp>;

/** The classic Append: one call per append, first its options, then one message per event. */
export const append =
  (node: Node): handleClientStreamingCall<Sized<AppendReq>, AppendResp> =>
  (call, answer) => {
    let options: AppendReq.Options | undefined;
    let refused: Refusal | undefined = refusalByFollower(node, call.metadata);
    const events: ProposedEvent[] = [];
    call.on('data', (message: Sized<AppendReq>) => {
      if (isTooLarge(message)) refused ??= messageTooLarge();
      else if (message.hasOptions()) options = message.getOptions();
      else {
        const proposed = message.getProposedMessage();
        const event = proposed && proposedEvent(proposed);
        if (event) events.push(event);
        else refused ??= handlerThrew();
      }
    });
    call.on('end', async () => {
      // An aborted request also ends the stream, and is recognised a moment later. An incomplete append must not be written.
      await nextTurn();
      if (call.cancelled) return;
      const expected = options && expectedIn(options);
      const stream = nameOf(options?.getStreamIdentifier());
      if (expected === undefined || stream === '') refused ??= handlerThrew();
      if ((isSince(node, COUNTS_ALL) ? bytesOfAll(events) : bytesOfData(events)) > node.faults.maxAppendSize)
        refused ??= tooMuchToAppend(node.faults.maxAppendSize);
      if (refused) answer(refused);
      else void finish(node, call, answer, stream, { events, expected: expected ?? 'any' });
    });
    call.on('error', () => undefined);
  };

/** From 25.0 metadata and type count too. */
const COUNTS_ALL = { major: 25, minor: 0 };

async function finish(
  node: Node,
  call: Call,
  answer: Answer,
  stream: string,
  append: { events: ProposedEvent[]; expected: Expected },
): Promise<void> {
  const outcome = await perform(node, { method: 'append', stream }, append, () => (call.cancelled ? { kind: 'silence' } : undefined));
  switch (outcome.kind) {
    case 'silence':
      return;
    case 'cut':
      return node.cut(call.getPeer());
    case 'not ready':
      return answer(notReady());
    case 'timeout':
      return answer(timedOut('Prepare phase timeout.'));
    case 'deleted':
      return answer(streamDeleted(stream));
    case 'appended':
      return answer(null, success(outcome));
    case 'wrong':
      return answer(null, wrongExpectedVersion(append.expected, outcome.actual));
  }
}

const expectedIn = (options: AppendReq.Options): Expected | undefined => {
  if (options.hasRevision()) return BigInt(options.getRevision());
  if (options.hasNoStream()) return 'no_stream';
  if (options.hasAny()) return 'any';
  return options.hasStreamExists() ? 'stream_exists' : undefined;
};

const success = ({ revision, position, ...outcome }: Appended & { kind: 'appended' }): AppendResp => {
  const success = new streams.AppendResp.Success();
  if (revision === 'no_stream') success.setNoStream(new shared.Empty());
  else success.setCurrentRevision(String(revision));
  const at = new streams.AppendResp.Position();
  at.setCommitPosition(String(position));
  at.setPreparePosition(String(position));
  if ('withoutPosition' in outcome) success.setNoPosition(new shared.Empty());
  else success.setPosition(at);
  const response = new streams.AppendResp();
  response.setSuccess(success);
  return response;
};

const wrongExpectedVersion = (expected: Expected, actual: bigint | 'no_stream'): AppendResp => {
  const wrong = new streams.AppendResp.WrongExpectedVersion();
  if (actual === 'no_stream') wrong.setCurrentNoStream(new shared.Empty());
  else wrong.setCurrentRevision(String(actual));
  if (expected === 'any') wrong.setExpectedAny(new shared.Empty());
  else if (expected === 'no_stream') wrong.setExpectedNoStream(new shared.Empty());
  else if (expected === 'stream_exists') wrong.setExpectedStreamExists(new shared.Empty());
  else wrong.setExpectedRevision(String(expected));
  const response = new streams.AppendResp();
  response.setWrongExpectedVersion(wrong);
  return response;
};
