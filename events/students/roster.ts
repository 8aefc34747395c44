import { z } from 'zod';
import type { Aggregate } from '../aggregate.ts';
import { unlessForgotten } from '../aggregate.ts';
import type { EventOf, ReadEventOf, Recorded, Sealed } from '../codec/event.ts';
import { event, forgotten, sealed, sealedByAuthor } from '../codec/event.ts';
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
   * An earlier command of this stream was undone: students whom nobody moved or corrected since are back where they were, under their
   * earlier names. Later changes stay.
   */
  RosterChangeUndone: event(
    1,
    z.strictObject({
      subjectId: id,
      commandId: id,
      placed: z.array(z.strictObject({ studentId: id, setId: id })),
      offRolled: z.array(id),
      removed: z.array(id),
      corrected: z.array(z.strictObject({ studentId: id, person })),
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
/** What a command changed, so that it can be undone. Undefined: not enrolled; not known before. */
export type RosterChange = {
  /** by student and subject */
  places: Map<string, { studentId: string; subjectId: string; from: string | undefined; to: string | undefined }>;
  people: Map<string, { from: StudentPerson | undefined; to: StudentPerson | undefined }>;
};
export type Roster = {
  students: Map<string, StudentState>;
  byTag: Map<string, string>;
  /** The newest commands by their ids, oldest first. Older ones cannot be undone. */
  changes: Map<string, RosterChange>;
  /** How many students these commands changed, each counted for every place and every person in them. */
  kept: number;
};

/**
 * The memory for undoing is bounded by what is kept, not by the number of commands: an import of a whole school stays while thousands of
 * single students are moved and corrected. Some ten megabytes at most, or the newest fifty commands if they are larger.
 */
const MOST_KEPT = 20_000;
const LEAST_CHANGES = 50;

export const detailsOf = ({ name, dateOfBirth }: Pick<StudentPerson, 'name' | 'dateOfBirth'>): string => `${name}|${dateOfBirth ?? ''}`;

export const roster: Aggregate<Roster, Recorded<ReadEventOf<typeof rosterEvents>>> = {
  category: 'roster',
  initial: () => ({ students: new Map(), byTag: new Map(), changes: new Map(), kept: 0 }),
  evolve: (state, { type, data, metadata }) => {
    const change = changeOf(state, metadata.commandId);
    switch (type) {
      case 'StudentAdded':
        describe(state, change, data);
        place(state, change, data, data.setId);
        break;
      case 'StudentsImported':
        for (const student of [...data.added, ...data.corrected]) describe(state, change, student);
        placeAll(state, change, data, [...data.added, ...data.enrolled, ...data.moved]);
        break;
      case 'RosterChangeUndone':
        for (const student of data.corrected) describe(state, change, student);
        placeAll(state, change, data, data.placed);
        break;
      case 'StudentCorrected':
        describe(state, change, data);
        break;
      case 'StudentEnrolled':
      case 'StudentMoved':
        place(state, change, data, data.setId);
        break;
      case 'StudentTakenOffRoll':
        place(state, change, data, OFF_ROLL);
        break;
      case 'StudentRemoved':
        place(state, change, data, undefined);
        break;
      case 'StudentForgotten':
        describe(state, change, { studentId: data.studentId, person: forgotten });
        state.students.get(data.studentId)!.forgotten = true;
        for (const { people } of state.changes.values()) state.kept -= Number(people.delete(data.studentId));
        break;
    }
    return state;
  },
};

const describe = (state: Roster, change: RosterChange, described: { studentId: string; person: Sealed<StudentPerson> }): void => {
  const { studentId } = described;
  const to = unlessForgotten(described.person);
  const student = state.students.get(studentId) ?? { person: undefined, enrolments: new Map(), forgotten: false };
  const { from } = change.people.get(studentId) ?? { from: student.person };
  if (!change.people.has(studentId)) state.kept += 1;
  change.people.set(studentId, { from, to });
  // Only if it still belongs to this student: two may have swapped their StudentIDs.
  if (student.person && state.byTag.get(student.person.tag) === studentId) state.byTag.delete(student.person.tag);
  student.person = to;
  if (to) state.byTag.set(to.tag, studentId);
  state.students.set(studentId, student);
};

/** @param to the set, OFF_ROLL, or undefined: no longer enrolled in the subject */
const place = (
  state: Roster,
  { places }: RosterChange,
  { studentId, subjectId }: { readonly studentId: string; readonly subjectId: string },
  to: string | undefined,
): void => {
  const enrolments = state.students.get(studentId)?.enrolments;
  if (!enrolments) return;
  const key = `${studentId} ${subjectId}`;
  const { from } = places.get(key) ?? { from: enrolments.get(subjectId) };
  if (!places.has(key)) state.kept += 1;
  places.set(key, { studentId, subjectId, from, to });
  if (to === undefined) enrolments.delete(subjectId);
  else enrolments.set(subjectId, to);
};

const placeAll = (
  state: Roster,
  change: RosterChange,
  {
    subjectId,
    offRolled,
    removed,
  }: { readonly subjectId: string; readonly offRolled: readonly string[]; readonly removed: readonly string[] },
  placed: readonly { readonly studentId: string; readonly setId: string }[],
): void => {
  for (const { studentId, setId } of placed) place(state, change, { studentId, subjectId }, setId);
  for (const studentId of offRolled) place(state, change, { studentId, subjectId }, OFF_ROLL);
  for (const studentId of removed) place(state, change, { studentId, subjectId }, undefined);
};

const changeOf = (state: Roster, commandId: string): RosterChange => {
  const { changes } = state;
  const known = changes.get(commandId);
  if (known) return known;
  const change: RosterChange = { places: new Map(), people: new Map() };
  changes.set(commandId, change);
  for (const [oldest, { places, people }] of changes) {
    if (state.kept <= MOST_KEPT || changes.size <= LEAST_CHANGES) break;
    changes.delete(oldest);
    state.kept -= places.size + people.size;
  }
  return change;
};
