import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { StoredEvent } from '../store/event.ts';
import { tooSlow } from './answers.ts';
import { isSince, type Node } from './node.ts';
import type { Outlet } from './outlet.ts';

/**
 * Events that a live subscription may be behind. A true server keeps 32, and as many as the connection takes in transit; appends of 500 at
 * once ended a subscription after 341 events and more, appends of 100, and 300 events for a reader that paused, did not.
 */
const LIVE_BUFFER = 340;
const FALLS_BEHIND = { major: 24, minor: 2 };

/**
 * Hands over each event as it is committed, from the index on, until the subscription ends. Who is too slow is sent away; from 24.2 on he
 * falls behind, and gets the rest all the same.
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
