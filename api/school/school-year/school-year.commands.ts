import { subjectCommand } from '../../common/of-subject.ts';
import { refuse } from '../../common/command.ts';
import { inSubject, setChoices } from '../sets/sets.facts.ts';
import { arranged, wrongIn } from './arrangement.rules.ts';
import { schoolYearCommands } from './school-year.contract.ts';

/** The part of a new school year in the subject itself, all or nothing: school-year.handler.ts gives it with the moves of students. */
export const BeginSchoolYear = subjectCommand({
  largest: 'upload',
  ...schoolYearCommands.BeginSchoolYear,
  facts: {
    models: ['structure', 'roster', 'assessments'],
    waits: true,
    alone: 'schemes',
    load: async (query, input, actor) => ({
      ...(await inSubject.load(query, input, actor)),
      ...(await setChoices.load(query, input, actor)),
    }),
  },
  decide({ plan }, state, { students, ...choices }, { newId }) {
    const errors = wrongIn(plan, state, choices);
    const [first] = errors;
    if (first) return refuse('invalid-input', first.message, errors);
    const occupied = plan.sets.find(({ setId, becomes }) => !('name' in becomes) && (students.get(setId) ?? 0) > 0);
    if (occupied)
      return refuse('refused', `${state.sets.get(occupied.setId)?.name} got students meanwhile. Look at the preview once more.`);
    return arranged(plan, state, newId);
  },
  answer: (_input, _events, _facts, { commandId }) => ({ actId: commandId }),
});
