import { scheme } from '../../events/scheme.ts';
import { addScheme, renameScheme, uploadSchemeTopics } from '../contract/structure.ts';
import { noFacts } from '../facts/facts.ts';
import { otherSchemeNames, schemeNames } from '../facts/subject.ts';
import { command, refuse, refuseInput } from './command.ts';
import { isAmong } from './names.ts';

const NO_SCHEME = 'There is no such scheme of work.';
const NAME_TAKEN = 'Scheme of work name needs to be unique';

export const AddScheme = command({
  input: addScheme,
  aggregate: scheme,
  streamId: (_input, { newId }) => newId('scheme'),
  facts: schemeNames,
  decide({ subjectId, name }, _state, known) {
    if (!known.subject) return refuse('not-found', 'There is no such subject.');
    if (isAmong(known.names, name)) return refuseInput('name', NAME_TAKEN);
    return [{ type: 'SchemeAdded', data: { subjectId, name } }];
  },
  answer: (_input, _events, _known, { newId }) => ({ schemeId: newId('scheme') }),
});

export const RenameScheme = command({
  input: renameScheme,
  aggregate: scheme,
  streamId: ({ schemeId }) => schemeId,
  facts: otherSchemeNames,
  decide({ name }, state, others) {
    if (state.subjectId === undefined) return refuse('not-found', NO_SCHEME);
    if (isAmong(others, name)) return refuseInput('name', NAME_TAKEN);
    return state.name === name ? [] : [{ type: 'SchemeRenamed', data: { name } }];
  },
  answer: () => ({}),
});

/** The list of topics as it is to be: one that was there under the same name keeps its id. */
export const UploadSchemeTopics = command({
  input: uploadSchemeTopics,
  aggregate: scheme,
  streamId: ({ schemeId }) => schemeId,
  facts: noFacts,
  decide({ topics }, state, _known, { newId }) {
    if (state.subjectId === undefined) return refuse('not-found', NO_SCHEME);
    const twice = topics.findIndex((name, index) => topics.indexOf(name) !== index);
    if (twice >= 0) return refuseInput(`topics.${twice}`, `The topic ${topics[twice]} is there twice`);
    const ids = new Map(state.topics.map(({ name, topicId }) => [name, topicId]));
    const next = topics.map((name, index) => ({ topicId: ids.get(name) ?? newId(`topic-${index}`), name }));
    const same = next.length === state.topics.length && next.every(({ topicId }, index) => topicId === state.topics[index]?.topicId);
    return same ? [] : [{ type: 'SchemeTopicsChanged', data: { topics: next } }];
  },
  answer: () => ({}),
});
