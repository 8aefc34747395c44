import { isDeepStrictEqual } from 'node:util';
import type { Fields, SubjectWithActs, Thing } from '../../events/school/subject-acts.ts';
import { fieldsOf, SAT_ON } from '../../events/school/subject-acts.ts';
import type { SubjectEvent } from '../../events/school/subject.ts';
import type { Refused } from '../common/command.ts';
import { ask, refuse } from '../common/command.ts';
import { sameName } from '../contract/names.ts';

export type StructureUndo = {
  readonly events: readonly SubjectEvent[];
  /** What stays as it is, a sentence each. */
  readonly stays: readonly string[];
  /** What was given since to something that goes, a sentence each. */
  readonly loses: readonly string[];
};
type Known = { readonly schemeIds: readonly string[]; readonly students: ReadonlyMap<string, number> };
type Wanted = Thing & { readonly now: Fields; to: Fields };

/**
 * What undoing a command does to a subject now: what it changed goes back where nobody has changed it since, as far as the subject as a whole
 * allows. Undefined: the command changed nothing that is known.
 */
export const structureUndo = (commandId: string, state: SubjectWithActs, known: Known): StructureUndo | undefined => {
  const act = state.acts.get(commandId);
  if (!act) return undefined;
  const stays: string[] = [];
  let wanted: Wanted[] = [...act.values()].map(({ kind, id, from, to }) => {
    const now = fieldsOf(state, { kind, id });
    const back = fieldsBack(from, to, now);
    const label = nameOf(kind, now);
    const isGone = !now.there && !back.fields.there && !isDeepStrictEqual(now, back.fields);
    if (isGone) stays.push(`${label} was deleted since.`);
    if (isGone) return { kind, id, now, to: now };
    for (const field of back.changed) stays.push(`${label}: ${wordOf(field)} was changed again since, and stays.`);
    return { kind, id, now, to: back.fields };
  });
  for (let found = true; found;) {
    const after = worldAfter(state, wanted);
    const wrong = wanted.map((thing) => (isDeepStrictEqual(thing.now, thing.to) ? undefined : whyNot(thing, after, state, known)));
    found = wrong.some((why) => why !== undefined);
    stays.push(...wrong.flatMap((why) => why ?? []));
    wanted = wanted.filter((_, index) => wrong[index] === undefined);
  }
  const made = wanted.filter(({ kind, id, to }) => kind === 'set' && !to.there && isNew(act.get(`set ${id}`)?.from));
  return {
    events: ORDER.flatMap((kind) => wanted.filter((one) => one.kind === kind).flatMap(eventsOf)).toSorted(lastDeleted),
    stays,
    loses: made.flatMap(({ id, now }) => teachersLose(id, nameOf('set', now), worldAfter(state, wanted)('teacher'))),
  };
};

/** '12A goes, and Ms Day and Mr Fox lose it.' To whom the act itself gave it, it is not there any more. */
const teachersLose = (setId: string, label: string, teachers: readonly Fields[]): readonly string[] => {
  const names = teachers.flatMap((teacher) => {
    const { setIds } = teacher;
    return Array.isArray(setIds) && setIds.includes(setId) ? [personOf(teacher)?.name ?? 'a teacher who was forgotten'] : [];
  });
  if (names.length === 0) return [];
  return [`${label} goes, and ${new Intl.ListFormat('en-GB').format(names)} ${names.length === 1 ? 'loses' : 'lose'} it.`];
};

export const NO_SUCH_CHANGE = 'There is no such change.';

/** @param something whether anything would be undone */
export const whatStays = (something: boolean, stays: readonly string[]): Refused =>
  something
    ? ask('Some of it would stay as it is.', [], { stays: [...stays] })
    : refuse('conflict', `Nothing was undone. ${stays.join(' ')}`);

/** What is restored comes before what is in it. */
const ORDER: readonly Thing['kind'][] = ['year group', 'set', 'teacher', 'exam'];
const DELETIONS = ['TerminalExamRemoved', 'TeacherRemoved', 'SetDeleted', 'YearGroupDeleted'];
const lastDeleted = (one: SubjectEvent, other: SubjectEvent): number => DELETIONS.indexOf(one.type) - DELETIONS.indexOf(other.type);

/** Before it was made a thing has no fields. */
const isNew = (from: Fields | undefined): boolean => from !== undefined && Object.keys(from).length === 1;

const fieldsBack = (from: Fields, to: Fields, now: Fields): { readonly fields: Fields; readonly changed: readonly string[] } => {
  const fields: Record<string, unknown> = { ...now };
  const changed: string[] = [];
  for (const field of isNew(from) ? ['there'] : new Set([...Object.keys(from), ...Object.keys(to)])) {
    const [before, after, current] = [from[field], to[field], now[field]];
    if (isDeepStrictEqual(before, after) || isDeepStrictEqual(before, current)) continue;
    if (Array.isArray(before) && Array.isArray(after) && Array.isArray(current)) fields[field] = listBack(before, after, current);
    else if (isDeepStrictEqual(current, after)) fields[field] = before;
    else changed.push(field);
  }
  return { fields: { ...fields, there: fields['there'] === true }, changed };
};

/** Of a list only what was added, and what was taken out. */
const listBack = (before: readonly unknown[], after: readonly unknown[], now: readonly unknown[]): unknown[] => [
  ...now.filter((one) => before.includes(one) || !after.includes(one)),
  ...before.filter((one) => !after.includes(one) && !now.includes(one)),
];

type World = (kind: Thing['kind']) => readonly (Fields & { readonly id: string })[];

/** What would be there. */
const worldAfter = (state: SubjectWithActs, wanted: readonly Wanted[]): World => {
  const there = { 'year group': state.yearGroups, set: state.sets, teacher: state.teachers, exam: state.terminalExams };
  return (kind) =>
    [...new Set([...there[kind].keys(), ...wanted.filter((one) => one.kind === kind).map(({ id }) => id)])]
      .map((id) => ({ ...(wanted.find((one) => one.kind === kind && one.id === id)?.to ?? fieldsOf(state, { kind, id })), id }))
      .filter((fields) => fields.there);
};

const whyNot = (
  { kind, id, now, to }: Wanted,
  after: World,
  { forgottenTeachers }: SubjectWithActs,
  { schemeIds, students }: Known,
): string | undefined => {
  const others = after(kind).filter((other) => other.id !== id);
  const label = nameOf(kind, to.there ? to : now);
  const taken = (is: (other: Fields) => boolean): string | undefined =>
    others.some(is) ? `There is another ${kind} called ${label} now: rename or delete that one first.` : undefined;
  switch (kind) {
    case 'year group': {
      if (to.there) return taken((other) => other['year'] === to['year']);
      const sets = after('set').filter((set) => set['yearGroupId'] === id);
      return sets.length > 0 ? `${label} has other sets now.` : undefined;
    }
    case 'set': {
      const inIt = students.get(id) ?? 0;
      if (!to.there) return inIt > 0 ? `${label} has ${inIt} student(s): move them to another set or to Off-Roll first.` : undefined;
      if (!after('year group').some((group) => group.id === to['yearGroupId'])) return `The year group of ${label} was deleted too.`;
      if (!schemeIds.includes(String(to['schemeId']))) return `The scheme of work that ${label} followed was deleted too.`;
      return taken((other) => sameName(String(other['name']), label));
    }
    case 'teacher':
      if (!to.there) return undefined;
      return forgottenTeachers.has(id) ? 'A teacher was forgotten.' : taken((other) => personOf(other)?.tag === personOf(to)?.tag);
    case 'exam':
      return to.there ? taken((other) => other['yearSat'] === to['yearSat'] && sameName(String(other['name']), label)) : undefined;
  }
};

const personOf = (fields: Fields): { readonly name: string; readonly tag: string } | undefined => fields['person'] as never;

const nameOf = (kind: Thing['kind'], fields: Fields): string => {
  if (kind === 'year group') return `Year ${String(fields['year'])}`;
  if (kind === 'teacher') return personOf(fields)?.name ?? 'A teacher who was forgotten';
  return String(fields['name']);
};

const WORDS: Readonly<Record<string, string>> = {
  there: 'it',
  year: 'the year',
  person: 'the name',
  name: 'the name',
  yearGroupId: 'the year group',
  schemeId: 'the scheme of work',
  thresholds: 'the thresholds',
  yearSat: 'the school year',
};
const wordOf = (field: string): string => WORDS[field] ?? 'a date';

const eventsOf = ({ kind, id, now, to }: Wanted): SubjectEvent[] => {
  const changed = new Set([...Object.keys(now), ...Object.keys(to)].filter((field) => !isDeepStrictEqual(now[field], to[field])));
  // Safe: fields are those that `fieldsOf` made.
  const value = (field: string): never => to[field] as never;
  switch (kind) {
    case 'year group':
      return [
        ...(changed.has('there')
          ? [{ type: to.there ? ('YearGroupRestored' as const) : ('YearGroupDeleted' as const), data: { yearGroupId: id } }]
          : []),
        ...(changed.has('year') ? [{ type: 'YearGroupRenamed' as const, data: { yearGroupId: id, year: value('year') } }] : []),
      ];
    case 'set':
      return [
        ...(changed.has('there') ? [{ type: to.there ? ('SetRestored' as const) : ('SetDeleted' as const), data: { setId: id } }] : []),
        ...[...changed].flatMap((field): SubjectEvent[] => {
          const setId = id;
          if (field === 'name') return [{ type: 'SetRenamed', data: { setId, name: value('name') } }];
          if (field === 'yearGroupId') return [{ type: 'SetMovedToYearGroup', data: { setId, yearGroupId: value('yearGroupId') } }];
          if (field === 'schemeId') return [{ type: 'SetSchemeChosen', data: { setId, schemeId: value('schemeId') } }];
          if (field === 'testIds') return [{ type: 'SetAssessmentsChosen', data: { setId, testIds: value('testIds') } }];
          if (field === 'thresholds') return [{ type: 'SetThresholdsChanged', data: { setId, thresholds: value('thresholds') } }];
          if (!field.startsWith(SAT_ON)) return [];
          const satOn = value(field) ?? null;
          return [{ type: 'SetAssessmentDated', data: { setId, testId: field.slice(SAT_ON.length), satOn } }];
        }),
      ];
    case 'teacher': {
      const person = personOf(to);
      return [
        ...(changed.has('there')
          ? [{ type: to.there ? ('TeacherRestored' as const) : ('TeacherRemoved' as const), data: { teacherId: id } }]
          : []),
        ...(changed.has('person') && person ? [{ type: 'TeacherRenamed' as const, data: { teacherId: id, person } }] : []),
        ...(changed.has('setIds') ? [{ type: 'TeacherSetsAssigned' as const, data: { teacherId: id, setIds: [...value('setIds')] } }] : []),
      ];
    }
    case 'exam':
      return [
        ...(changed.has('there')
          ? [{ type: to.there ? ('TerminalExamRestored' as const) : ('TerminalExamRemoved' as const), data: { terminalExamId: id } }]
          : []),
        ...(changed.has('name') ? [{ type: 'TerminalExamRenamed' as const, data: { terminalExamId: id, name: value('name') } }] : []),
        ...(changed.has('yearSat')
          ? [{ type: 'TerminalExamYearChanged' as const, data: { terminalExamId: id, yearSat: value('yearSat') } }]
          : []),
      ];
  }
};
