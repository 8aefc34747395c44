import { structureCommands } from './school.contract.ts';
import { schemesOfSubject, studentsOfYearGroup } from './sets/sets.facts.ts';
import { refuse, refuseInput } from '../common/command.ts';
import { subjectCommand, NO_YEAR_GROUP } from '../common/of-subject.ts';
import { whyNotBack } from './sets/set.rules.ts';

const YEAR_TAKEN = 'This year group exists already';

export const AddYearGroup = subjectCommand({
  ...structureCommands.AddYearGroup,
  decide({ year }, state, _facts, { newId }) {
    if ([...state.yearGroups.values()].includes(year)) return refuseInput('year', YEAR_TAKEN);
    return [{ type: 'YearGroupAdded', data: { yearGroupId: newId('year-group'), year } }];
  },
  answer: (_input, _events, _facts, { newId }) => ({ yearGroupId: newId('year-group') }),
});

export const RenameYearGroup = subjectCommand({
  ...structureCommands.RenameYearGroup,
  decide({ yearGroupId, year }, state) {
    if (!state.yearGroups.has(yearGroupId)) return refuse('not-found', NO_YEAR_GROUP);
    if (state.yearGroups.get(yearGroupId) === year) return [];
    if ([...state.yearGroups.values()].includes(year)) return refuseInput('year', YEAR_TAKEN);
    return [{ type: 'YearGroupRenamed', data: { yearGroupId, year } }];
  },
});

/** Deletes the year group with its sets. Refused if they have students. */
export const DeleteYearGroup = subjectCommand({
  ...structureCommands.DeleteYearGroup,
  facts: studentsOfYearGroup,
  decide({ yearGroupId }, state, { students }) {
    if (state.deletedYearGroups.has(yearGroupId)) return [];
    if (!state.yearGroups.has(yearGroupId)) return refuse('not-found', NO_YEAR_GROUP);
    if (students > 0) {
      return refuse('refused', `This year group has ${students} student(s): move them to another year group or to Off-Roll first.`);
    }
    const setIds = [...state.sets].filter(([, set]) => set.yearGroupId === yearGroupId).map(([setId]) => setId);
    return [
      ...setIds.map((setId) => ({ type: 'SetDeleted' as const, data: { setId } })),
      { type: 'YearGroupDeleted', data: { yearGroupId } },
    ];
  },
  answer: (_input, _events, _facts, { commandId }) => ({ actId: commandId }),
});

/** Undoes DeleteYearGroup, with the sets that were deleted with it, all or nothing. */
export const RestoreYearGroup = subjectCommand({
  ...structureCommands.RestoreYearGroup,
  facts: schemesOfSubject,
  decide({ yearGroupId }, state, schemes) {
    if (state.yearGroups.has(yearGroupId)) return [];
    const deleted = state.deletedYearGroups.get(yearGroupId);
    if (!deleted) return refuse('not-found', NO_YEAR_GROUP);
    const { what: year, by } = deleted;
    if ([...state.yearGroups.values()].includes(year)) {
      return refuse('refused', `There is another year group ${year} now: rename or delete that one first.`);
    }
    const sets = [...state.deletedSets].filter(([, set]) => set.by === by && set.what.yearGroupId === yearGroupId);
    const why = sets.map(([, set]) => whyNotBack(set.what, state, schemes)).find((reason) => reason !== undefined);
    if (why !== undefined) return refuse('refused', why);
    return [
      { type: 'YearGroupRestored', data: { yearGroupId } },
      ...sets.map(([setId]) => ({ type: 'SetRestored' as const, data: { setId } })),
    ];
  },
});
