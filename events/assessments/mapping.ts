import { z } from 'zod';
import type { Aggregate } from '../aggregate.ts';
import type { EventOf } from '../codec/event.ts';
import { event } from '../codec/event.ts';
import { id, label } from '../fields.ts';

const topic = z.strictObject({ topicId: id, name: label, parentId: id.nullable() });
export type TreeTopic = z.infer<typeof topic>;

/**
 * Storage contract of `mapping-{schoolId}.{subjectId}`: the topic tree of a subject, and what is bound to its topics.
 *
 * A scheme's own topic is called `schemeTopicId` here, to distinguish it from a topic of the tree. Each list is complete: empty means that
 * nothing is bound.
 */
export const mappingEvents = {
  /** Parents come before their children. A topic that left the tree comes back under its old id, with everything bound to it. */
  TopicTreeReplaced: event(1, z.strictObject({ title: label, topics: z.array(topic) })),
  /** The topics that are prerequisites of a scheme's topic (NLPSoW). */
  SchemeTopicsMapped: event(1, z.strictObject({ changes: z.array(z.strictObject({ schemeTopicId: id, topicIds: z.array(id) })) })),
  /** The topics that a question tests (NLPAssess). */
  QuestionsMapped: event(1, z.strictObject({ changes: z.array(z.strictObject({ questionId: id, topicIds: z.array(id) })) })),
  /** The questions that were allocated to a scheme's topic by hand (SoWMapping). */
  PrerequisitesAllocated: event(1, z.strictObject({ changes: z.array(z.strictObject({ schemeTopicId: id, questionIds: z.array(id) })) })),
};

export type MappingEvent = EventOf<typeof mappingEvents>;
type Bound = Map<string, readonly string[]>;
export type Mapping = {
  title: string | undefined;
  topics: readonly TreeTopic[];
  /** Every topic that was ever in the tree: path -> id. */
  everInTree: Map<string, string>;
  schemeTopics: Bound;
  questions: Bound;
  prerequisites: Bound;
};

export const mapping: Aggregate<Mapping, MappingEvent> = {
  category: 'mapping',
  initial: () => ({
    title: undefined,
    topics: [],
    everInTree: new Map(),
    schemeTopics: new Map(),
    questions: new Map(),
    prerequisites: new Map(),
  }),
  evolve: (state, event) => {
    switch (event.type) {
      case 'TopicTreeReplaced': {
        const paths = new Map<string, string>();
        for (const { topicId, name, parentId } of event.data.topics) {
          const path = pathOf(parentId === null ? undefined : paths.get(parentId), name);
          paths.set(topicId, path);
          state.everInTree.set(path, topicId);
        }
        return { ...state, ...event.data };
      }
      case 'SchemeTopicsMapped':
        for (const { schemeTopicId, topicIds } of event.data.changes) bind(state.schemeTopics, schemeTopicId, topicIds);
        return state;
      case 'QuestionsMapped':
        for (const { questionId, topicIds } of event.data.changes) bind(state.questions, questionId, topicIds);
        return state;
      case 'PrerequisitesAllocated':
        for (const { schemeTopicId, questionIds } of event.data.changes) bind(state.prerequisites, schemeTopicId, questionIds);
        return state;
    }
  },
};

/** Identifies a topic by its place in the tree, ignoring case. */
export const pathOf = (parent: string | undefined, name: string): string =>
  `${parent ?? ''}/${encodeURIComponent(name.normalize('NFC').toLowerCase())}`;

const bind = (bound: Bound, key: string, to: readonly string[]): void => {
  if (to.length === 0) bound.delete(key);
  else bound.set(key, to);
};
