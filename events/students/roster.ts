import { z } from 'zod';
import type { Aggregate } from '../aggregate.ts';
import { unlessForgotten } from '../aggregate.ts';
import type { EventOf, ReadEventOf, Recorded, Sealed } from '../codec/event.ts';
import { event, sealed, sealedByAuthor } from '../codec/event.ts';
import { id, isoDate } from '../fields.ts';
import type { Act, Histories } from './acts.ts';
import { flag, isFlaggedOtherwise, newAct, placeKey, record, settle, sizeOf } from './acts.ts';

/** `admissionNo`: the school's own StudentID. `tag`: an HMAC of its normalised form, which keeps it unique without being readable. */
const studentPerson = z.strictObject({
  admissionNo: z.string(),
  name: z.string(),
  dateOfBirth: isoDate.nullable(),
  tag: z.string(),
});
export type StudentPerson = z.infer<typeof studentPerson>;

const person = sealed('studentId', studentPerson);

/**
 * Storage contract of `roster-{schoolId}`: the school's students and their enrolments in subjects. A student is one person of the
 * school; an enrolment is in one set of the subject, or off-roll. Events hold changes only, dated by their `at`.
 */
export const rosterEvents = {
  StudentAdded: event(1, z.strictObject({ studentId: id, subjectId: id, setId: id, person })),
  StudentsImported: event(
    1,
    z.strictObject({
      subjectId: id,
      /** new to the school */
      added: z.array(z.strictObject({ studentId: id, setId: id, person })),
      /** known to the school, new to the subject, or back in it */
      enrolled: z.array(z.strictObject({ studentId: id, setId: id })),
      moved: z.array(z.strictObject({ studentId: id, setId: id })),
      corrected: z.array(z.strictObject({ studentId: id, person })),
      offRolled: z.array(id),
      /** their enrolment in this subject ends */
      removed: z.array(id),
      about: sealedByAuthor(z.strictObject({ fileName: z.string() })),
    }),
  ),
  StudentCorrected: event(1, z.strictObject({ studentId: id, person })),
  StudentEnrolled: event(1, z.strictObject({ studentId: id, subjectId: id, setId: id })),
  StudentMoved: event(1, z.strictObject({ studentId: id, subjectId: id, setId: id })),
  StudentTakenOffRoll: event(1, z.strictObject({ studentId: id, subjectId: id })),
  StudentRemoved: event(1, z.strictObject({ studentId: id, subjectId: id })),
  /**
   * An earlier command of this stream was undone, or redone if that command was an undo. What it changed does not count, whatever else is
   * undone later. The lists are what students have by that, if it is something else than before.
   */
  RosterCommandUndone: event(
    1,
    z.strictObject({
      subjectId: id,
      commandId: id,
      placed: z.array(z.strictObject({ studentId: id, setId: id })),
      offRolled: z.array(id),
      removed: z.array(id),
      corrected: z.array(z.strictObject({ studentId: id, person })),
      /** Of them something was changed again since, and that stays. */
      changedSince: z.array(id),
      /** Not undone of them: their place, because the set is gone; their StudentID, because somebody else has the earlier one. */
      kept: z.strictObject({ places: z.array(id), numbers: z.array(id) }),
    }),
  ),
  /** The student's key was destroyed before this was written, so nobody can read the name any more. Enrolments and marks stay. */
  StudentForgotten: event(1, z.strictObject({ studentId: id })),
};

export type RosterEvent = EventOf<typeof rosterEvents>;
/** Off-Roll is a state of an enrolment, shown as a set. */
export const OFF_ROLL = 'off-roll';
export type StudentState = {
  /** undefined: forgotten */
  person: StudentPerson | undefined;
  /** by subject: the set's id, or OFF_ROLL */
  enrolments: Map<string, string>;
  forgotten: boolean;
};
export type Roster = {
  students: Map<string, StudentState>;
  byTag: Map<string, string>;
  /** The newest acts by the ids of their commands, oldest first. Older ones cannot be undone. */
  acts: Map<string, Act>;
  /** What these acts changed. */
  histories: Histories;
  /** The size of these acts together. */
  kept: number;
};

/**
 * The memory for undoing is bounded by what is kept, not by the number of commands: an import of a whole school stays while thousands of
 * single students are moved and corrected. Some ten megabytes at most, or the newest fifty commands if they are larger.
 */
const MOST_KEPT = 20_000;
const LEAST_ACTS = 50;

export const detailsOf = ({ name, dateOfBirth }: Pick<StudentPerson, 'name' | 'dateOfBirth'>): string => `${name}|${dateOfBirth ?? ''}`;

export const roster: Aggregate<Roster, Recorded<ReadEventOf<typeof rosterEvents>>> = {
  category: 'roster',
  initial: () => ({
    students: new Map(),
    byTag: new Map(),
    acts: new Map(),
    histories: { details: new Map(), numbers: new Map(), places: new Map() },
    kept: 0,
  }),
  evolve: (state, { type, data, metadata: { commandId } }) => {
    const before = sizeOf(state.acts.get(commandId) ?? newAct(commandId, false));
    switch (type) {
      case 'StudentAdded':
        describe(state, commandId, data);
        place(state, commandId, data, data.setId);
        break;
      case 'StudentsImported':
        for (const student of [...data.added, ...data.corrected]) describe(state, commandId, student);
        placeAll(state, commandId, data, [...data.added, ...data.enrolled, ...data.moved]);
        break;
      case 'RosterCommandUndone':
        takeBack(state, commandId, data);
        for (const { studentId, person: back } of data.corrected) setPerson(state, studentId, unlessForgotten(back));
        for (const { studentId, to } of placesIn(data, data.placed)) setPlace(state, { studentId, subjectId: data.subjectId }, to);
        break;
      case 'StudentCorrected':
        describe(state, commandId, data);
        break;
      case 'StudentEnrolled':
      case 'StudentMoved':
        place(state, commandId, data, data.setId);
        break;
      case 'StudentTakenOffRoll':
        place(state, commandId, data, OFF_ROLL);
        break;
      case 'StudentRemoved':
        place(state, commandId, data, undefined);
        break;
      case 'StudentForgotten':
        forget(state, data.studentId);
        break;
    }
    const act = state.acts.get(commandId);
    if (act) state.kept += sizeOf(act) - before;
    settleOldest(state);
    return state;
  },
};

/** What differs from before is the act's; a student who was not known before has no earlier details to go back to. */
const describe = (
  state: Roster,
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

const setPerson = (state: Roster, studentId: string, to: StudentPerson | undefined): void => {
  const student = state.students.get(studentId) ?? { person: undefined, enrolments: new Map<string, string>(), forgotten: false };
  // Only if it still belongs to this student: two may have swapped their StudentIDs.
  if (student.person && state.byTag.get(student.person.tag) === studentId) state.byTag.delete(student.person.tag);
  student.person = to;
  if (to) state.byTag.set(to.tag, studentId);
  state.students.set(studentId, student);
};

type Enrolment = { readonly studentId: string; readonly subjectId: string };

/** @param to the set, OFF_ROLL, or undefined: no longer enrolled in the subject */
const place = (state: Roster, act: string, { studentId, subjectId }: Enrolment, to: string | undefined): void => {
  const enrolments = state.students.get(studentId)?.enrolments;
  const from = enrolments?.get(subjectId);
  if (!enrolments || from === to) return;
  setPlace(state, { studentId, subjectId }, to);
  const key = placeKey({ studentId, subjectId });
  record(state.histories.places, key, act, { from: { at: from }, to: { at: to } });
  actOf(state, act).places.set(key, { studentId, subjectId });
};

const setPlace = ({ students }: Roster, { studentId, subjectId }: Enrolment, to: string | undefined): void => {
  const enrolments = students.get(studentId)?.enrolments;
  if (to === undefined) enrolments?.delete(subjectId);
  else enrolments?.set(subjectId, to);
};

type Lists = { readonly subjectId: string; readonly offRolled: readonly string[]; readonly removed: readonly string[] };
type Placed = readonly { readonly studentId: string; readonly setId: string }[];

const placeAll = (state: Roster, act: string, data: Lists, placed: Placed): void => {
  for (const { studentId, to } of placesIn(data, placed)) place(state, act, { studentId, subjectId: data.subjectId }, to);
};

const placesIn = ({ offRolled, removed }: Lists, placed: Placed): { readonly studentId: string; readonly to: string | undefined }[] => [
  ...placed.map(({ studentId, setId }) => ({ studentId, to: setId })),
  ...offRolled.map((studentId) => ({ studentId, to: OFF_ROLL })),
  ...removed.map((studentId) => ({ studentId, to: undefined })),
];

type Undone = Extract<ReadEventOf<typeof rosterEvents>, { type: 'RosterCommandUndone' }>['data'];

/** Flags what an act changed, except what is kept, and remembers what was flagged: that is what undoing the undo flags again. */
const takeBack = (state: Roster, commandId: string, { commandId: target, subjectId, kept }: Undone): void => {
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
const forget = (state: Roster, studentId: string): void => {
  setPerson(state, studentId, undefined);
  const student = state.students.get(studentId);
  if (student) student.forgotten = true;
  state.histories.details.delete(studentId);
  state.histories.numbers.delete(studentId);
  for (const { details, numbers } of state.acts.values())
    state.kept -= Number(details.delete(studentId)) + Number(numbers.delete(studentId));
};

const actOf = ({ acts }: Roster, commandId: string): Act => {
  const act = acts.get(commandId) ?? newAct(commandId, false);
  acts.set(commandId, act);
  return act;
};

const settleOldest = (state: Roster): void => {
  const { acts, histories } = state;
  for (const [commandId, act] of acts) {
    if (state.kept <= MOST_KEPT || acts.size <= LEAST_ACTS) break;
    acts.delete(commandId);
    state.kept -= sizeOf(act);
    if (act.of !== commandId) continue;
    settle(histories.details, act.details, commandId);
    settle(histories.numbers, act.numbers, commandId);
    settle(histories.places, act.places.keys(), commandId);
  }
};
