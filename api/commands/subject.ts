import type { Subject, Thresholds } from '../../events/subject.ts';
import { defaultThresholds, subject } from '../../events/subject.ts';
import {
  addSet,
  addSubject,
  addTeacher,
  addYearGroup,
  assignTeacherSets,
  changeSet,
  changeSetThresholds,
  chooseSetAssessments,
  chooseSetScheme,
  deleteSet,
  deleteYearGroup,
  forgetTeacher,
  removeSubject,
  removeTeacher,
  renameSet,
  renameSubject,
  renameTeacher,
  renameYearGroup,
  restoreSubject,
} from '../contract/structure.ts';
import { noFacts } from '../facts/facts.ts';
import {
  occupiedSets,
  schemeOfSubject,
  setChoices,
  studentsOfYearGroup,
  subjectMarks,
  subjectNames,
  testsOfSubject,
} from '../facts/subject.ts';
import { command, refuse, refuseInput } from './command.ts';
import { sameName } from './names.ts';
import { bySubject, isThere, NO_SUBJECT } from './of-subject.ts';

const SUBJECT_NAME_TAKEN = 'Subject name needs to be unique';
const NO_YEAR_GROUP = 'There is no such year group.';
const NO_SET = 'There is no such set.';
const NO_SCHEME = 'A set needs a scheme of work of its subject.';
const NO_TEST = 'There is no such assessment in this subject.';
const NOT_RISING = 'The thresholds must rise from red to amber to green.';
const FORGOTTEN = 'This person was forgotten: add somebody else instead.';
const NO_TEACHER = 'There is no such teacher.';
const SET_NAME_TAKEN = 'Set name needs to be unique';
const TEACHER_NAME_TAKEN = 'Teacher name needs to be unique';
const YEAR_TAKEN = 'This year group exists already';

export const AddSubject = command({
  input: addSubject,
  aggregate: subject,
  streamId: (_input, { newId }) => newId('subject'),
  facts: subjectNames,
  decide({ name }, _state, taken) {
    if (taken.some((other) => sameName(other.name, name))) return refuseInput('name', SUBJECT_NAME_TAKEN);
    return [{ type: 'SubjectAdded', data: { name } }];
  },
  answer: (_input, _events, _known, { newId }) => ({ subjectId: newId('subject') }),
});

export const RenameSubject = command({
  input: renameSubject,
  aggregate: subject,
  streamId: bySubject,
  facts: subjectNames,
  decide({ subjectId, name }, state, taken) {
    if (!isThere(state)) return refuse('not-found', NO_SUBJECT);
    if (taken.some((other) => other.subjectId !== subjectId && sameName(other.name, name))) {
      return refuseInput('name', SUBJECT_NAME_TAKEN);
    }
    return state.name === name ? [] : [{ type: 'SubjectRenamed', data: { name } }];
  },
  answer: () => ({}),
});

/** Hides a subject with all that it holds. One that holds marks stays: they would be gone from every screen. */
export const RemoveSubject = command({
  input: removeSubject,
  aggregate: subject,
  streamId: bySubject,
  facts: subjectMarks,
  decide(_input, state, { marks }) {
    if (state.name === undefined) return refuse('not-found', NO_SUBJECT);
    if (state.removed) return [];
    if (marks > 0) return refuse('refused', `${state.name} holds ${marks} mark(s) of students: a subject with marks cannot be removed.`);
    return [{ type: 'SubjectRemoved', data: {} }];
  },
  answer: () => ({}),
});

export const RestoreSubject = command({
  input: restoreSubject,
  aggregate: subject,
  streamId: bySubject,
  facts: subjectNames,
  decide(_input, state, taken) {
    const { name, removed } = state;
    if (name === undefined) return refuse('not-found', NO_SUBJECT);
    if (!removed) return [];
    if (taken.some((other) => sameName(other.name, name)))
      return refuse('refused', `There is another subject called ${name} now: rename that one first.`);
    return [{ type: 'SubjectRestored', data: {} }];
  },
  answer: () => ({}),
});

export const AddYearGroup = command({
  input: addYearGroup,
  aggregate: subject,
  streamId: bySubject,
  facts: noFacts,
  decide({ year }, state, _known, { newId }) {
    if (!isThere(state)) return refuse('not-found', NO_SUBJECT);
    if ([...state.yearGroups.values()].includes(year)) return refuseInput('year', YEAR_TAKEN);
    return [{ type: 'YearGroupAdded', data: { yearGroupId: newId('year-group'), year } }];
  },
  answer: (_input, _events, _known, { newId }) => ({ yearGroupId: newId('year-group') }),
});

export const RenameYearGroup = command({
  input: renameYearGroup,
  aggregate: subject,
  streamId: bySubject,
  facts: noFacts,
  decide({ yearGroupId, year }, state) {
    if (!state.yearGroups.has(yearGroupId)) return refuse('not-found', NO_YEAR_GROUP);
    if (state.yearGroups.get(yearGroupId) === year) return [];
    if ([...state.yearGroups.values()].includes(year)) return refuseInput('year', YEAR_TAKEN);
    return [{ type: 'YearGroupRenamed', data: { yearGroupId, year } }];
  },
  answer: () => ({}),
});

/** With its sets, as long as there are no students in them. */
export const DeleteYearGroup = command({
  input: deleteYearGroup,
  aggregate: subject,
  streamId: bySubject,
  facts: studentsOfYearGroup,
  decide({ yearGroupId }, state, { students }) {
    if (!state.yearGroups.has(yearGroupId)) return [];
    if (students > 0) {
      return refuse('refused', `This year group has ${students} student(s): move them to another year group or to Off-Roll first.`);
    }
    const setIds = [...state.sets].filter(([, set]) => set.yearGroupId === yearGroupId).map(([setId]) => setId);
    return [
      ...setIds.map((setId) => ({ type: 'SetDeleted' as const, data: { setId } })),
      { type: 'YearGroupDeleted', data: { yearGroupId } },
    ];
  },
  answer: () => ({}),
});

export const AddSet = command({
  input: addSet,
  aggregate: subject,
  streamId: bySubject,
  facts: schemeOfSubject,
  decide({ yearGroupId, name, schemeId }, state, known, { newId }) {
    if (!state.yearGroups.has(yearGroupId)) return refuse('not-found', NO_YEAR_GROUP);
    if (!known.exists) return refuseInput('schemeId', NO_SCHEME);
    if (nameTaken(state, name)) return refuseInput('name', SET_NAME_TAKEN);
    return [{ type: 'SetAdded', data: { setId: newId('set'), yearGroupId, name, schemeId, thresholds: defaultThresholds } }];
  },
  answer: (_input, _events, _known, { newId }) => ({ setId: newId('set') }),
});

/** What a form of a set has changed, all of it or nothing. */
export const ChangeSet = command({
  input: changeSet,
  aggregate: subject,
  streamId: bySubject,
  facts: setChoices,
  decide({ setId, name, schemeId, testIds, thresholds }, state, known) {
    const set = state.sets.get(setId);
    if (!set) return refuse('not-found', NO_SET);
    if (name !== undefined && nameTaken(state, name, setId)) return refuseInput('name', SET_NAME_TAKEN);
    if (schemeId !== undefined && !known.schemeIds.includes(schemeId)) return refuseInput('schemeId', NO_SCHEME);
    const chosen = testIds && [...new Set(testIds)];
    if (chosen?.some((testId) => !known.testIds.includes(testId))) return refuseInput('testIds', NO_TEST);
    if (thresholds && !isRising(thresholds)) return refuseInput('thresholds', NOT_RISING);
    return [
      ...(name === undefined || name === set.name ? [] : [{ type: 'SetRenamed' as const, data: { setId, name } }]),
      ...(schemeId === undefined || schemeId === set.schemeId ? [] : [{ type: 'SetSchemeChosen' as const, data: { setId, schemeId } }]),
      ...(chosen === undefined || sameList(set.testIds, chosen)
        ? []
        : [{ type: 'SetAssessmentsChosen' as const, data: { setId, testIds: chosen } }]),
      ...(thresholds === undefined || sameThresholds(set.thresholds, thresholds)
        ? []
        : [{ type: 'SetThresholdsChanged' as const, data: { setId, thresholds } }]),
    ];
  },
  answer: () => ({}),
});

export const RenameSet = command({
  input: renameSet,
  aggregate: subject,
  streamId: bySubject,
  facts: noFacts,
  decide({ setId, name }, state) {
    const set = state.sets.get(setId);
    if (!set) return refuse('not-found', NO_SET);
    if (nameTaken(state, name, setId)) return refuseInput('name', SET_NAME_TAKEN);
    return set.name === name ? [] : [{ type: 'SetRenamed', data: { setId, name } }];
  },
  answer: () => ({}),
});

export const ChooseSetScheme = command({
  input: chooseSetScheme,
  aggregate: subject,
  streamId: bySubject,
  facts: schemeOfSubject,
  decide({ setId, schemeId }, state, known) {
    const set = state.sets.get(setId);
    if (!set) return refuse('not-found', NO_SET);
    if (!known.exists) return refuseInput('schemeId', NO_SCHEME);
    return set.schemeId === schemeId ? [] : [{ type: 'SetSchemeChosen', data: { setId, schemeId } }];
  },
  answer: () => ({}),
});

export const ChooseSetAssessments = command({
  input: chooseSetAssessments,
  aggregate: subject,
  streamId: bySubject,
  facts: testsOfSubject,
  decide({ setId, testIds }, state, known) {
    const set = state.sets.get(setId);
    if (!set) return refuse('not-found', NO_SET);
    const unknown = testIds.findIndex((testId) => !known.testIds.includes(testId));
    if (unknown >= 0) return refuseInput(`testIds.${unknown}`, NO_TEST);
    const chosen = [...new Set(testIds)];
    return sameList(set.testIds, chosen) ? [] : [{ type: 'SetAssessmentsChosen', data: { setId, testIds: chosen } }];
  },
  answer: () => ({}),
});

export const ChangeSetThresholds = command({
  input: changeSetThresholds,
  aggregate: subject,
  streamId: bySubject,
  facts: noFacts,
  decide({ setId, thresholds }, state) {
    const set = state.sets.get(setId);
    if (!set) return refuse('not-found', NO_SET);
    if (!isRising(thresholds)) return refuseInput('thresholds', NOT_RISING);
    const same = sameThresholds(set.thresholds, thresholds);
    return same ? [] : [{ type: 'SetThresholdsChanged', data: { setId, thresholds } }];
  },
  answer: () => ({}),
});

export const DeleteSet = command({
  input: deleteSet,
  aggregate: subject,
  streamId: bySubject,
  facts: occupiedSets,
  decide({ setId }, state, known) {
    if (!state.sets.has(setId)) return [];
    if (known.students > 0) {
      return refuse('refused', `This set has ${known.students} student(s): move them to another set or to Off-Roll first.`);
    }
    return [{ type: 'SetDeleted', data: { setId } }];
  },
  answer: () => ({}),
});

export const AddTeacher = command({
  input: addTeacher,
  aggregate: subject,
  streamId: bySubject,
  facts: noFacts,
  decide({ name }, state, _known, { newId, tag }) {
    if (!isThere(state)) return refuse('not-found', NO_SUBJECT);
    const nameTag = tag('teacher-name', name);
    if ([...state.teachers.values()].some((teacher) => teacher.tag === nameTag)) return refuseInput('name', TEACHER_NAME_TAKEN);
    return [{ type: 'TeacherAdded', data: { teacherId: newId('teacher'), person: { name, tag: nameTag } } }];
  },
  answer: (_input, _events, _known, { newId }) => ({ teacherId: newId('teacher') }),
});

export const RenameTeacher = command({
  input: renameTeacher,
  aggregate: subject,
  streamId: bySubject,
  facts: noFacts,
  decide({ teacherId, name }, state, _known, { tag }) {
    const teacher = state.teachers.get(teacherId);
    if (!teacher) return refuse('not-found', NO_TEACHER);
    if (state.forgottenTeachers.has(teacherId)) return refuse('refused', FORGOTTEN);
    const nameTag = tag('teacher-name', name);
    if ([...state.teachers].some(([id, other]) => id !== teacherId && other.tag === nameTag))
      return refuseInput('name', TEACHER_NAME_TAKEN);
    if (teacher.name === name) return [];
    return [{ type: 'TeacherRenamed', data: { teacherId, person: { name, tag: nameTag } } }];
  },
  answer: () => ({}),
});

export const AssignTeacherSets = command({
  input: assignTeacherSets,
  aggregate: subject,
  streamId: bySubject,
  facts: noFacts,
  decide({ teacherId, setIds }, state) {
    const teacher = state.teachers.get(teacherId);
    if (!teacher) return refuse('not-found', NO_TEACHER);
    const unknown = setIds.findIndex((setId) => !state.sets.has(setId));
    if (unknown >= 0) return refuseInput(`setIds.${unknown}`, NO_SET);
    const assigned = [...new Set(setIds)];
    return sameList(teacher.setIds, assigned) ? [] : [{ type: 'TeacherSetsAssigned', data: { teacherId, setIds: assigned } }];
  },
  answer: () => ({}),
});

export const RemoveTeacher = command({
  input: removeTeacher,
  aggregate: subject,
  streamId: bySubject,
  facts: noFacts,
  decide: ({ teacherId }, state) => (state.teachers.has(teacherId) ? [{ type: 'TeacherRemoved', data: { teacherId } }] : []),
  answer: () => ({}),
});

/** With his account: see api/forgetting. */
export const ForgetTeacher = command({
  input: forgetTeacher,
  aggregate: subject,
  streamId: bySubject,
  facts: noFacts,
  decide: ({ teacherId }, state) => (state.forgottenTeachers.has(teacherId) ? [] : [{ type: 'TeacherForgotten', data: { teacherId } }]),
  answer: () => ({}),
});

/** Unique in the subject, whatever the spelling: people would not tell 11x1 from 11X1. */
const nameTaken = ({ sets }: Subject, name: string, but?: string): boolean =>
  [...sets].some(([setId, set]) => setId !== but && sameName(set.name, name));

const isRising = ({ red, amber, green }: Thresholds): boolean => red <= amber && amber <= green;
const sameThresholds = (a: Thresholds, b: Thresholds): boolean => a.red === b.red && a.amber === b.amber && a.green === b.green;

const sameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((item, index) => item === b[index]);
