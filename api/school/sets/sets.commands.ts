import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import type { SetState, Subject, SubjectEvent, Thresholds } from '../../../events/school/subject.ts';
import { defaultThresholds } from '../../../events/school/subject.ts';
import type { InputError } from '../../contract/problem.ts';
import type { changeSet } from './sets.contract.ts';
import { setsCommands } from './sets.contract.ts';
import { occupiedSets, schemeOfSubject, schemesOfSubject, setChoices, testOfSubject } from './sets.facts.ts';
import { linkedLists, resolveChoice } from '../../common/choice.ts';
import { refuse, refuseInput, Refused } from '../../common/command.ts';
import { distinctNames, repeated, sameName } from '../../contract/names.ts';
import { subjectCommand, NO_YEAR_GROUP } from '../../common/of-subject.ts';
import { wrongThresholds } from '../../contract/rules.ts';
import { nameTaken, NO_SET, whyNotBack } from './set.rules.ts';

const NO_SCHEME = 'A set needs a scheme of work of its subject.';
const NO_TEST = 'There is no such assessment in this subject.';
const NAME_TAKEN = 'Set name needs to be unique';

export const AddSet = subjectCommand({
  ...setsCommands.AddSet,
  facts: schemeOfSubject,
  decide({ yearGroupId, name, schemeId }, state, scheme, { newId }) {
    if (!state.yearGroups.has(yearGroupId)) return refuse('not-found', NO_YEAR_GROUP);
    if (!scheme.exists) return refuseInput('schemeId', NO_SCHEME);
    if (nameTaken(state, name)) return refuseInput('name', NAME_TAKEN);
    return [{ type: 'SetAdded', data: { setId: newId('set'), yearGroupId, name, schemeId, thresholds: defaultThresholds } }];
  },
  answer: (_input, _events, _facts, { newId }) => ({ setId: newId('set') }),
});

/** The changes of a set's form, all or nothing. */
export const ChangeSet = subjectCommand({
  ...setsCommands.ChangeSet,
  facts: setChoices,
  decide({ setId, ...change }, state, choices) {
    const set = state.sets.get(setId);
    return set
      ? changed({ setId, set, change, isTaken: (name) => nameTaken(state, name, setId) }, state, choices)
      : refuse('not-found', NO_SET);
  },
});

/** The edits of a table of sets, all or nothing. Two may swap their names. */
export const ChangeSets = subjectCommand({
  largest: 'upload',
  ...setsCommands.ChangeSets,
  facts: setChoices,
  decide({ changes }, state, choices) {
    const twice = repeated(changes.map(({ setId }) => setId));
    if (twice >= 0) return refuseInput(`changes.${twice}.setId`, 'Each set can be listed only once.');
    if (changes.some(({ setId }) => !state.sets.has(setId))) return refuse('not-found', NO_SET);
    const names = new Map([...state.sets].map(([setId, { name }]) => [setId, name]));
    for (const { setId, name } of changes) if (name !== undefined) names.set(setId, name);
    const events: SubjectEvent[] = [];
    const errors: InputError[] = [];
    for (const [index, { setId, was, ...change }] of changes.entries()) {
      const set = state.sets.get(setId);
      if (!set) continue;
      const isTaken = (name: string): boolean => [...names].some(([other, its]) => other !== setId && sameName(its, name));
      const decided = isStill(set, was, choices) ? changed({ setId, set, change, isTaken }, state, choices) : CHANGED_MEANWHILE;
      if (decided instanceof Refused) errors.push({ path: `changes.${index}.${decided.errors[0]?.path ?? 'was'}`, message: decided.title });
      else events.push(...decided);
    }
    return errors[0] ? refuse('invalid-input', errors[0].message, errors) : events;
  },
  answer: (_input, _events, _facts, { commandId }) => ({ actId: commandId }),
});
const CHANGED_MEANWHILE = refuse('precondition-failed', 'Somebody else has changed this set meanwhile. Look at it, then save again.');

type SetFields = Omit<z.output<typeof changeSet>, 'subjectId' | 'setId'>;
type Choices = { readonly schemeIds: readonly string[]; readonly testIds: readonly string[] };
type SetChange = {
  readonly setId: string;
  readonly set: SetState;
  readonly change: SetFields;
  readonly isTaken: (name: string) => boolean;
};

const changed = ({ setId, set, change, isTaken }: SetChange, state: Subject, choices: Choices): SubjectEvent[] | Refused => {
  const { name, yearGroupId, schemeId, testIds, thresholds } = change;
  if (name !== undefined && isTaken(name)) return refuseInput('name', NAME_TAKEN);
  if (yearGroupId !== undefined && !state.yearGroups.has(yearGroupId)) return refuseInput('yearGroupId', NO_YEAR_GROUP);
  if (schemeId !== undefined && !choices.schemeIds.includes(schemeId)) return refuseInput('schemeId', NO_SCHEME);
  const tests = resolveChoice(testIds ?? set.testIds, set.testIds, (testId) => choices.testIds.includes(testId));
  if (tests.unknown >= 0) return refuseInput('testIds', NO_TEST);
  const wrong = thresholds && wrongThresholds(thresholds);
  if (wrong !== undefined) return refuseInput('thresholds', wrong);
  return [
    ...(name === undefined || name === set.name ? [] : [{ type: 'SetRenamed' as const, data: { setId, name } }]),
    ...(yearGroupId === undefined || yearGroupId === set.yearGroupId
      ? []
      : [{ type: 'SetMovedToYearGroup' as const, data: { setId, yearGroupId } }]),
    ...(schemeId === undefined || schemeId === set.schemeId ? [] : [{ type: 'SetSchemeChosen' as const, data: { setId, schemeId } }]),
    ...(tests.list ? [{ type: 'SetAssessmentsChosen' as const, data: { setId, testIds: tests.list } }] : []),
    ...(thresholds === undefined || sameThresholds(set.thresholds, thresholds)
      ? []
      : [{ type: 'SetThresholdsChanged' as const, data: { setId, thresholds } }]),
  ];
};

/** Whether a set is as somebody saw it; of its assessments they see those that are there. */
const isStill = (set: SetState, was: SetFields = {}, { testIds: there }: Choices): boolean =>
  (was.name ?? set.name) === set.name &&
  (was.yearGroupId ?? set.yearGroupId) === set.yearGroupId &&
  (was.schemeId ?? set.schemeId) === set.schemeId &&
  (was.testIds === undefined ||
    isDeepStrictEqual(
      was.testIds,
      set.testIds.filter((testId) => there.includes(testId)),
    )) &&
  (was.thresholds === undefined || sameThresholds(was.thresholds, set.thresholds));

/** Gives sets assessments, or takes them back, whatever others they have: all of them, or none. */
export const LinkSetAssessment = subjectCommand({
  largest: 'upload',
  ...setsCommands.LinkSetAssessment,
  facts: setChoices,
  decide({ links, linked }, state, choices) {
    if (links.some(({ setId }) => !state.sets.has(setId))) return refuse('not-found', NO_SET);
    const there = new Set(choices.testIds);
    const has = (setId: string): readonly string[] => state.sets.get(setId)?.testIds ?? [];
    if (linked && links.some(({ setId, testId }) => !there.has(testId) && !has(setId).includes(testId)))
      return refuse('not-found', NO_TEST);
    const chosen = linkedLists(
      links.map(({ setId, testId }) => [setId, testId]),
      has,
      linked,
    );
    return [...chosen].map(([setId, testIds]) => ({ type: 'SetAssessmentsChosen', data: { setId, testIds: [...testIds] } }));
  },
});

/** Says on which day a set sat an assessment, or takes that back: its undo is the day that stood there before. */
export const DateAssessment = subjectCommand({
  ...setsCommands.DateAssessment,
  facts: testOfSubject,
  decide({ setId, testId, satOn, was }, state, test) {
    const set = state.sets.get(setId);
    if (!set) return refuse('not-found', NO_SET);
    if (!test.exists) return refuse('not-found', NO_TEST);
    const before = set.satOn[testId] ?? null;
    if (before === satOn) return [];
    if (was !== undefined && was !== before) return refuse('precondition-failed', DATED_MEANWHILE);
    return [{ type: 'SetAssessmentDated', data: { setId, testId, satOn } }];
  },
  touches: ({ subjectId, setId }) => ({ subjectId, setIds: [setId] }),
});
const DATED_MEANWHILE = 'Somebody else has changed this date meanwhile. Look at it, then change it again.';

export const DeleteSet = subjectCommand({
  ...setsCommands.DeleteSet,
  facts: occupiedSets,
  decide({ setId }, state, occupied) {
    if (state.deletedSets.has(setId)) return [];
    if (!state.sets.has(setId)) return refuse('not-found', NO_SET);
    if (occupied.students > 0) {
      return refuse('refused', `This set has ${occupied.students} student(s): move them to another set or to Off-Roll first.`);
    }
    return [{ type: 'SetDeleted', data: { setId } }];
  },
  answer: (_input, _events, _facts, { commandId }) => ({ actId: commandId }),
});

/** Undoes DeleteSet, with scheme of work, assessments, thresholds and teachers. */
export const RestoreSet = subjectCommand({
  ...setsCommands.RestoreSet,
  facts: schemesOfSubject,
  decide({ setId }, state, schemes) {
    if (state.sets.has(setId)) return [];
    const set = state.deletedSets.get(setId)?.what;
    if (!set) return refuse('not-found', NO_SET);
    if (!state.yearGroups.has(set.yearGroupId))
      return refuse('refused', `The year group of ${set.name} was deleted too: bring that back first.`);
    const why = whyNotBack(set, state, schemes);
    return why === undefined ? [{ type: 'SetRestored', data: { setId } }] : refuse('refused', why);
  },
});

/** Sets by name, such as a file of students needs, in one year group, with one scheme of work and the same assessments, all or none. */
export const AddSets = subjectCommand({
  ...setsCommands.AddSets,
  facts: setChoices,
  decide({ yearGroupId, names, schemeId, testIds }, state, choices, { newId }) {
    if (!state.yearGroups.has(yearGroupId)) return refuse('not-found', NO_YEAR_GROUP);
    if (!choices.schemeIds.includes(schemeId)) return refuseInput('schemeId', NO_SCHEME);
    const unknown = testIds.findIndex((testId) => !choices.testIds.includes(testId));
    if (unknown >= 0) return refuseInput(`testIds.${unknown}`, NO_TEST);
    const taken = distinctNames([...state.sets.values()].map(({ name }) => name));
    const wrong = repeated([...taken, ...names]) - taken.length;
    if (wrong >= 0) return refuseInput(`names.${wrong}`, NAME_TAKEN);
    const tests = [...new Set(testIds)];
    return names.flatMap((name) => {
      const setId = newId(`set ${name}`);
      const added = { type: 'SetAdded', data: { setId, yearGroupId, name, schemeId, thresholds: defaultThresholds } } as const;
      return tests.length === 0 ? [added] : [added, { type: 'SetAssessmentsChosen', data: { setId, testIds: tests } } as const];
    });
  },
  answer: ({ names }, _events, _facts, { newId }) => ({ setIds: names.map((name) => newId(`set ${name}`)) }),
});

const sameThresholds = (a: Thresholds, b: Thresholds): boolean => a.red === b.red && a.amber === b.amber && a.green === b.green;
