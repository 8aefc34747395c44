import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { StoredEvent } from '../store/event.ts';

/** `window`: events examined at a time; a checkpoint is due after every `interval` windows. */
export type Filter = { matches: (event: StoredEvent) => boolean; window: number; interval: number };

const DEFAULT_WINDOW = 32;

export const filterIn = (options: ReadReq.Options): Filter | undefined => {
  const filter = options.getFilter();
  if (!filter) return undefined;
  const expression = filter.getStreamIdentifier() ?? filter.getEventType();
  const prefixes = expression?.getPrefixList() ?? [];
  const regex = new RegExp(expression?.getRegex() ?? '');
  const fits = (text: string) => (prefixes.length > 0 ? prefixes.some((prefix) => text.startsWith(prefix)) : regex.test(text));
  return {
    matches: filter.hasStreamIdentifier() ? ({ stream }) => fits(stream) : ({ type }) => fits(type),
    window: filter.hasMax() ? filter.getMax() : DEFAULT_WINDOW,
    interval: filter.getCheckpointintervalmultiplier(),
  };
};
