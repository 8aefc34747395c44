import type { GradeProfile, GradeShares } from '../../../events/tasks/grade-profile.ts';
import { gradeProfile } from '../../../events/tasks/grade-profile.ts';
import { command, refuse, refuseInput } from '../../common/command.ts';
import { repeated, sameName } from '../../contract/names.ts';
import { becoming, gradesAfter, keysAfter, storedKeys } from './grade-keys.rules.ts';
import { gradeMessages, MAX_GRADES } from './grades.contract.ts';
import { noFacts } from '../../common/facts.ts';
import { tasksCommands } from './grade-profile.contract.ts';

const NO_GRADE = 'There is no such grade in this profile.';
const NO_PROFILE = 'There is no such grade profile.';

/** A copy of another one is created with its grades. */
export const CreateGradeProfile = command({
  ...tasksCommands.CreateGradeProfile,
  aggregate: gradeProfile,
  streamId: (_input, { newId }) => newId('grade-profile'),
  facts: noFacts,
  decide: (input) => [{ type: 'GradeProfileCreated', data: input }],
  touches: ({ subjectId }) => ({ subjectId, setIds: [] }),
  answer: (_input, _events, _known, { newId }) => ({ gradeProfileId: newId('grade-profile') }),
});

/** A profile without grades. */
export const OpenGradeProfile = command({
  ...tasksCommands.OpenGradeProfile,
  aggregate: gradeProfile,
  streamId: (_input, { newId }) => newId('grade-profile'),
  facts: noFacts,
  decide: (input) => [{ type: 'GradeProfileCreated', data: { ...input, grades: [] } }],
  touches: ({ subjectId }) => ({ subjectId, setIds: [] }),
  answer: (_input, _events, _known, { newId }) => ({ gradeProfileId: newId('grade-profile') }),
});

/**
 * Each row is right by itself; what they add up to is asked where grades are allocated. A new grade that is there already, with the same
 * percentage, was sent twice.
 */
export const SaveGrades = command({
  ...tasksCommands.SaveGrades,
  aggregate: gradeProfile,
  streamId: ({ gradeProfileId }) => gradeProfileId,
  subjectOf: ({ subjectId }) => subjectId,
  facts: noFacts,
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
    if (sameGrades(state.grades, grades)) return [];
    return [{ type: 'GradeProfileEdited', data: { name: state.name, grades, ...storedKeys(keysAfter(state, becomes)) } }];
  },
  answer: () => ({}),
});

/** Grades that were allocated by it stay as they are. */
export const EditGradeProfile = command({
  ...tasksCommands.EditGradeProfile,
  aggregate: gradeProfile,
  streamId: ({ gradeProfileId }) => gradeProfileId,
  subjectOf: ({ subjectId }) => subjectId,
  facts: noFacts,
  decide({ name, grades, was }, state) {
    if (isGone(state)) return refuse('not-found', NO_PROFILE);
    if (state.name === name && sameGrades(state.grades, grades)) return [];
    if (was && !(was.name === state.name && sameGrades(was.grades, state.grades)))
      return refuse('conflict', 'Somebody else has changed this grade profile meanwhile. Reload to see it, then save yours again.');
    return [{ type: 'GradeProfileEdited', data: { name, grades, ...storedKeys(keysAfter(state, becoming(state, grades))) } }];
  },
  answer: () => ({}),
});

export const DeleteGradeProfile = command({
  ...tasksCommands.DeleteGradeProfile,
  aggregate: gradeProfile,
  streamId: ({ gradeProfileId }) => gradeProfileId,
  subjectOf: ({ subjectId }) => subjectId,
  facts: noFacts,
  decide(_input, state) {
    if (state.subjectId === undefined) return refuse('not-found', NO_PROFILE);
    return state.deleted ? [] : [{ type: 'GradeProfileDeleted', data: {} }];
  },
  answer: () => ({}),
});

export const RestoreGradeProfile = command({
  ...tasksCommands.RestoreGradeProfile,
  aggregate: gradeProfile,
  streamId: ({ gradeProfileId }) => gradeProfileId,
  subjectOf: ({ subjectId }) => subjectId,
  facts: noFacts,
  decide(_input, state) {
    if (state.subjectId === undefined) return refuse('not-found', NO_PROFILE);
    return state.deleted ? [{ type: 'GradeProfileRestored', data: {} }] : [];
  },
  answer: () => ({}),
});

const isGone = ({ subjectId, deleted }: GradeProfile): boolean => subjectId === undefined || deleted;

const sameGrades = (a: Readonly<GradeShares>, b: Readonly<GradeShares>): boolean =>
  a.length === b.length && a.every(({ label, percent }, index) => b[index]?.label === label && b[index].percent === percent);
