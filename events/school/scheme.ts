import { z } from 'zod';
import type { Aggregate } from '../aggregate.ts';
import type { EventOf } from '../codec/event.ts';
import { event } from '../codec/event.ts';
import { id, label } from '../fields.ts';

const topic = z.strictObject({ topicId: id, name: label });

/** Storage contract of `scheme-{schoolId}.{schemeId}`: a scheme of work and its topics, in order. */
export const schemeEvents = {
  SchemeAdded: event(1, z.strictObject({ subjectId: id, name: label })),
  SchemeRenamed: event(1, z.strictObject({ name: label })),
  /** The complete list each time; a topic that is no longer in it is hidden, and comes back under its old id. */
  SchemeTopicsChanged: event(1, z.strictObject({ topics: z.array(topic) })),
  /** Hidden from everybody; its topics and their mappings are kept. */
  SchemeDeleted: event(1, z.strictObject({})),
  SchemeRestored: event(1, z.strictObject({})),
};

export type SchemeEvent = EventOf<typeof schemeEvents>;
export type Scheme =
  | { subjectId: string; name: string; topics: readonly z.infer<typeof topic>[]; deleted: boolean }
  | { subjectId: undefined };

export const scheme: Aggregate<Scheme, SchemeEvent> = {
  category: 'scheme',
  initial: () => ({ subjectId: undefined }),
  evolve: (state, event) => {
    if (event.type === 'SchemeAdded') return { ...event.data, topics: [], deleted: false };
    if (state.subjectId === undefined) return state;
    if (event.type === 'SchemeDeleted' || event.type === 'SchemeRestored') return { ...state, deleted: event.type === 'SchemeDeleted' };
    return { ...state, ...event.data };
  },
};
