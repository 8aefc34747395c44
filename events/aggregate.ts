import type { Forgotten } from './codec/event.ts';
import { isForgotten } from './codec/event.ts';

/**
 * What a stream of one kind adds up to.
 *
 * `evolve` never throws and never validates: what is in the log happened. It may change `state` in place and answer it, because a
 * fold owns its state; an event of another kind leaves it as it is.
 */
export type Aggregate<State, Event> = {
  /** First part of the stream's name: `{category}-{schoolId}` or `{category}-{schoolId}.{id}`. */
  readonly category: string;
  readonly initial: () => State;
  readonly evolve: (state: State, event: Event) => State;
};

export const streamOf = (category: string, schoolId: string, id?: string): string =>
  id === undefined ? `${category}-${schoolId}` : `${category}-${schoolId}.${id}`;

/** The id in such a name. */
export const idIn = (stream: string): string => stream.slice(stream.indexOf('.') + 1);

/** The personal part of an event, or undefined where the person was forgotten. */
export const remembered = <T extends object>(personal: T | Forgotten): T | undefined => (isForgotten(personal) ? undefined : personal);
