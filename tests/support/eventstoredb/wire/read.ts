import { setTimeout as pause } from 'node:timers/promises';
import type { handleServerStreamingCall, ServerWritableStream } from '@grpc/grpc-js';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { Request } from '../faults.ts';
import { handlerThrew, notReady, unexpectedResult } from './answers.ts';
import { nameOf } from './identifiers.ts';
import { refusalByFollower, type Node } from './node.ts';
import { Outlet } from './outlet.ts';
import { readAll } from './read-all.ts';
import { readStream } from './read-stream.ts';
import { subscribeToAll } from './subscribe-to-all.ts';

type Call = ServerWritableStream<ReadReq, Buffer>;

/** Reads and subscriptions, which share one call of the protocol. */
export const read =
  (node: Node): handleServerStreamingCall<ReadReq, Buffer> =>
  (call) => {
    call.on('error', () => undefined);
    void answer(node, call);
  };

async function answer(node: Node, call: Call): Promise<void> {
  const options = call.request.getOptions();
  const stream = options?.hasStream() ? nameOf(options.getStream()?.getStreamIdentifier()) : undefined;
  const request: Request = { method: options?.hasSubscription() ? 'subscribe' : 'read', ...(stream === undefined ? {} : { stream }) };
  if (node.faults.isSilent) await node.faults.spoken();
  const fault = node.faults.take(request);
  const outlet = new Outlet(node, call, fault);
  const refusal = refusalByFollower(node, call.metadata);
  if (fault?.kind === 'silence') return;
  if (fault?.kind === 'cut') return node.cut(call.getPeer());
  if (fault?.kind === 'not ready') return outlet.refuse(notReady());
  if (fault?.kind === 'failed') return outlet.refuse(unexpectedResult('ReadAllResult'));
  if (fault?.kind === 'slow') await pause(fault.ms);
  if (refusal) return outlet.refuse(refusal);
  if (!options) return outlet.refuse(handlerThrew());

  const earlier = fault?.kind === 'earlier' ? fault.events : 0;
  if (stream === undefined)
    await (options.hasSubscription() ? subscribeToAll(node, outlet, options, earlier) : readAll(node, outlet, options));
  else await readStream(node, outlet, options, stream);
}
