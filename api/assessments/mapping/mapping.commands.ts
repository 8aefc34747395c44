import type { TreeTopic } from '../../../events/assessments/mapping.ts';
import { mapping, pathOf } from '../../../events/assessments/mapping.ts';
import { MAX_TREE_TOPICS } from '../../contract/limits.ts';
import { mappingCommands } from './mapping.contract.ts';
import { noFacts } from '../../common/facts.ts';
import { bindable, NO_QUESTION, NO_SCHEME_TOPIC, NO_TOPIC, touchesSubject, treeOf } from './mapping.facts.ts';
import type { Refused } from '../../common/command.ts';
import { command, refuse, refuseInput } from '../../common/command.ts';
import { bySubject } from '../../common/of-subject.ts';

const CHANGED = 'Somebody else has changed this allocation meanwhile. Reload to see it, then save yours again.';

/** Replaces the tree. A topic is identified by its path, so it keeps its id and mappings as long as the path stays the same. */
export const ReplaceTopicTree = command({
  largest: 'upload',
  ...mappingCommands.ReplaceTopicTree,
  aggregate: mapping,
  streamId: bySubject,
  facts: noFacts,
  decide({ title, paths }, state, _known, { newId }) {
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
  touches: touchesSubject,
  answer: (_input, events) => ({ changed: events.length > 0 }),
});

/** Pre-requisite topics of topics of a scheme of work (NLPSoW). */
export const MapSchemeTopics = command({
  ...mappingCommands.MapSchemeTopics,
  aggregate: mapping,
  streamId: bySubject,
  facts: bindable,
  decide({ changes }, state, known) {
    const asked = changes.map(({ schemeTopicId, topicIds, was }) => ({ key: schemeTopicId, to: topicIds, was }));
    const decided = rebound(asked, state.schemeTopics, {
      keys: known.schemeTopicIds,
      noKey: NO_SCHEME_TOPIC,
      values: treeOf(state),
      noValue: NO_TOPIC,
    });
    if (!Array.isArray(decided)) return decided;
    const data = { changes: decided.map(({ key, to }) => ({ schemeTopicId: key, topicIds: to })) };
    return decided.length === 0 ? [] : [{ type: 'SchemeTopicsMapped', data }];
  },
  touches: touchesSubject,
  answer: () => ({}),
});

/** Topics that questions test (NLPAssess). */
export const MapQuestions = command({
  ...mappingCommands.MapQuestions,
  aggregate: mapping,
  streamId: bySubject,
  facts: bindable,
  decide({ changes }, state, known) {
    const asked = changes.map(({ questionId, topicIds, was }) => ({ key: questionId, to: topicIds, was }));
    const decided = rebound(asked, state.questions, {
      keys: known.questionIds,
      noKey: NO_QUESTION,
      values: treeOf(state),
      noValue: NO_TOPIC,
    });
    if (!Array.isArray(decided)) return decided;
    const data = { changes: decided.map(({ key, to }) => ({ questionId: key, topicIds: to })) };
    return decided.length === 0 ? [] : [{ type: 'QuestionsMapped', data }];
  },
  touches: touchesSubject,
  answer: () => ({}),
});

/** Questions assigned by hand to topics of a scheme of work (SoWMapping). */
export const AllocatePrerequisites = command({
  ...mappingCommands.AllocatePrerequisites,
  aggregate: mapping,
  streamId: bySubject,
  facts: bindable,
  decide({ changes }, state, known) {
    const asked = changes.map(({ schemeTopicId, questionIds, was }) => ({ key: schemeTopicId, to: questionIds, was }));
    const decided = rebound(asked, state.prerequisites, {
      keys: known.schemeTopicIds,
      noKey: NO_SCHEME_TOPIC,
      values: known.questionIds,
      noValue: NO_QUESTION,
    });
    if (!Array.isArray(decided)) return decided;
    const data = { changes: decided.map(({ key, to }) => ({ schemeTopicId: key, questionIds: to })) };
    return decided.length === 0 ? [] : [{ type: 'PrerequisitesAllocated', data }];
  },
  touches: touchesSubject,
  answer: () => ({}),
});

type Change = { readonly key: string; readonly to: readonly string[]; readonly was: readonly string[] | undefined };
type Existing = { readonly keys: readonly string[]; readonly noKey: string; readonly values: readonly string[]; readonly noValue: string };

/**
 * The changes that change something. Newly bound items must exist. A list that differs from what its author saw is refused, so that nobody's
 * work is overwritten unseen. Hidden items, which its author could not see, stay bound and count again when they are restored; without
 * `was`, the list is the whole, and they may stay or go.
 */
const rebound = (
  changes: readonly Change[],
  bound: ReadonlyMap<string, readonly string[]>,
  { keys, noKey, values, noValue }: Existing,
): { key: string; to: string[] }[] | Refused => {
  const decided: { key: string; to: string[] }[] = [];
  const [there, choices] = [new Set(keys), new Set(values)];
  for (const [index, { key, to, was }] of changes.entries()) {
    const now = bound.get(key) ?? [];
    const next = was ? [...to, ...now.filter((value) => !choices.has(value))] : to;
    if (sameIds(now, next)) continue;
    if (!there.has(key)) return refuse('not-found', noKey, [{ path: `changes.${index}`, message: noKey }]);
    if (
      was &&
      !sameIds(
        now.filter((value) => choices.has(value)),
        was.filter((value) => choices.has(value)),
      )
    )
      return refuse('conflict', CHANGED, [{ path: `changes.${index}`, message: CHANGED }]);
    const unknown = to.find((value) => !choices.has(value) && !now.includes(value));
    if (unknown !== undefined) return refuse('not-found', noValue, [{ path: `changes.${index}`, message: noValue }]);
    decided.push({ key, to: [...new Set(next)] });
  }
  return decided;
};

const sameIds = (a: readonly string[], b: readonly string[]): boolean => {
  const [one, other] = [new Set(a), new Set(b)];
  return one.size === other.size && [...one].every((id) => other.has(id));
};

const sameTree = (a: readonly TreeTopic[], b: readonly TreeTopic[]): boolean =>
  a.length === b.length &&
  a.every(
    ({ topicId, name, parentId }, index) => b[index]?.topicId === topicId && b[index].name === name && b[index].parentId === parentId,
  );
