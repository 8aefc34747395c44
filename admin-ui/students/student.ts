import { dateOf, dateText } from '#api/contract/dates';
import type { changeStudents } from '#api/students/students.contract';
import type { Draft } from '../../ui/drafts/drafts.ts';
import { OFF_ROLL } from '../../ui/students/place-of.ts';
import { same } from '../../ui/drafts/drafts.ts';
import type { RecordOf } from '../data/record.ts';
import type { z } from 'zod';

/** A record of /api/rest/students. */
export type Student = RecordOf<'students'>;

/** The values of a row's fields. `place`: a set's id, or 'off-roll'. */
export type Typed = {
  readonly admissionNo: string;
  readonly name: string;
  readonly dateOfBirth: string;
  readonly place: string;
  readonly removed: boolean;
};

/** Unsubmitted changes to a student. */
export type Edit = Draft<Typed, Student>;

/** Nothing is typed yet. */
export const typedOf = ({ admissionNo, name, dateOfBirth, setId }: Student): Typed => ({
  admissionNo: admissionNo ?? '',
  name: name ?? '',
  dateOfBirth: dateText(dateOfBirth),
  place: setId ?? OFF_ROLL,
  removed: false,
});

/** Whether somebody else has changed the student since. `now`: the student in the list. */
export const isOld = ({ saw }: Edit, now: Student): boolean => !same(typedOf(saw), typedOf(now));

export const wrongDate = 'There is no such date: DD/MM/YYYY';

/** Errors of a row by field, before the server is asked. An unknown date of birth may stay unknown. */
export const wrongIn = ({ value, saw }: Edit): Readonly<Record<string, string>> => {
  if (value.removed) return {};
  const date = dateOf(value.dateOfBirth.trim());
  return {
    ...(value.admissionNo.trim() === '' ? { admissionNo: 'Required' } : {}),
    ...(value.name.trim() === '' ? { name: 'Required' } : {}),
    ...(date === undefined ? { dateOfBirth: wrongDate } : {}),
    ...(date === null && saw.dateOfBirth !== null ? { dateOfBirth: 'Required' } : {}),
  };
};

export type ChangeStudentsInput = z.input<typeof changeStudents>;
type Change = ChangeStudentsInput['changes'][number];

export const changeOf = ({ value, saw }: Edit): Change => {
  const { studentId, dateOfBirth } = saw;
  if (value.removed) return { studentId, place: 'removed' };
  const { admissionNo, name, place } = typedOf(saw);
  const details = {
    admissionNo: value.admissionNo.trim(),
    name: value.name.trim(),
    dateOfBirth: dateOf(value.dateOfBirth.trim()) ?? null,
  };
  const was = { admissionNo, name, dateOfBirth };
  return {
    studentId,
    ...(same(details, was) ? {} : { details, was }),
    ...(value.place === place ? {} : { place: value.place === OFF_ROLL ? OFF_ROLL : { setId: value.place } }),
  };
};
