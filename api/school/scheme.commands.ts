import type { Scheme, SchemeEvent } from '../../events/school/scheme.ts';
import { scheme } from '../../events/school/scheme.ts';
import { structureCommands } from './school.contract.ts';
import { schemeNames, setsFollowing } from './names.facts.ts';
import { command, refuse, refuseInput } from '../common/command.ts';
import { isAmong, repeated, sameName } from '../contract/names.ts';
import { MAX_SCHEME_TOPICS } from '../contract/limits.ts';

const NO_SCHEME = 'There is no such scheme of work.';
const NO_TOPIC = 'There is no such topic in this scheme of work.';
const TOPIC_TWICE = 'This topic is listed twice';
const NAME_TAKEN = 'Scheme of work name needs to be unique';

const ofScheme = {
  aggregate: scheme,
  streamId: ({ schemeId }: { readonly schemeId: string }): string => schemeId,
  subjectOf: ({ subjectId }: Scheme): string | undefined => subjectId,
};

export const AddScheme = command({
  ...structureCommands.AddScheme,
  aggregate: scheme,
  streamId: (_input, { newId }) => newId('scheme'),
  facts: schemeNames.inSubject,
  decide({ subjectId, name, topics }, _state, others, { newId }) {
    if (isAmong(others, name)) return refuseInput('name', NAME_TAKEN);
    const twice = repeated(topics);
    if (twice >= 0) return refuseInput(`topics.${twice}`, TOPIC_TWICE);
    const given = topics.map((topic, index) => ({ topicId: newId(`topic-${index}`), name: topic }));
    return [
      { type: 'SchemeAdded', data: { subjectId, name } },
      ...(given.length > 0 ? [{ type: 'SchemeTopicsChanged' as const, data: { topics: given } }] : []),
    ];
  },
  answer: (_input, _events, _facts, { newId }) => ({ schemeId: newId('scheme') }),
});

/** Name and topics, as one form submits them. A renamed or moved topic keeps its id and its mappings. */
export const ChangeScheme = command({
  ...structureCommands.ChangeScheme,
  ...ofScheme,
  facts: schemeNames.others,
  decide({ name, topics }, state, others, { newId }) {
    if (!isThere(state)) return refuse('not-found', NO_SCHEME);
    if (name !== undefined && isAmong(others, name)) return refuseInput('name', NAME_TAKEN);
    const renamed = name === undefined || state.name === name ? [] : [{ type: 'SchemeRenamed' as const, data: { name } }];
    if (!topics) return renamed;
    const gone = topics.findIndex(({ topicId }) => topicId !== undefined && !state.topics.some((topic) => topic.topicId === topicId));
    if (gone >= 0) return refuseInput(`topics.${gone}`, 'Somebody else has deleted this topic meanwhile.');
    const twice = repeated(topics.map((topic) => topic.name));
    if (twice >= 0) return refuseInput(`topics.${twice}`, TOPIC_TWICE);
    const next = topics.map((topic, index) => ({ topicId: topic.topicId ?? newId(`topic-${index}`), name: topic.name }));
    return [...renamed, ...topicsChanged(next, state.topics)];
  },
});

/** Decided on the current topics: if two people add one each, both stay. */
export const SaveSchemeTopics = command({
  ...structureCommands.SaveSchemeTopics,
  ...ofScheme,
  decide({ save, remove }, state, _facts, { newId }) {
    if (!isThere(state)) return refuse('not-found', NO_SCHEME);
    const topicIds = new Set(state.topics.map(({ topicId }) => topicId));
    const gone = save.findIndex(({ topicId }) => topicId !== null && !topicIds.has(topicId));
    if (gone >= 0) return refuse('not-found', NO_TOPIC, [{ path: `save.${gone}`, message: NO_TOPIC }]);
    const names = new Map(save.flatMap(({ topicId, name }) => (topicId === null ? [] : [[topicId, name]])));
    const next = [
      ...state.topics
        .filter(({ topicId }) => !remove.includes(topicId))
        .map(({ topicId, name }) => ({ topicId, name: names.get(topicId) ?? name })),
      ...save.flatMap(({ topicId, name }, index) => (topicId === null ? [{ topicId: newId(`topic-${index}`), name }] : [])),
    ];
    if (next.length > MAX_SCHEME_TOPICS) return refuseInput('save', `A scheme of work has at most ${MAX_SCHEME_TOPICS} topics.`);
    const twice = next[repeated(next.map(({ name }) => name))];
    if (twice) return refuseInput(`save.${save.findIndex(({ name }) => sameName(name, twice.name))}`, TOPIC_TWICE);
    return topicsChanged(next, state.topics);
  },
  answer: ({ save }, _events, _facts, { newId }) => ({ topicIds: save.map(({ topicId }, index) => topicId ?? newId(`topic-${index}`)) }),
});

/** Hides the scheme with its topics and their mappings. Refused while sets follow it: a set needs a scheme of work. */
export const DeleteScheme = command({
  ...structureCommands.DeleteScheme,
  ...ofScheme,
  facts: setsFollowing,
  decide(_input, state, sets) {
    if (state.subjectId === undefined) return refuse('not-found', NO_SCHEME);
    if (state.deleted) return [];
    if (sets.length > 0) {
      return refuse(
        'refused',
        `${state.name} is followed by ${sets.join(', ')}: choose another scheme of work there first, under Classes.`,
      );
    }
    return [{ type: 'SchemeDeleted', data: {} }];
  },
});

export const RestoreScheme = command({
  ...structureCommands.RestoreScheme,
  ...ofScheme,
  facts: schemeNames.besideDeleted,
  decide(_input, state, others) {
    if (state.subjectId === undefined) return refuse('not-found', NO_SCHEME);
    if (!state.deleted) return [];
    if (isAmong(others, state.name)) {
      return refuse('refused', `There is another scheme of work called ${state.name} now: rename that one first.`);
    }
    return [{ type: 'SchemeRestored', data: {} }];
  },
});

type Topics = readonly { topicId: string; name: string }[];
const topicsChanged = (next: Topics, now: Topics): SchemeEvent[] =>
  next.length === now.length && next.every(({ topicId, name }, index) => topicId === now[index]?.topicId && name === now[index].name)
    ? []
    : [{ type: 'SchemeTopicsChanged', data: { topics: [...next] } }];

const isThere = (state: Scheme): state is Extract<Scheme, { subjectId: string }> => state.subjectId !== undefined && !state.deleted;
