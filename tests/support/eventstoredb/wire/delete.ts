import type { handleUnaryCall } from '@grpc/grpc-js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { DeleteReq, DeleteResp, TombstoneReq, TombstoneResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { Expected } from '../store/store.ts';
import { notReady, streamDeleted, timedOut, wrongVersion, type Refusal } from './answers.ts';
import { nameOf } from './identifiers.ts';
import { refusalByFollower, type Node } from './node.ts';

/** Soft delete: the stream can be started again. */
export const deleteStream =
  (node: Node): handleUnaryCall<DeleteReq, DeleteResp> =>
  async (call, answer) => {
    const done = refusalByFollower(node, call.metadata) ?? (await close(node, 'delete', call.request.getOptions()));
    if (typeof done !== 'bigint') return answer(done);
    const at = new streams.DeleteResp.Position().setCommitPosition(String(done)).setPreparePosition(String(done));
    answer(null, new streams.DeleteResp().setPosition(at));
  };

/** Tombstone: the stream cannot be used again. */
export const tombstoneStream =
  (node: Node): handleUnaryCall<TombstoneReq, TombstoneResp> =>
  async (call, answer) => {
    const done = refusalByFollower(node, call.metadata) ?? (await close(node, 'tombstone', call.request.getOptions()));
    if (typeof done !== 'bigint') return answer(done);
    const at = new streams.TombstoneResp.Position().setCommitPosition(String(done)).setPreparePosition(String(done));
    answer(null, new streams.TombstoneResp().setPosition(at));
  };

/** @returns the position of the written record */
async function close(
  { writer, faults }: Node,
  method: 'delete' | 'tombstone',
  options: DeleteReq.Options | TombstoneReq.Options | undefined,
): Promise<bigint | Refusal> {
  const stream = nameOf(options?.getStreamIdentifier());
  if (faults.isSilent) await faults.spoken();
  if (faults.take({ method, stream })?.kind === 'not ready') return notReady();
  const expected = expectedIn(options);
  const done = await writer.done(writer.store[method](stream, expected));
  switch (done?.kind) {
    case 'appended':
      return done.position;
    case 'wrong':
      return wrongVersion(stream, numberOf(expected), numberOf(done.actual));
    case 'deleted':
      return streamDeleted(stream);
    case undefined:
      return timedOut('Prepare phase timeout.');
  }
}

const expectedIn = (options: DeleteReq.Options | TombstoneReq.Options | undefined): Expected => {
  if (options?.hasRevision()) return BigInt(options.getRevision());
  if (options?.hasNoStream()) return 'no_stream';
  return options?.hasStreamExists() ? 'stream_exists' : 'any';
};

const numberOf = (expected: Expected): bigint =>
  typeof expected === 'bigint' ? expected : { no_stream: -1n, any: -2n, stream_exists: -4n }[expected];
