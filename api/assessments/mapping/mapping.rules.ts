/** What may be bound to what in a subject, and what the events say of it. */
import type { Mapping, MappingEvent } from '../../../events/assessments/mapping.ts';
import { linkedLists } from '../../common/choice.ts';
import type { Refused } from '../../common/command.ts';
import { refuse } from '../../common/command.ts';
import type { Bindable } from './mapping.facts.ts';

const NO_TOPIC = 'There is no such topic in the topic tree: it was replaced meanwhile. Reload and choose again.';
const NO_SCHEME_TOPIC = 'This topic is no longer in the scheme of work. Reload and choose again.';
const NO_QUESTION = 'This question is no longer on its assessment. Reload and choose again.';
const CHANGED = 'Somebody else has changed this allocation meanwhile. Reload to see it, then save yours again.';

type Lists = readonly (readonly [key: string, values: string[]])[];
/** A kind of binding: `values` are bound to `keys`; both lists hold what exists. */
type Kind = {
  readonly of: (
    state: Mapping,
    facts: Bindable,
  ) => {
    readonly bound: ReadonlyMap<string, readonly string[]>;
    readonly keys: readonly string[];
    readonly values: readonly string[];
  };
  readonly noKey: string;
  readonly noValue: string;
  readonly event: (lists: Lists) => MappingEvent;
};

export const schemeTopics: Kind = {
  of: (state, { schemeTopicIds }) => ({ bound: state.schemeTopics, keys: schemeTopicIds, values: treeOf(state) }),
  noKey: NO_SCHEME_TOPIC,
  noValue: NO_TOPIC,
  event: (lists) => ({
    type: 'SchemeTopicsMapped',
    data: { changes: lists.map(([schemeTopicId, topicIds]) => ({ schemeTopicId, topicIds })) },
  }),
};

export const questionTopics: Kind = {
  of: (state, { questionIds }) => ({ bound: state.questions, keys: questionIds, values: treeOf(state) }),
  noKey: NO_QUESTION,
  noValue: NO_TOPIC,
  event: (lists) => ({ type: 'QuestionsMapped', data: { changes: lists.map(([questionId, topicIds]) => ({ questionId, topicIds })) } }),
};

export const prerequisites: Kind = {
  of: (state, { schemeTopicIds, questionIds }) => ({ bound: state.prerequisites, keys: schemeTopicIds, values: questionIds }),
  noKey: NO_SCHEME_TOPIC,
  noValue: NO_QUESTION,
  event: (lists) => ({
    type: 'PrerequisitesAllocated',
    data: { changes: lists.map(([schemeTopicId, questionIds]) => ({ schemeTopicId, questionIds })) },
  }),
};

const treeOf = ({ topics }: Mapping): string[] => topics.map(({ topicId }) => topicId);

/** `was`: the list as its author saw it. */
type Change = { readonly key: string; readonly to: readonly string[]; readonly was: readonly string[] | undefined };

/**
 * The changes that change something. Newly bound items must exist. A list that differs from what its author saw is refused, so that nobody's
 * work is overwritten unseen. Hidden items, which its author could not see, stay bound and count again when they are restored; without
 * `was`, the list is the whole, and they may stay or go.
 */
export const rebound = (
  { of, noKey, noValue, event }: Kind,
  changes: readonly Change[],
  state: Mapping,
  facts: Bindable,
): MappingEvent[] | Refused => {
  const { bound, keys, values } = of(state, facts);
  const [existing, choices] = [new Set(keys), new Set(values)];
  const lists: [string, string[]][] = [];
  for (const [index, { key, to, was }] of changes.entries()) {
    const now = bound.get(key) ?? [];
    const next = was ? [...to, ...now.filter((value) => !choices.has(value))] : to;
    if (sameIds(now, next)) continue;
    const refused = (code: 'not-found' | 'conflict', message: string): Refused =>
      refuse(code, message, [{ path: `changes.${index}`, message }]);
    if (!existing.has(key)) return refused('not-found', noKey);
    const visible = (ids: readonly string[]): readonly string[] => ids.filter((id) => choices.has(id));
    if (was && !sameIds(visible(now), visible(was))) return refused('conflict', CHANGED);
    if (to.some((value) => !choices.has(value) && !now.includes(value))) return refused('not-found', noValue);
    lists.push([key, [...new Set(next)]]);
  }
  return lists.length === 0 ? [] : [event(lists)];
};

type Links = { readonly links: readonly (readonly [key: string, value: string])[]; readonly linked: boolean };

/** The same for single bindings. What is taken away need not exist any more. */
export const relinked = (
  { of, noKey, noValue, event }: Kind,
  { links, linked }: Links,
  state: Mapping,
  facts: Bindable,
): MappingEvent[] | Refused => {
  const { bound, keys, values } = of(state, facts);
  const now = (key: string): readonly string[] => bound.get(key) ?? [];
  const [existing, choices] = [new Set(keys), new Set(values)];
  if (linked && links.some(([key]) => !existing.has(key))) return refuse('not-found', noKey);
  if (linked && links.some(([key, value]) => !choices.has(value) && !now(key).includes(value))) return refuse('not-found', noValue);
  const lists = [...linkedLists(links, now, linked)].map(([key, list]): [string, string[]] => [key, [...list]]);
  return lists.length === 0 ? [] : [event(lists)];
};

const sameIds = (a: readonly string[], b: readonly string[]): boolean => {
  const [one, other] = [new Set(a), new Set(b)];
  return one.size === other.size && [...one].every((id) => other.has(id));
};
