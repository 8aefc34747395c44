import { z } from 'zod';
import type { Aggregate } from '../aggregate.ts';
import { unlessForgotten } from '../aggregate.ts';
import type { EventOf, ReadEventOf, Recorded, Sealed } from '../codec/event.ts';
import { event, sealed, sealedByAuthor } from '../codec/event.ts';
import { id, isoDate } from '../fields.ts';

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
  /** Of who was removed from a subject: the set, or OFF_ROLL, where they were last. */
  left: Map<`${string} ${string}`, string>;
};

export const detailsOf = ({ name, dateOfBirth }: Pick<StudentPerson, 'name' | 'dateOfBirth'>): string => `${name}|${dateOfBirth ?? ''}`;

export type ReadRosterEvent = Recorded<ReadEventOf<typeof rosterEvents>>;

export const roster: Aggregate<Roster, ReadRosterEvent> = {
  category: 'roster',
  initial: () => ({ students: new Map(), byTag: new Map(), left: new Map() }),
  evolve: (state, event) => {
    for (const { studentId, person: described } of describedBy(event)) setPerson(state, studentId, unlessForgotten(described));
    for (const place of placesIn(event)) setPlace(state, place);
    if (event.type === 'StudentForgotten') forget(state, event.data.studentId);
    return state;
  },
};

/** Whom an event describes. */
export const describedBy = ({
  type,
  data,
}: ReadRosterEvent): readonly { readonly studentId: string; readonly person: Sealed<StudentPerson> }[] => {
  switch (type) {
    case 'StudentAdded':
    case 'StudentCorrected':
      return [data];
    case 'StudentsImported':
      return [...data.added, ...data.corrected];
    case 'RosterCommandUndone':
      return data.corrected;
    default:
      return [];
  }
};

export const setPerson = (state: Roster, studentId: string, to: StudentPerson | undefined): void => {
  const student = state.students.get(studentId) ?? { person: undefined, enrolments: new Map<string, string>(), forgotten: false };
  // Only if it still belongs to this student: two may have swapped their StudentIDs.
  if (student.person && state.byTag.get(student.person.tag) === studentId) state.byTag.delete(student.person.tag);
  student.person = to;
  if (to) state.byTag.set(to.tag, studentId);
  state.students.set(studentId, student);
};

/** The set, OFF_ROLL, or undefined: no longer enrolled in the subject. */
export const whereOf = ({ setId, state }: Pick<Place, 'setId' | 'state'>): string | undefined =>
  state === 'off-roll' ? OFF_ROLL : (setId ?? undefined);

export const setPlace = ({ students, left }: Roster, { studentId, subjectId, ...place }: Place): void => {
  const enrolments = students.get(studentId)?.enrolments;
  if (!enrolments) return;
  const [from, to] = [enrolments.get(subjectId), whereOf(place)];
  if (to !== undefined) {
    enrolments.set(subjectId, to);
    left.delete(`${subjectId} ${studentId}`);
  } else if (from !== undefined) {
    enrolments.delete(subjectId);
    left.set(`${subjectId} ${studentId}`, from);
  }
};

export const forget = (state: Roster, studentId: string): void => {
  setPerson(state, studentId, undefined);
  const student = state.students.get(studentId);
  if (student) student.forgotten = true;
};

/** Where a student is in a subject from now on. */
export type Place = { subjectId: string; studentId: string; setId: string | null; state: 'set' | 'off-roll' | 'removed' };

/** The places that an event gives to students, in its order. */
export const placesIn = ({ type, data }: ReadEventOf<typeof rosterEvents>): Place[] => {
  switch (type) {
    case 'StudentsImported':
      return listed(data, [...data.added, ...data.enrolled, ...data.moved]);
    case 'RosterCommandUndone':
      return listed(data, data.placed);
    case 'StudentAdded':
    case 'StudentEnrolled':
    case 'StudentMoved':
      return [{ subjectId: data.subjectId, studentId: data.studentId, setId: data.setId, state: 'set' }];
    case 'StudentTakenOffRoll':
      return [{ subjectId: data.subjectId, studentId: data.studentId, setId: null, state: 'off-roll' }];
    case 'StudentRemoved':
      return [{ subjectId: data.subjectId, studentId: data.studentId, setId: null, state: 'removed' }];
    case 'StudentCorrected':
    case 'StudentForgotten':
      return [];
  }
};

type Listed = { subjectId: string; offRolled: readonly string[]; removed: readonly string[] };

const listed = ({ subjectId, offRolled, removed }: Listed, placed: readonly { studentId: string; setId: string }[]): Place[] => [
  ...placed.map(({ studentId, setId }) => ({ subjectId, studentId, setId, state: 'set' as const })),
  ...offRolled.map((studentId) => ({ subjectId, studentId, setId: null, state: 'off-roll' as const })),
  ...removed.map((studentId) => ({ subjectId, studentId, setId: null, state: 'removed' as const })),
];
