import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { StoredEvent } from '../store/event.ts';
import { handlerThrew } from './answers.ts';
import { filterIn, type Filter } from './filter.ts';
import { goLive } from './live.ts';
import type { Node } from './node.ts';
import type { Outlet } from './outlet.ts';
import { placeInAll } from './read-all.ts';
import { caughtUpMessage, checkpointMessage, confirmationMessage, eventMessage, type TfPosition } from './read-response.ts';

/** The most events per page, and the default window of a filter. */
const PAGE = 32;

/** From after a position: existing events in pages, then live ones. A filtered subscription reports its progress by checkpoints. */
export const subscribeToAll = async (node: Node, outlet: Outlet<ReadReq>, options: ReadReq.Options, earlier: number): Promise<void> => {
  const asked = placeInAll(node, options, handlerThrew());
  if ('refusal' in asked) return outlet.refuse(asked.refusal);
  const place = earlier === 0 ? asked : { index: Math.max(0, firstBehind(node, asked) - earlier) };
  const filter = filterIn(options);
  const show = (event: StoredEvent) => outlet.sendEvent(eventMessage(event, options.getResolveLinks() ? node.writer.store : undefined));

  void outlet.send(confirmationMessage());
  outlet.breakIfDue();
  const reached = filter
    ? await filteredPages(node, outlet, filter, place, show)
    : { next: await catchUp(node, outlet, place, show), counted: 0 };
  if (!outlet.isOpen) return;

  void outlet.send(caughtUpMessage());
  // It goes on counting from where it caught up, so the first live checkpoint may come early.
  let seen = reached.counted;
  goLive(node, outlet, reached.next, (event) => {
    if (!filter || filter.matches(event)) void show(event);
    if (filter && ++seen % (filter.interval * filter.window) === 0)
      void outlet.send(checkpointMessage({ commit: event.position, prepare: event.position }));
  });
};

type Place = { index: number; position?: TfPosition };
type Show = (event: StoredEvent) => Promise<void> | undefined;

/** The start excludes the event at the position. */
const firstBehind = ({ writer }: Node, { index, position }: Place): number =>
  position !== undefined && writer.store.log.events[index]?.position === position.commit ? index + 1 : index;

/** @returns the index of the next event */
async function catchUp(node: Node, outlet: Outlet<ReadReq>, place: Place, show: Show): Promise<number> {
  const { writer } = node;
  const { events } = writer.store.log;
  let index = firstBehind(node, place);
  for (; index < writer.committed && outlet.isOpen; index++) {
    const event = events[index];
    const wait = event && show(event);
    if (wait) await wait;
  }
  return index;
}

/**
 * A page examines at most `window` events and shows at most 32. Each event counts towards the interval; when that is full, the checkpoint
 * names the last event shown, or the start of the page if none was.
 */
async function filteredPages(
  { writer }: Node,
  outlet: Outlet<ReadReq>,
  filter: Filter,
  place: Place,
  show: Show,
): Promise<{ next: number; counted: number }> {
  const { events } = writer.store.log;
  const skipped = place.position?.commit;
  let current: TfPosition = place.position ?? { commit: 0n, prepare: 0n };
  // The log begins with an event that is examined and never shown.
  let looked = place.index === 0 ? 1 : 0;
  let counted = 0;
  let index = place.index;
  for (;;) {
    let shown = 0;
    let at = current;
    for (; looked < filter.window && shown < PAGE && index < writer.committed && outlet.isOpen; index++, looked++) {
      const event = events[index];
      if (!event || event.position === skipped || !filter.matches(event)) continue;
      shown++;
      at = { commit: event.position, prepare: event.position };
      const wait = show(event);
      if (wait) await wait;
    }
    const isPageFull = looked >= filter.window || shown >= PAGE;
    counted += looked;
    if (counted >= filter.window * filter.interval) {
      counted %= filter.window * filter.interval;
      await outlet.send(checkpointMessage(at));
    }
    if (!outlet.isOpen || (!isPageFull && index >= writer.committed)) return { next: index, counted };
    current = { commit: events[index]?.position ?? writer.store.log.end, prepare: 0n };
    looked = 0;
  }
}
