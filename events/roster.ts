import { z } from 'zod';
import type { Aggregate } from './aggregate.ts';
import { remembered } from './aggregate.ts';
import type { EventOf, ReadEventOf } from './codec/event.ts';
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
  /** His key is destroyed before this is written: nobody can read any more who he is. Enrolments and marks stay. */
  StudentForgotten: event(1, z.strictObject({ studentId: id })),
};

export type RosterEvent = EventOf<typeof rosterEvents>;
/** Off-Roll is a state of an enrolment, shown as a set. */
export const OFF_ROLL = 'off-roll';
export type StudentState = {
  tag: string | undefined;
  /** as it is spelt */
  admissionNo: string | undefined;
  /** name and date of birth, to see whether an import changes them */
  details: string | undefined;
  /** by subject: the set's id, or OFF_ROLL */
  enrolments: Map<string, string>;
  forgotten: boolean;
};
export type Roster = { students: Map<string, StudentState>; byTag: Map<string, string> };

export const detailsOf = ({ name, dateOfBirth }: Pick<StudentPerson, 'name' | 'dateOfBirth'>): string => `${name}|${dateOfBirth ?? ''}`;

export const roster: Aggregate<Roster, ReadEventOf<typeof rosterEvents>> = {
  category: 'roster',
  initial: () => ({ students: new Map(), byTag: new Map() }),
  evolve: (state, { type, data }) => {
    const describe = ({ studentId, person }: { studentId: string; person: Parameters<typeof remembered<StudentPerson>>[0] }): void => {
      const known = remembered(person);
      const student = state.students.get(studentId) ?? {
        tag: undefined,
        admissionNo: undefined,
        details: undefined,
        enrolments: new Map(),
        forgotten: false,
      };
      if (student.tag !== undefined) state.byTag.delete(student.tag);
      student.tag = known?.tag;
      student.admissionNo = known?.admissionNo;
      student.details = known && detailsOf(known);
      if (student.tag !== undefined) state.byTag.set(student.tag, studentId);
      state.students.set(studentId, student);
    };
    const enrol = (studentId: string, subjectId: string, where: string): void => {
      state.students.get(studentId)?.enrolments.set(subjectId, where);
    };
    const leave = (studentId: string, subjectId: string): void => {
      state.students.get(studentId)?.enrolments.delete(subjectId);
    };
    switch (type) {
      case 'StudentAdded':
        describe(data);
        enrol(data.studentId, data.subjectId, data.setId);
        break;
      case 'StudentsImported':
        data.added.forEach(describe);
        data.corrected.forEach(describe);
        for (const { studentId, setId } of [...data.added, ...data.enrolled, ...data.moved]) enrol(studentId, data.subjectId, setId);
        for (const studentId of data.offRolled) enrol(studentId, data.subjectId, OFF_ROLL);
        for (const studentId of data.removed) leave(studentId, data.subjectId);
        break;
      case 'StudentCorrected':
        describe(data);
        break;
      case 'StudentEnrolled':
      case 'StudentMoved':
        enrol(data.studentId, data.subjectId, data.setId);
        break;
      case 'StudentTakenOffRoll':
        enrol(data.studentId, data.subjectId, OFF_ROLL);
        break;
      case 'StudentRemoved':
        leave(data.studentId, data.subjectId);
        break;
      case 'StudentForgotten':
        describe({ studentId: data.studentId, person: forgotten });
        state.students.get(data.studentId)!.forgotten = true;
        break;
    }
    return state;
  },
};
