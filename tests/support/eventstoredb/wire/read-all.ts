import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { recordSize } from '../store/event.ts';
import type { Log } from '../store/log.ts';
import { handlerThrew, invalidPosition, unexpectedResult } from './answers.ts';
import { isSince, type Node } from './node.ts';
import type { Outlet } from './outlet.ts';
import { eventMessage, type TfPosition } from './read-response.ts';

/** From a position: forwards including it, backwards excluding it. */
export const readAll = async (node: Node, outlet: Outlet<ReadReq>, options: ReadReq.Options): Promise<void> => {
  const { log } = node.writer.store;
  const place = placeInAll(node, options);
  if ('refusal' in place) return outlet.refuse(place.refusal);
  const count = Number(options.getCount());
  // The server reads nothing, for ever.
  if (count === 0) return;

  const links = options.getResolveLinks() ? node.writer.store : undefined;
  const isForwards = options.getReadDirection() === streams.ReadReq.Options.ReadDirection.FORWARDS;
  let index = isForwards ? place.index : lastBefore(log, place);
  for (let left = count; left > 0 && outlet.isOpen && index >= 0 && index < node.writer.committed; left--) {
    const event = log.events[index];
    const wait = event && outlet.sendEvent(eventMessage(event, links));
    if (wait) await wait;
    index += isForwards ? 1 : -1;
  }
  outlet.end();
};

/** A position is before an event only if both its commit and its prepare are; with prepare 0 that event is left out. */
const lastBefore = ({ events }: Log, { index, position }: { index: number; position?: TfPosition }): number => {
  const last = events[index - 1];
  const end = last && last.position + recordSize(last.stream, last);
  return position && end === position.commit && end > position.prepare ? index - 2 : index - 1;
};

/**
 * Index of the first event at or after the requested position; `position` undefined: start or end. A position where no record begins is
 * refused, but not where no event follows it.
 *
 * @param refused how: a subscription says it otherwise than a read
 */
export const placeInAll = (
  node: Node,
  options: ReadReq.Options,
  refused = unexpectedResult('ReadAllResult'),
): { index: number; position?: TfPosition } | { refusal: ReturnType<typeof handlerThrew> } => {
  const { writer } = node;
  const { log } = writer.store;
  const all = options.getAll();
  if (all?.hasStart()) return { index: 0 };
  const asked = all?.getPosition();
  if (!asked) return { index: writer.committed };
  const position = { commit: BigInt(asked.getCommitPosition()), prepare: BigInt(asked.getPreparePosition()) };
  if (position.commit === 0n && position.prepare === 0n) return { index: 0, position };
  if (position.prepare > position.commit) return { refusal: handlerThrew() };
  const isLast = log.indexAt(position.commit) >= writer.committed && position.commit > (log.events.at(-1)?.position ?? 0n);
  if (log.isPastEnd(position.commit) || isLast) return { index: writer.committed };
  if (!log.isRecord(position.commit)) return { refusal: isSince(node, { major: 25, minor: 0 }) ? invalidPosition() : refused };
  return { index: Math.min(log.indexAt(position.commit), writer.committed), position };
};
