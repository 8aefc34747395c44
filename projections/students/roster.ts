import { unlessForgotten } from '../../events/aggregate.ts';
import type { ReadEventOf, Sealed } from '../../events/codec/event.ts';
import { forgotten, typesOf } from '../../events/codec/event.ts';
import { normalised } from '../../events/codec/tags.ts';
import type { StudentPerson } from '../../events/students/roster.ts';
import { placesIn, rosterEvents } from '../../events/students/roster.ts';
import { projection } from '../engine/projection.ts';
import { enrolments, students } from './tables.ts';

type Event = ReadEventOf<typeof rosterEvents>;

/** The school's students and their dated enrolments. */
export const roster = projection<Event>()({
  name: 'roster',
  version: 2,
  tables: { students, enrolments },
  on: typesOf(rosterEvents),

  async load(events, rows) {
    await rows.students.load(
      events.flatMap((event) => peopleIn(event).map(({ studentId }) => ({ school_id: event.metadata.schoolId, student_id: studentId }))),
    );
    await rows.enrolments.load(
      events.flatMap((event) =>
        placesIn(event).map(({ subjectId, studentId }) => ({
          school_id: event.metadata.schoolId,
          subject_id: subjectId,
          student_id: studentId,
        })),
      ),
    );
  },

  apply(event, rows) {
    const school_id = event.metadata.schoolId;
    for (const { studentId, person } of peopleIn(event)) {
      const details = unlessForgotten(person);
      rows.students.put({
        school_id,
        student_id: studentId,
        admission_no: details?.admissionNo ?? null,
        admission_key: details ? normalised(details.admissionNo) : null,
        name: details?.name ?? null,
        date_of_birth: details?.dateOfBirth ?? null,
      });
    }
    for (const { subjectId, studentId, setId, state } of placesIn(event)) {
      const key = { school_id, subject_id: subjectId, student_id: studentId };
      const memberships = [...(rows.enrolments.get(key)?.memberships ?? []), { setId, from: event.metadata.at }];
      rows.enrolments.put({ ...key, set_id: setId, state, memberships });
    }
  },

  channels: () => ['roster'],
});

type Person = { studentId: string; person: Sealed<StudentPerson> };

const peopleIn = ({ type, data }: Event): Person[] =>
  type === 'StudentsImported'
    ? [...data.added, ...data.corrected]
    : type === 'StudentAdded' || type === 'StudentCorrected'
      ? [data]
      : type === 'StudentForgotten'
        ? [{ studentId: data.studentId, person: forgotten }]
        : type === 'RosterCommandUndone'
          ? data.corrected
          : [];
