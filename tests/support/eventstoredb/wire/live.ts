import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { StoredEvent } from '../store/event.ts';
import { tooSlow } from './answers.ts';
import { isSince, type Node } from './node.ts';
import type { Outlet } from './outlet.ts';

/**
 * The most events that a live subscription may fall behind. A true server keeps 32 in addition to what the connection holds in transit:
 * in trials, appends of 500 at once ended a subscription after 341 events or more; appends of 100, and 300 events for a paused reader,
 * did not.
 */
const LIVE_BUFFER = 340;
const FALLS_BEHIND = { major: 24, minor: 2 };

/**
 * Delivers each event from the index on as it is committed, until the subscription ends. A slow subscriber is dropped; from 24.2 it falls
 * behind instead and still receives everything.
 */
export const goLive = (node: Node, outlet: Outlet<ReadReq>, from: number, show: (event: StoredEvent) => void): void => {
  const { writer } = node;
  const { events } = writer.store.log;
  let next = from;
  const stop = writer.onCommit((_, to) => {
    for (; next < to && outlet.isOpen; next++) {
      const event = events[next];
      if (event) show(event);
      if (outlet.outstanding > LIVE_BUFFER && !isSince(node, FALLS_BEHIND)) outlet.refuse(tooSlow());
    }
    if (!outlet.isOpen) stop();
  });
  outlet.onGone(stop);
};
