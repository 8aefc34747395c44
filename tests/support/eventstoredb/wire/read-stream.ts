import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { streamDeleted, unexpectedResult } from './answers.ts';
import type { Node } from './node.ts';
import type { Outlet } from './outlet.ts';
import { eventMessage, lastStreamPositionMessage, streamNotFoundMessage } from './read-response.ts';

/** From a revision, inclusive, in either direction. */
export const readStream = async (node: Node, outlet: Outlet<ReadReq>, options: ReadReq.Options, name: string): Promise<void> => {
  const { store, committed } = node.writer;
  const stream = store.stream(name);
  const asked = options.getStream();
  const isForwards = options.getReadDirection() === streams.ReadReq.Options.ReadDirection.FORWARDS;
  const count = Number(options.getCount());
  if (count === 0 || (isForwards && asked?.hasEnd())) return outlet.refuse(unexpectedResult('ReadStreamResult'));
  if (stream?.tombstone !== undefined) return outlet.refuse(streamDeleted(name));
  if (!stream || (stream.events[0] ?? committed) >= committed) {
    void outlet.send(streamNotFoundMessage(name));
    return outlet.end();
  }

  const last = stream.events.length - 1;
  const from = asked?.hasStart() ? 0 : asked?.hasEnd() ? last : Number(asked?.getRevision());
  let revision = isForwards ? Math.max(from, stream.first) : Math.min(from, last);
  for (let left = count; left > 0 && outlet.isOpen && revision >= stream.first; left--) {
    const event = store.log.events[stream.events[revision] ?? -1];
    if (!event || (stream.events[revision] ?? 0) >= node.writer.committed) break;
    const wait = outlet.sendEvent(eventMessage(event, options.getResolveLinks() ? store : undefined));
    if (wait) await wait;
    revision += isForwards ? 1 : -1;
  }
  if (Number(options.getControlOption()?.getCompatibility()) >= 1) void outlet.send(lastStreamPositionMessage(last));
  outlet.end();
};
