import type { Aggregate } from '../aggregate.ts';
import { unlessForgotten } from '../aggregate.ts';
import type { Sealed } from '../codec/event.ts';
import type { Act, Histories } from './acts.ts';
import { flag, isFlaggedOtherwise, newAct, placeKey, record } from './acts.ts';
import type { Place, ReadRosterEvent, Roster, StudentPerson } from './roster.ts';
import { describedBy, detailsOf, forget, placesIn, roster, setPerson, setPlace, whereOf } from './roster.ts';

/** The roster with all that undoing needs, however long ago the act was. */
export type RosterWithActs = Roster & {
  /** By the ids of their commands. */
  acts: Map<string, Act>;
  histories: Histories;
};

/** It grows with the stream, and so is folded for an undo only. */
export const rosterWithActs: Aggregate<RosterWithActs, ReadRosterEvent> = {
  category: roster.category,
  variant: 'with acts',
  initial: () => ({
    students: new Map(),
    byTag: new Map(),
    left: new Map(),
    acts: new Map(),
    histories: { details: new Map(), numbers: new Map(), places: new Map() },
  }),
  evolve: (state, event) => {
    const { commandId } = event.metadata;
    switch (event.type) {
      case 'RosterCommandUndone':
        takeBack(state, commandId, event.data);
        roster.evolve(state, event);
        break;
      case 'StudentForgotten':
        forgetHistory(state, event.data.studentId);
        break;
      default:
        for (const student of describedBy(event)) describe(state, commandId, student);
        for (const place of placesIn(event)) put(state, commandId, place);
    }
    return state;
  },
};

/** What differs from before is the act's; a student who was not known before has no earlier details to go back to. */
const describe = (
  state: RosterWithActs,
  act: string,
  { studentId, person: described }: { studentId: string; person: Sealed<StudentPerson> },
): void => {
  const from = state.students.get(studentId)?.person;
  const to = unlessForgotten(described);
  setPerson(state, studentId, to);
  if (!from || !to) return;
  const { details, numbers } = state.histories;
  if (detailsOf(from) !== detailsOf(to)) {
    const changed = {
      ...(from.name === to.name ? {} : { name: to.name }),
      ...(from.dateOfBirth === to.dateOfBirth ? {} : { dateOfBirth: to.dateOfBirth }),
    };
    record(details, studentId, act, { from: { name: from.name, dateOfBirth: from.dateOfBirth }, to: changed });
    actOf(state, act).details.add(studentId);
  }
  if (from.admissionNo !== to.admissionNo || from.tag !== to.tag) {
    record(numbers, studentId, act, { from: numberOf(from), to: numberOf(to) });
    actOf(state, act).numbers.add(studentId);
  }
};

const numberOf = ({ admissionNo, tag }: StudentPerson) => ({ admissionNo, tag });

const put = (state: RosterWithActs, act: string, place: Place): void => {
  const { studentId, subjectId } = place;
  const enrolments = state.students.get(studentId)?.enrolments;
  const from = enrolments?.get(subjectId);
  const to = whereOf(place);
  if (!enrolments || from === to) return;
  setPlace(state, place);
  const key = placeKey({ studentId, subjectId });
  record(state.histories.places, key, act, { from: { at: from }, to: { at: to } });
  actOf(state, act).places.set(key, { studentId, subjectId });
};

type Undone = Extract<ReadRosterEvent, { type: 'RosterCommandUndone' }>['data'];

/** Flags what an act changed, except what is kept, and remembers what was flagged: that is what undoing the undo flags again. */
const takeBack = (state: RosterWithActs, commandId: string, { commandId: target, subjectId, kept }: Undone): void => {
  const act = state.acts.get(target);
  if (!act) return;
  const { of } = act;
  const undone = !act.undoes;
  const { details, numbers, places } = state.histories;
  const undo = newAct(of, undone);
  const keptNumbers = new Set(kept.numbers);
  const keptPlaces = new Set(kept.places);
  for (const studentId of act.details) if (flags(details.get(studentId), of, undone)) undo.details.add(studentId);
  for (const studentId of act.numbers)
    if (!keptNumbers.has(studentId) && flags(numbers.get(studentId), of, undone)) undo.numbers.add(studentId);
  for (const [key, at] of act.places)
    if (at.subjectId === subjectId && !keptPlaces.has(at.studentId) && flags(places.get(key), of, undone)) undo.places.set(key, at);
  state.acts.set(commandId, undo);
};

/** Whether that changes a flag. */
const flags = (history: Parameters<typeof flag>[0], act: string, undone: boolean): boolean => {
  if (!history || !isFlaggedOtherwise(history, act, undone)) return false;
  flag(history, act, undone);
  return true;
};

/** Nobody's details come back who was forgotten. Places stay. */
const forgetHistory = (state: RosterWithActs, studentId: string): void => {
  forget(state, studentId);
  state.histories.details.delete(studentId);
  state.histories.numbers.delete(studentId);
  for (const { details, numbers } of state.acts.values()) {
    details.delete(studentId);
    numbers.delete(studentId);
  }
};

const actOf = ({ acts }: RosterWithActs, commandId: string): Act => {
  const act = acts.get(commandId) ?? newAct(commandId, false);
  acts.set(commandId, act);
  return act;
};
