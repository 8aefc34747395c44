import { defaultThresholds, subject } from '../../events/subject.ts';
import { addSets, deleteSets } from '../contract/structure.ts';
import { schemeOfSubject, studentsInSets } from '../facts/subject.ts';
import { command, refuse, refuseInput } from './command.ts';
import { isAmong, sameName } from './names.ts';

/** The sets that a file of students needs, in one year group and with one scheme of work: all of them, or none. */
export const AddSets = command({
  input: addSets,
  aggregate: subject,
  streamId: ({ subjectId }) => subjectId,
  facts: schemeOfSubject,
  decide({ yearGroupId, names, schemeId }, state, known, { newId }) {
    if (!state.yearGroups.has(yearGroupId)) return refuse('not-found', 'There is no such year group.');
    if (!known.exists) return refuseInput('schemeId', 'A set needs a scheme of work of its subject.');
    const taken = [...state.sets.values()].map(({ name }) => name);
    const wrong = names.findIndex((name, index) => isAmong(taken, name) || names.findIndex((other) => sameName(other, name)) < index);
    if (wrong >= 0) return refuseInput(`names.${wrong}`, 'Set name needs to be unique');
    return names.map((name) => ({
      type: 'SetAdded',
      data: { setId: newId(`set ${name}`), yearGroupId, name, schemeId, thresholds: defaultThresholds },
    }));
  },
  answer: ({ names }, _events, _known, { newId }) => ({ setIds: names.map((name) => newId(`set ${name}`)) }),
});

/** Takes AddSets back: all of them, or, where one has students by now, none. */
export const DeleteSets = command({
  input: deleteSets,
  aggregate: subject,
  streamId: ({ subjectId }) => subjectId,
  facts: studentsInSets,
  decide({ setIds }, state, known) {
    const there = setIds.filter((setId) => state.sets.has(setId));
    const occupied = there.filter((setId) => (known.get(setId) ?? 0) > 0).map((setId) => state.sets.get(setId)?.name);
    if (occupied.length > 0) return refuse('refused', `There are students in ${occupied.join(', ')}: move them first.`);
    return there.map((setId) => ({ type: 'SetDeleted', data: { setId } }));
  },
  answer: () => ({}),
});
