import { z } from 'zod';
import type { Aggregate } from './aggregate.ts';
import { remembered } from './aggregate.ts';
import type { EventOf, ReadEventOf, Recorded } from './codec/event.ts';
import { event, forgotten, sealed, sealedByAuthor } from './codec/event.ts';
import { id, isoDate } from './fields.ts';

/** `admissionNo`: the school's own StudentID. `tag`: of its normalised form, so that it stays unique while nobody can read it. */
export const studentPerson = z.strictObject({
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
   * An earlier command of this stream is taken back: who is where it left him is where he was before, and whom it renamed has his earlier
   * name again. What was changed since stays as it is.
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
  /** His key is destroyed before this is written: nobody can read any more who he is. Enrolments and marks stay. */
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
/** What a command changed, so that it can be taken back. Undefined: not enrolled; nobody yet. */
export type RosterChange = {
  /** by student and subject */
  places: Map<string, { studentId: string; subjectId: string; from: string | undefined; to: string | undefined }>;
  people: Map<string, { from: StudentPerson | undefined; to: StudentPerson | undefined }>;
};
export type Roster = {
  students: Map<string, StudentState>;
  byTag: Map<string, string>;
  /** The newest commands by their ids, oldest first. */
  changes: Map<string, RosterChange>;
};

/** Older commands cannot be taken back any more. */
const MOST_CHANGES = 50;

export const detailsOf = ({ name, dateOfBirth }: Pick<StudentPerson, 'name' | 'dateOfBirth'>): string => `${name}|${dateOfBirth ?? ''}`;

export const roster: Aggregate<Roster, Recorded<ReadEventOf<typeof rosterEvents>>> = {
  category: 'roster',
  initial: () => ({ students: new Map(), byTag: new Map(), changes: new Map() }),
  evolve: (state, { type, data, metadata }) => {
    const change = changeOf(state, metadata.commandId);
    const describe = ({ studentId, person }: { studentId: string; person: Parameters<typeof remembered<StudentPerson>>[0] }): void => {
      const student = state.students.get(studentId) ?? { person: undefined, enrolments: new Map(), forgotten: false };
      const known = remembered(person);
      const { from } = change.people.get(studentId) ?? { from: student.person };
      change.people.set(studentId, { from, to: known });
      // Two may have changed their StudentIDs with each other.
      if (student.person && state.byTag.get(student.person.tag) === studentId) state.byTag.delete(student.person.tag);
      student.person = known;
      if (known) state.byTag.set(known.tag, studentId);
      state.students.set(studentId, student);
    };
    const put = (studentId: string, subjectId: string, to: string | undefined): void => {
      const enrolments = state.students.get(studentId)?.enrolments;
      if (!enrolments) return;
      const key = `${studentId} ${subjectId}`;
      const { from } = change.places.get(key) ?? { from: enrolments.get(subjectId) };
      change.places.set(key, { studentId, subjectId, from, to });
      if (to === undefined) enrolments.delete(subjectId);
      else enrolments.set(subjectId, to);
    };
    switch (type) {
      case 'StudentAdded':
        describe(data);
        put(data.studentId, data.subjectId, data.setId);
        break;
      case 'StudentsImported':
        data.added.forEach(describe);
        data.corrected.forEach(describe);
        for (const { studentId, setId } of [...data.added, ...data.enrolled, ...data.moved]) put(studentId, data.subjectId, setId);
        for (const studentId of data.offRolled) put(studentId, data.subjectId, OFF_ROLL);
        for (const studentId of data.removed) put(studentId, data.subjectId, undefined);
        break;
      case 'RosterChangeUndone':
        data.corrected.forEach(describe);
        for (const { studentId, setId } of data.placed) put(studentId, data.subjectId, setId);
        for (const studentId of data.offRolled) put(studentId, data.subjectId, OFF_ROLL);
        for (const studentId of data.removed) put(studentId, data.subjectId, undefined);
        break;
      case 'StudentCorrected':
        describe(data);
        break;
      case 'StudentEnrolled':
      case 'StudentMoved':
        put(data.studentId, data.subjectId, data.setId);
        break;
      case 'StudentTakenOffRoll':
        put(data.studentId, data.subjectId, OFF_ROLL);
        break;
      case 'StudentRemoved':
        put(data.studentId, data.subjectId, undefined);
        break;
      case 'StudentForgotten':
        describe({ studentId: data.studentId, person: forgotten });
        state.students.get(data.studentId)!.forgotten = true;
        for (const { people } of state.changes.values()) people.delete(data.studentId);
        break;
    }
    return state;
  },
};

const changeOf = ({ changes }: Roster, commandId: string): RosterChange => {
  const known = changes.get(commandId);
  if (known) return known;
  const change: RosterChange = { places: new Map(), people: new Map() };
  changes.set(commandId, change);
  for (const oldest of [...changes.keys()].slice(0, -MOST_CHANGES)) changes.delete(oldest);
  return change;
};
