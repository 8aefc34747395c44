import { defaultThresholds, subject } from '../../events/subject.ts';
import { addSets, deleteSets } from '../contract/structure.ts';
import { setChoices, studentsInSets } from '../facts/subject.ts';
import { command, refuse, refuseInput } from './command.ts';
import { isAmong, sameName } from './names.ts';

/** The sets that a file of students needs, in one year group, with one scheme of work and the same assessments: all of them, or none. */
export const AddSets = command({
  input: addSets,
  aggregate: subject,
  streamId: ({ subjectId }) => subjectId,
  facts: setChoices,
  decide({ yearGroupId, names, schemeId, testIds }, state, known, { newId }) {
    if (!state.yearGroups.has(yearGroupId)) return refuse('not-found', 'There is no such year group.');
    if (!known.schemeIds.includes(schemeId)) return refuseInput('schemeId', 'A set needs a scheme of work of its subject.');
    const unknown = testIds.findIndex((testId) => !known.testIds.includes(testId));
    if (unknown >= 0) return refuseInput(`testIds.${unknown}`, 'There is no such assessment in this subject.');
    const taken = [...state.sets.values()].map(({ name }) => name);
    const wrong = names.findIndex((name, index) => isAmong(taken, name) || names.findIndex((other) => sameName(other, name)) < index);
    if (wrong >= 0) return refuseInput(`names.${wrong}`, 'Set name needs to be unique');
    const chosen = [...new Set(testIds)];
    return names.flatMap((name) => {
      const setId = newId(`set ${name}`);
      const added = { type: 'SetAdded', data: { setId, yearGroupId, name, schemeId, thresholds: defaultThresholds } } as const;
      return chosen.length === 0 ? [added] : [added, { type: 'SetAssessmentsChosen', data: { setId, testIds: chosen } } as const];
    });
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
