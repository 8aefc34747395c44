import type { EventStore } from '../../events/store/port.ts';
import { START, type Checkpoint } from './checkpoint.ts';

/**
 * Why this is another log than the one that the checkpoint was made in, as the end of a sentence; undefined if it is the same: the event at
 * the checkpoint is there. A position alone would be taken for one of any log.
 */
export const whyAnotherLog = async (
  store: Pick<EventStore, 'eventAt' | 'head'>,
  { position, eventId }: Pick<Checkpoint, 'position' | 'eventId'>,
): Promise<string | undefined> => {
  if (position === START || (await store.eventAt(position))?.id === eventId) return undefined;
  const head = await store.head();
  return head < position
    ? `it had come to position ${position}, and the log ends at ${head}: an earlier state of the log was restored`
    : `another event stands at position ${position} than the one that it had come to: the log was copied or replaced`;
};
