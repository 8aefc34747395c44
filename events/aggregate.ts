import type { Forgotten } from './codec/event.ts';
import { isForgotten } from './codec/event.ts';

/**
 * The state that streams of one kind fold to.
 *
 * `evolve` never throws and never validates, because events are facts. It may change `state` in place and return it, because a fold owns
 * its state.
 */
export type Aggregate<State, Event> = {
  /** First part of the stream's name: `{category}-{schoolId}` or `{category}-{schoolId}.{id}`. */
  readonly category: string;
  /** Of a second way to fold streams of this kind; undefined: it is the first. */
  readonly variant?: string;
  readonly initial: () => State;
  readonly evolve: (state: State, event: Event) => State;
};

export const streamOf = (category: string, schoolId: string, id?: string): string =>
  id === undefined ? `${category}-${schoolId}` : `${category}-${schoolId}.${id}`;

/** The id in a name made by `streamOf`. */
export const idIn = (stream: string): string => stream.slice(stream.indexOf('.') + 1);

/** The personal part of an event, or undefined if the person was forgotten. */
export const unlessForgotten = <T extends object>(personal: T | Forgotten): T | undefined => (isForgotten(personal) ? undefined : personal);
