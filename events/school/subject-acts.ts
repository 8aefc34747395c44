import { isDeepStrictEqual } from 'node:util';
import type { Aggregate } from '../aggregate.ts';
import type { ReadSubjectEvent, Subject } from './subject.ts';
import { subject } from './subject.ts';

/** A year group, set, teacher or terminal exam. */
export type Thing = { readonly kind: 'year group' | 'set' | 'teacher' | 'exam'; readonly id: string };
/** What a thing says, flat, and whether it is there: a deleted one keeps its fields. */
export type Fields = { readonly there: boolean } & Readonly<Record<string, unknown>>;
/** What an act changed: before and after it. */
export type ThingChange = Thing & { readonly from: Fields; to: Fields };

/** The subject with all that undoing needs, however long ago the act was. */
export type SubjectWithActs = Subject & {
  /** By the ids of their commands, and by thing. */
  acts: Map<string, Map<string, ThingChange>>;
};

/** It grows with the stream, and so is folded for an undo only. */
export const subjectWithActs: Aggregate<SubjectWithActs, ReadSubjectEvent> = {
  category: subject.category,
  variant: 'with acts',
  initial: () => ({ ...subject.initial(), acts: new Map() }),
  evolve: (state, event) => {
    const thing = thingOf(event);
    const from = thing && fieldsOf(state, thing);
    subject.evolve(state, event);
    if (event.type === 'TeacherForgotten') forget(state, event.data.teacherId);
    else if (thing && from) record(state, event.metadata.commandId, { ...thing, from, to: fieldsOf(state, thing) });
    return state;
  },
};

/** What is there, or was deleted. */
export const fieldsOf = (state: Subject, { kind, id }: Thing): Fields => {
  switch (kind) {
    case 'year group': {
      const year = state.yearGroups.get(id) ?? state.deletedYearGroups.get(id)?.what;
      return { there: state.yearGroups.has(id), ...(year === undefined ? {} : { year }) };
    }
    case 'set': {
      const { satOn = {}, ...set } = state.sets.get(id) ?? state.deletedSets.get(id)?.what ?? {};
      return { there: state.sets.has(id), ...set, ...Object.fromEntries(Object.entries(satOn).map(([test, day]) => [SAT_ON + test, day])) };
    }
    case 'teacher': {
      const { tag, name, setIds } = state.teachers.get(id) ?? state.removedTeachers.get(id)?.what ?? {};
      return { there: state.teachers.has(id), ...(setIds && { setIds }), ...(tag === undefined ? {} : { person: { name, tag } }) };
    }
    case 'exam': {
      const { removed = true, ...exam } = state.terminalExams.get(id) ?? {};
      return { there: !removed, ...exam };
    }
  }
};

/** Before the id of an assessment: the day on which a set sat it. */
export const SAT_ON = 'satOn ';

const thingOf = ({ data }: ReadSubjectEvent): Thing | undefined => {
  if ('teacherId' in data) return { kind: 'teacher', id: data.teacherId };
  if ('terminalExamId' in data) return { kind: 'exam', id: data.terminalExamId };
  if ('setId' in data) return { kind: 'set', id: data.setId };
  return 'yearGroupId' in data ? { kind: 'year group', id: data.yearGroupId } : undefined;
};

const record = ({ acts }: SubjectWithActs, commandId: string, change: ThingChange): void => {
  const act = acts.get(commandId) ?? new Map<string, ThingChange>();
  acts.set(commandId, act);
  const key = `${change.kind} ${change.id}`;
  const before = act.get(key);
  if (before) before.to = change.to;
  else if (!isDeepStrictEqual(change.from, change.to)) act.set(key, change);
};

/** Nobody's name comes back who was forgotten. */
const forget = ({ acts }: SubjectWithActs, teacherId: string): void => {
  const key = `teacher ${teacherId}`;
  for (const act of acts.values()) {
    const change = act.get(key);
    if (!change) continue;
    const [{ person: _, ...from }, { person: __, ...to }] = [change.from, change.to];
    act.set(key, { ...change, from, to });
  }
};
