import type { Recognised } from '../../../events/store/circuit-breaker.ts';
import { WrongLog, type EventStore } from '../../../events/store/port.ts';
import { START, type Checkpoint } from '../building/checkpoint.ts';

/**
 * Why this is not the log of the checkpoint, as the end of a sentence; undefined if it is the same: the checkpoint's event is at its
 * position. A position alone could belong to any log.
 */
export const whyAnotherLog = async (
  store: Pick<EventStore, 'eventAt' | 'head'>,
  { position, eventId }: Pick<Checkpoint, 'position' | 'eventId'>,
): Promise<string | undefined> => {
  if (position === START || (await store.eventAt(position))?.id === eventId) return undefined;
  const head = await store.head();
  return head < position
    ? `it had reached position ${position}, but the log ends at ${head}: an earlier state of the log was restored`
    : `the event at position ${position} is not the one that it had applied: the log was copied or replaced`;
};

/**
 * Whether read models may be rebuilt although their events are no longer where they were. By default nobody vouches for the log, so the read
 * models are kept.
 */
export type Recognise = () => Promise<Recognised>;

export const unknownLog: Recognise = async () => {
  throw new WrongLog('the log does not hold the last event of the read models');
};

/** For a log that was moved as a whole, which is no replacement. */
export const MOVED = 'the log was moved as a whole, and its events have other positions now';
