import { z } from 'zod';
import type { SubjectEvent, Subject, TeacherState } from '../../../events/school/subject.ts';
import { subject } from '../../../events/school/subject.ts';
import { setsCommands } from '../sets/sets.contract.ts';
import { linkedLists, resolveChoice } from '../../common/choice.ts';
import type { Context, Refused } from '../../common/command.ts';
import { command, refuse, refuseInput } from '../../common/command.ts';
import { bySubject, subjectCommand } from '../../common/of-subject.ts';
import { NO_SET } from '../sets/set.rules.ts';
import { nothing } from '../../contract/answer.ts';
import { id } from '../../contract/fields.ts';

const FORGOTTEN = 'This person was forgotten: add somebody else instead.';
const NO_TEACHER = 'There is no such teacher.';
const NAME_TAKEN = 'Teacher name needs to be unique';

export const AddTeacher = subjectCommand({
  ...setsCommands.AddTeacher,
  decide({ name }, state, _facts, { newId, tag }) {
    const nameTag = tag('teacher-name', name);
    if (isTaken(nameTag, state)) return refuseInput('name', NAME_TAKEN);
    return [{ type: 'TeacherAdded', data: { teacherId: newId('teacher'), person: { name, tag: nameTag } } }];
  },
  answer: (_input, _events, _facts, { newId }) => ({ teacherId: newId('teacher') }),
});

/** The changes of a teacher's form, all or nothing. */
export const ChangeTeacher = subjectCommand({
  ...setsCommands.ChangeTeacher,
  decide({ teacherId, name, setIds }, state, _facts, { tag }) {
    const teacher = state.teachers.get(teacherId);
    if (!teacher) return refuse('not-found', NO_TEACHER);
    const renamed = name === undefined ? [] : named(teacherId, name, state, tag);
    if (!Array.isArray(renamed)) return renamed;
    const sets = resolveChoice(setIds ?? teacher.setIds, teacher.setIds, (setId) => state.sets.has(setId));
    if (sets.unknown >= 0) return refuseInput('setIds', NO_SET);
    return [...renamed, ...assigned(teacherId, sets.list)];
  },
});

/** Gives teachers sets, or takes them away, whatever others they teach: all of them, or none. */
export const LinkTeacherSet = subjectCommand({
  largest: 'upload',
  ...setsCommands.LinkTeacherSet,
  decide({ links, linked }, state) {
    if (links.some(({ teacherId }) => !state.teachers.has(teacherId))) return refuse('not-found', NO_TEACHER);
    const teaches = (teacherId: string): readonly string[] => state.teachers.get(teacherId)?.setIds ?? [];
    if (linked && links.some(({ teacherId, setId }) => !state.sets.has(setId) && !teaches(teacherId).includes(setId)))
      return refuse('not-found', NO_SET);
    const taught = linkedLists(
      links.map(({ teacherId, setId }) => [teacherId, setId]),
      teaches,
      linked,
    );
    return [...taught].flatMap(([teacherId, setIds]) => assigned(teacherId, setIds));
  },
});

export const RemoveTeacher = subjectCommand({
  ...setsCommands.RemoveTeacher,
  decide({ teacherId }, state) {
    if (state.removedTeachers.has(teacherId)) return [];
    if (!state.teachers.has(teacherId)) return refuse('not-found', NO_TEACHER);
    return [{ type: 'TeacherRemoved', data: { teacherId } }];
  },
});

/** Removes a teacher, whose classes others take over: all of it as one. The log-in is closed by a step of its own (api/auth/identity). */
export const LetTeacherLeave = subjectCommand({
  largest: 'upload',
  ...setsCommands.LetTeacherLeave,
  decide({ teacherId, handOver }, state) {
    if (state.removedTeachers.has(teacherId)) return [];
    const teacher = state.teachers.get(teacherId);
    if (!teacher) return refuse('not-found', NO_TEACHER);
    const taught = new Set(teacher.setIds.filter((setId) => state.sets.has(setId)));
    const said = new Set(handOver.map(({ setId }) => setId));
    if (said.size < handOver.length || taught.symmetricDifference(said).size > 0) return refuse('precondition-failed', OTHER_CLASSES);
    const wrong = handOver.findIndex(({ to }) => to !== null && (to === teacherId || !state.teachers.has(to)));
    if (wrong >= 0) return refuseInput(`handOver.${wrong}.to`, NO_TEACHER);
    const taken = linkedLists(
      handOver.flatMap(({ setId, to }) => (to === null ? [] : [[to, setId] as const])),
      (to) => state.teachers.get(to)?.setIds ?? [],
      true,
    );
    return [...[...taken].flatMap(([to, setIds]) => assigned(to, setIds)), { type: 'TeacherRemoved', data: { teacherId } }];
  },
  answer: (_input, _events, _facts, { commandId }) => ({ actId: commandId }),
});
const OTHER_CLASSES = 'Somebody else has changed the classes of this teacher meanwhile. Look at them, then say again who takes them over.';

/** Undoes RemoveTeacher: name and sets come back, and a linked account works again. */
export const RestoreTeacher = subjectCommand({
  ...setsCommands.RestoreTeacher,
  decide({ teacherId }, state) {
    if (state.teachers.has(teacherId)) return [];
    const teacher = state.removedTeachers.get(teacherId)?.what;
    if (!teacher) return refuse('not-found', NO_TEACHER);
    if (state.forgottenTeachers.has(teacherId)) return refuse('refused', FORGOTTEN);
    if (teacher.tag !== undefined && isTaken(teacher.tag, state)) {
      return refuse('refused', `There is another teacher called ${teacher.name} now: rename that one first.`);
    }
    return [{ type: 'TeacherRestored', data: { teacherId } }];
  },
});

/** The teacher record's part of forgetting: see api/auth/forgetting.handler.ts. */
export const ForgetTeacher = command({
  input: z.strictObject({ subjectId: id, teacherId: id }),
  result: nothing,
  aggregate: subject,
  streamId: bySubject,
  decide: ({ teacherId }, state) => (state.forgottenTeachers.has(teacherId) ? [] : [{ type: 'TeacherForgotten', data: { teacherId } }]),
});

const named = (teacherId: string, name: string, state: Subject, tag: Context['tag']): SubjectEvent[] | Refused => {
  if (state.forgottenTeachers.has(teacherId)) return refuse('refused', FORGOTTEN);
  const nameTag = tag('teacher-name', name);
  if (isTaken(nameTag, state, teacherId)) return refuseInput('name', NAME_TAKEN);
  if (state.teachers.get(teacherId)?.name === name) return [];
  return [{ type: 'TeacherRenamed', data: { teacherId, person: { name, tag: nameTag } } }];
};

const isTaken = (nameTag: TeacherState['tag'], { teachers }: Subject, but?: string): boolean =>
  [...teachers].some(([id, other]) => id !== but && other.tag === nameTag);

const assigned = (teacherId: string, setIds: readonly string[] | undefined): SubjectEvent[] =>
  setIds ? [{ type: 'TeacherSetsAssigned', data: { teacherId, setIds: [...setIds] } }] : [];
