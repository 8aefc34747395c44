import type { GradeProfile } from '../../../events/tasks/grade-profile.ts';
import { gradeProfile } from '../../../events/tasks/grade-profile.ts';
import type { Context } from '../../common/command.ts';
import { command, refuse, refuseInput } from '../../common/command.ts';
import { repeated, sameName } from '../../contract/names.ts';
import { becoming, gradesAfter, keysAfter, storedKeys } from './grade-keys.rules.ts';
import { gradeMessages, isSameShares, MAX_GRADES } from './grades.contract.ts';
import { noFacts } from '../../common/facts.ts';
import { tasksCommands } from './grade-profile.contract.ts';

const NO_GRADE = 'There is no such grade in this profile.';
const NO_PROFILE = 'There is no such grade profile.';

type OfSubject = { readonly subjectId: string };
const newProfile = {
  aggregate: gradeProfile,
  streamId: (_input: unknown, { newId }: Context): string => newId('grade-profile'),
  facts: noFacts,
  touches: ({ subjectId }: OfSubject) => ({ subjectId, setIds: [] }),
  answer: (_input: unknown, _events: unknown, _facts: unknown, { newId }: Context) => ({ gradeProfileId: newId('grade-profile') }),
};
const ofProfile = {
  aggregate: gradeProfile,
  streamId: ({ gradeProfileId }: { readonly gradeProfileId: string }): string => gradeProfileId,
  subjectOf: ({ subjectId }: GradeProfile): string | undefined => subjectId,
  facts: noFacts,
};

/** A copy of another one is created with its grades. */
export const CreateGradeProfile = command({
  ...tasksCommands.CreateGradeProfile,
  ...newProfile,
  decide: (input) => [{ type: 'GradeProfileCreated', data: input }],
});

/** A profile without grades. */
export const OpenGradeProfile = command({
  ...tasksCommands.OpenGradeProfile,
  ...newProfile,
  decide: (input) => [{ type: 'GradeProfileCreated', data: { ...input, grades: [] } }],
});

/**
 * Each row is right by itself; what they add up to is asked where grades are allocated. A new grade that is there already, with the same
 * percentage, was sent twice.
 */
export const SaveGrades = command({
  ...tasksCommands.SaveGrades,
  ...ofProfile,
  decide({ rows }, state) {
    if (isGone(state)) return refuse('not-found', NO_PROFILE);
    const gone = rows.findIndex(({ was }) => was !== null && !state.grades.some(({ label }) => label === was));
    if (gone >= 0) return refuse('not-found', NO_GRADE, [{ path: `rows.${gone}`, message: NO_GRADE }]);
    const becomes = gradesAfter(state, rows);
    const grades = becomes.map(({ label, percent }) => ({ label, percent }));
    if (grades.length > MAX_GRADES) return refuseInput('rows', `A grade profile has at most ${MAX_GRADES} grades.`);
    const twice = grades[repeated(grades.map(({ label }) => label))];
    if (twice)
      return refuseInput(`rows.${rows.findIndex(({ label }) => sameName(label, twice.label))}.label`, gradeMessages.twice(twice.label));
    if (isSameShares(state.grades, grades)) return [];
    return [{ type: 'GradeProfileEdited', data: { name: state.name, grades, ...storedKeys(keysAfter(state, becomes)) } }];
  },
  answer: () => ({}),
});

/** Grades that were allocated by it stay as they are. */
export const EditGradeProfile = command({
  ...tasksCommands.EditGradeProfile,
  ...ofProfile,
  decide({ name, grades, was }, state) {
    if (isGone(state)) return refuse('not-found', NO_PROFILE);
    if (state.name === name && isSameShares(state.grades, grades)) return [];
    if (was && !(was.name === state.name && isSameShares(was.grades, state.grades)))
      return refuse('conflict', 'Somebody else has changed this grade profile meanwhile. Reload to see it, then save yours again.');
    return [{ type: 'GradeProfileEdited', data: { name, grades, ...storedKeys(keysAfter(state, becoming(state, grades))) } }];
  },
  answer: () => ({}),
});

export const DeleteGradeProfile = command({
  ...tasksCommands.DeleteGradeProfile,
  ...ofProfile,
  decide(_input, state) {
    if (state.subjectId === undefined) return refuse('not-found', NO_PROFILE);
    return state.deleted ? [] : [{ type: 'GradeProfileDeleted', data: {} }];
  },
  answer: () => ({}),
});

export const RestoreGradeProfile = command({
  ...tasksCommands.RestoreGradeProfile,
  ...ofProfile,
  decide(_input, state) {
    if (state.subjectId === undefined) return refuse('not-found', NO_PROFILE);
    return state.deleted ? [{ type: 'GradeProfileRestored', data: {} }] : [];
  },
  answer: () => ({}),
});

const isGone = ({ subjectId, deleted }: GradeProfile): boolean => subjectId === undefined || deleted;
