import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { StoredEvent } from '../store/event.ts';
import { streamDeleted } from './answers.ts';
import { goLive } from './live.ts';
import type { Node } from './node.ts';
import type { Outlet } from './outlet.ts';
import { caughtUpMessage, confirmationMessage, eventMessage } from './read-response.ts';

/** From after a revision: existing events, then live ones. A missing stream counts as caught up only once it has events. */
export const subscribeToStream = async (node: Node, outlet: Outlet<ReadReq>, options: ReadReq.Options, name: string): Promise<void> => {
  const { writer } = node;
  const { store } = writer;
  if (store.stream(name)?.tombstone !== undefined) return outlet.refuse(streamDeleted(name));
  const links = options.getResolveLinks() ? store : undefined;
  const show = (event: StoredEvent) => outlet.sendEvent(eventMessage(event, links));
  void outlet.send(confirmationMessage());
  outlet.breakIfDue();

  let next = writer.committed;
  const asked = options.getStream();
  if (!asked?.hasEnd()) {
    const stream = store.stream(name);
    let revision = Math.max(asked?.hasStart() ? 0 : Number(asked?.getRevision()) + 1, stream?.first ?? 0);
    // Events committed during the read belong to the catch-up.
    for (
      let index = stream?.events[revision];
      index !== undefined && index < writer.committed && outlet.isOpen;
      index = stream?.events[revision]
    ) {
      const event = store.log.events[index];
      const wait = event && show(event);
      if (wait) await wait;
      revision++;
    }
    next = writer.committed;
  }
  if (!outlet.isOpen) return;

  let isCaughtUp = store.lastRevision(name) !== 'no_stream';
  if (isCaughtUp) void outlet.send(caughtUpMessage());
  const skipBelow = asked?.hasRevision() ? BigInt(asked.getRevision()) : -1n;
  goLive(node, outlet, next, (event) => {
    if (event.stream !== name || event.revision <= skipBelow) return;
    void show(event);
    if (event.type === '$streamDeleted') outlet.refuse(streamDeleted(name));
    if (!isCaughtUp && store.log.events.at(-1) === event) void outlet.send(caughtUpMessage());
    isCaughtUp ||= store.log.events.at(-1) === event;
  });
};
