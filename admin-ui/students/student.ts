import { dateOf, dateText } from '#api/contract/dates';
import type { changeStudents } from '#api/students/students.contract';
import type { RecordOf } from '../data/record.ts';
import type { z } from 'zod';

/** A record of /api/rest/students. */
export type Student = RecordOf<'students'>;

/** The values of a row's fields. `place`: a set's id, or 'off-roll'. */
export type Fields = { readonly admissionNo: string; readonly name: string; readonly dateOfBirth: string; readonly place: string };

/** Unsubmitted changes to a student. */
export type Edit = {
  readonly student: Student;
  readonly fields: Fields;
  readonly removed: boolean;
  /** The server's errors by field; `was`: about the whole row. */
  readonly wrong?: Readonly<Record<string, string>>;
};

export const OFF_ROLL = 'off-roll';

export const fieldsOf = ({ admissionNo, name, dateOfBirth, setId }: Student): Fields => ({
  admissionNo: admissionNo ?? '',
  name: name ?? '',
  dateOfBirth: dateText(dateOfBirth),
  place: setId ?? OFF_ROLL,
});

export const isChanged = ({ student, fields, removed }: Edit): boolean => {
  const now = fieldsOf(student);
  return removed || (Object.keys(now) as (keyof Fields)[]).some((field) => now[field] !== fields[field]);
};

/** Whether somebody else has changed the student since. `now`: the student in the list. */
export const isOld = ({ student }: Edit, now: Student): boolean => {
  const [seen, there] = [fieldsOf(student), fieldsOf(now)];
  return (Object.keys(seen) as (keyof Fields)[]).some((field) => seen[field] !== there[field]);
};

export const wrongDate = 'There is no such date: DD/MM/YYYY';

/** Errors of a row by field, before the server is asked. An unknown date of birth may stay unknown. */
export const wrongIn = ({ student, fields, removed }: Edit): Readonly<Record<string, string>> => {
  if (removed) return {};
  const date = dateOf(fields.dateOfBirth.trim());
  return {
    ...(fields.admissionNo.trim() === '' ? { admissionNo: 'Required' } : {}),
    ...(fields.name.trim() === '' ? { name: 'Required' } : {}),
    ...(date === undefined ? { dateOfBirth: wrongDate } : {}),
    ...(date === null && student.dateOfBirth !== null ? { dateOfBirth: 'Required' } : {}),
  };
};

export type ChangeStudentsInput = z.input<typeof changeStudents>;
type Change = ChangeStudentsInput['changes'][number];

export const changeOf = ({ student, fields, removed }: Edit): Change => {
  const { studentId, admissionNo, name, dateOfBirth } = student;
  if (removed) return { studentId, place: 'removed' };
  const now = fieldsOf(student);
  const details = {
    admissionNo: fields.admissionNo.trim(),
    name: fields.name.trim(),
    dateOfBirth: dateOf(fields.dateOfBirth.trim()) ?? null,
  };
  const isOther = details.admissionNo !== now.admissionNo || details.name !== now.name || details.dateOfBirth !== dateOfBirth;
  return {
    studentId,
    ...(isOther ? { details, was: { admissionNo: admissionNo ?? '', name: name ?? '', dateOfBirth } } : {}),
    ...(fields.place === now.place ? {} : { place: fields.place === OFF_ROLL ? OFF_ROLL : { setId: fields.place } }),
  };
};
