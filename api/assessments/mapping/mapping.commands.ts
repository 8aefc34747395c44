import type { TreeTopic } from '../../../events/assessments/mapping.ts';
import { mapping, pathOf } from '../../../events/assessments/mapping.ts';
import { MAX_TREE_TOPICS } from '../../contract/limits.ts';
import { mappingCommands } from './mapping.contract.ts';
import { bindable } from './mapping.facts.ts';
import { prerequisites, questionTopics, rebound, relinked, schemeTopics } from './mapping.rules.ts';
import type { Touched } from '../../common/command.ts';
import { command, refuseInput } from '../../common/command.ts';
import { bySubject } from '../../common/of-subject.ts';

const ofMapping = {
  aggregate: mapping,
  streamId: bySubject,
  touches: ({ subjectId }: { readonly subjectId: string }): Touched => ({ subjectId, setIds: [] }),
};

/** Replaces the tree. A topic is identified by its path, so it keeps its id and mappings as long as the path stays the same. */
export const ReplaceTopicTree = command({
  largest: 'upload',
  ...mappingCommands.ReplaceTopicTree,
  ...ofMapping,
  decide({ title, paths }, state, _facts, { newId }) {
    const topics = new Map<string, TreeTopic>();
    for (const names of paths) {
      let path: string | undefined;
      for (const name of names) {
        const parentId = path === undefined ? null : (topics.get(path)?.topicId ?? null);
        path = pathOf(path, name);
        if (!topics.has(path)) topics.set(path, { topicId: state.everInTree.get(path) ?? newId(`topic-${path}`), name, parentId });
      }
    }
    if (topics.size > MAX_TREE_TOPICS) return refuseInput('paths', `A topic tree has at most ${MAX_TREE_TOPICS} topics.`);
    const next = [...topics.values()];
    return title === state.title && sameTree(next, state.topics) ? [] : [{ type: 'TopicTreeReplaced', data: { title, topics: next } }];
  },
  answer: (_input, events) => ({ changed: events.length > 0 }),
});

/** Pre-requisite topics of topics of a scheme of work (NLPSoW). */
export const MapSchemeTopics = command({
  ...mappingCommands.MapSchemeTopics,
  ...ofMapping,
  facts: bindable,
  decide: ({ changes }, state, facts) =>
    rebound(
      schemeTopics,
      changes.map(({ schemeTopicId, topicIds, was }) => ({ key: schemeTopicId, to: topicIds, was })),
      state,
      facts,
    ),
});

/** Topics that questions test (NLPAssess). */
export const MapQuestions = command({
  ...mappingCommands.MapQuestions,
  ...ofMapping,
  facts: bindable,
  decide: ({ changes }, state, facts) =>
    rebound(
      questionTopics,
      changes.map(({ questionId, topicIds, was }) => ({ key: questionId, to: topicIds, was })),
      state,
      facts,
    ),
});

/** Questions assigned by hand to topics of a scheme of work (SoWMapping). */
export const AllocatePrerequisites = command({
  ...mappingCommands.AllocatePrerequisites,
  ...ofMapping,
  facts: bindable,
  decide: ({ changes }, state, facts) =>
    rebound(
      prerequisites,
      changes.map(({ schemeTopicId, questionIds, was }) => ({ key: schemeTopicId, to: questionIds, was })),
      state,
      facts,
    ),
});

// Single bindings, made or taken away whatever else is bound to the same: all of them, or none.

export const LinkSchemeTopic = command({
  largest: 'upload',
  ...mappingCommands.LinkSchemeTopic,
  ...ofMapping,
  facts: bindable,
  decide: ({ links, linked }, state, facts) =>
    relinked(schemeTopics, { links: links.map(({ schemeTopicId, topicId }) => [schemeTopicId, topicId]), linked }, state, facts),
});

export const LinkQuestionTopic = command({
  largest: 'upload',
  ...mappingCommands.LinkQuestionTopic,
  ...ofMapping,
  facts: bindable,
  decide: ({ links, linked }, state, facts) =>
    relinked(questionTopics, { links: links.map(({ questionId, topicId }) => [questionId, topicId]), linked }, state, facts),
});

export const LinkPrerequisite = command({
  largest: 'upload',
  ...mappingCommands.LinkPrerequisite,
  ...ofMapping,
  facts: bindable,
  decide: ({ links, linked }, state, facts) =>
    relinked(prerequisites, { links: links.map(({ schemeTopicId, questionId }) => [schemeTopicId, questionId]), linked }, state, facts),
});

const sameTree = (a: readonly TreeTopic[], b: readonly TreeTopic[]): boolean =>
  a.length === b.length &&
  a.every(
    ({ topicId, name, parentId }, index) => b[index]?.topicId === topicId && b[index].name === name && b[index].parentId === parentId,
  );
