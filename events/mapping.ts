import { z } from 'zod';
import type { Aggregate } from './aggregate.ts';
import type { EventOf } from './codec/event.ts';
import { event } from './codec/event.ts';
import { id, label } from './fields.ts';

const topic = z.strictObject({ topicId: id, name: label, parentId: id.nullable() });
export type TreeTopic = z.infer<typeof topic>;

/**
 * Storage contract of `mapping-{schoolId}.{subjectId}`: the topic tree of a subject, and what is bound to its topics.
 *
 * A scheme's own topic is a `schemeTopicId` here, so that nobody takes it for a topic of the tree. Each list is the whole one: empty means
 * nothing is bound any more.
 */
export const mappingEvents = {
  /** Parents stand before what lies below them. A topic that leaves the tree comes back under its old id, with what is bound to it. */
  TopicTreeReplaced: event(1, z.strictObject({ title: label, topics: z.array(topic) })),
  /** The topics that a topic of a scheme of work stands on (NLPSoW). */
  SchemeTopicsMapped: event(1, z.strictObject({ changes: z.array(z.strictObject({ schemeTopicId: id, topicIds: z.array(id) })) })),
  /** The topics that a question asks for (NLPAssess). */
  QuestionsMapped: event(1, z.strictObject({ changes: z.array(z.strictObject({ questionId: id, topicIds: z.array(id) })) })),
  /** The questions that bear on a topic of a scheme of work because somebody says so (SoWMapping). */
  PrerequisitesAllocated: event(1, z.strictObject({ changes: z.array(z.strictObject({ schemeTopicId: id, questionIds: z.array(id) })) })),
};

export type MappingEvent = EventOf<typeof mappingEvents>;
type Bound = Map<string, readonly string[]>;
export type Mapping = {
  title: string | undefined;
  topics: readonly TreeTopic[];
  /** Every topic that ever was in the tree: path -> id. */
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

/** Tells a topic from one of the same name elsewhere in the tree; spelling in capitals does not. */
export const pathOf = (parent: string | undefined, name: string): string =>
  `${parent ?? ''}/${encodeURIComponent(name.normalize('NFC').toLowerCase())}`;

const bind = (bound: Bound, key: string, to: readonly string[]): void => {
  if (to.length === 0) bound.delete(key);
  else bound.set(key, to);
};
