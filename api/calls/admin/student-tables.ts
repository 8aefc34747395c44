import { z } from 'zod';
import { invalidInput, ProblemError } from '../../common/problems.ts';
import { id } from '../../contract/fields.ts';
import type { Caller } from '../caller.ts';
import { entry } from '../step.ts';
import type { Tables } from '../tables.ts';
import { table } from '../tables.ts';
import { ownersOf } from './look-up.ts';
import { offRollSetId, UNKNOWN_BIRTHDAY } from './off-roll.ts';
import type { KnownStudent } from '../students.ts';
import { studentsNamed } from '../students.ts';
import { subjectIdsOf } from './reading.ts';

/** Unknown stays unknown: the date that stands for it is no birthday of somebody whose birthday nobody knows. */
const birthday = (sent: string | null | undefined, stored: string | null): string | null => {
  if (sent === undefined) return stored;
  if (sent === null || sent === '') return null;
  return sent === UNKNOWN_BIRTHDAY && stored === null ? null : sent;
};

/** The subject of a set, or of its Off-Roll, and the place there. */
const placesOf = async (caller: Caller, setIds: readonly string[]) => {
  const offRoll = new Map((await subjectIdsOf(caller)).map((subjectId) => [offRollSetId(subjectId), subjectId]));
  const owner = await ownersOf(
    caller,
    'set',
    setIds.filter((one) => !offRoll.has(one)),
  );
  return (setId: string): { readonly subjectId: string; readonly place: 'off-roll' | { readonly setId: string } } => {
    const subjectId = offRoll.get(setId);
    return subjectId === undefined ? { subjectId: owner(setId).subjectId, place: { setId } } : { subjectId, place: 'off-roll' };
  };
};

/** In which of several subjects cannot be guessed. @throws ProblemError `refused` */
const onlySubject = ({ subjectIds }: KnownStudent, sent: string | undefined): string => {
  const [only, ...others] = sent === undefined ? subjectIds : [sent];
  if (only === undefined) throw new ProblemError('not-found', 'There is no such student.');
  if (others.length > 0)
    throw new ProblemError(
      'refused',
      'This student is in several subjects: say in which by a SetID or a SubjectID, or use Student Details.',
    );
  return only;
};

const roster = (subjectId: string) => ({ subjectId, changes: [], added: [] });

export const studentTables: Tables = {
  StudentNames: table({
    behind: ['ChangeStudents'],
    models: ['roster'],
    key: 'UniqueID',
    columns: z.strictObject({
      StudentID: z.string(),
      LastFirst: z.string(),
      DoB: z
        .union([z.iso.date(), z.literal('')])
        .nullable()
        .optional(),
      SetID: id,
      SubjectID: id.optional(),
      SetName: z.string().optional(),
    }),
    unique: ['StudentID'],
    differs:
      'All students of one subject are stored, or none; no StudentID may be there twice. An unknown date of birth reads 2001-01-01, and that date written to it keeps it unknown. The set Off-Roll takes a student off roll. DELETE ends the enrolment in the subject, and keeps the marks; of a student in several subjects it is refused.',
    add: async (caller, rows) => {
      const placeOf = await placesOf(
        caller,
        rows.map(({ values }) => values.SetID),
      );
      return rows.map(({ place: row, values: { StudentID: admissionNo, LastFirst: name, DoB, SetID, SubjectID } }) => {
        const { subjectId, place } = placeOf(SetID);
        if (SubjectID !== undefined && SubjectID !== subjectId)
          throw invalidInput(`data.${row}.values.SubjectID`, 'The set is of another subject.');
        if (place === 'off-roll') throw invalidInput(`data.${row}.values.SetID`, 'A new student begins in a set.');
        const student = { setId: place.setId, admissionNo, name, dateOfBirth: birthday(DoB, null) };
        return entry(row, 'ChangeStudents', roster(subjectId), ['added', student], ({ studentIds }, index) => studentIds[index]);
      });
    },
    change: {
      UniqueID: async (caller, rows) => {
        const student = await studentsNamed(
          caller,
          rows.map(({ key }) => key),
        );
        const placeOf = await placesOf(
          caller,
          rows.flatMap(({ values }) => values.SetID ?? []),
        );
        return rows.map(({ place: row, key: studentId, values: { StudentID, LastFirst, DoB, SetID, SubjectID } }) => {
          const stored = student(studentId);
          const to = SetID === undefined ? undefined : placeOf(SetID);
          if (to && SubjectID !== undefined && SubjectID !== to.subjectId)
            throw invalidInput('values.SubjectID', 'The set is of another subject.');
          const isDetails = StudentID !== undefined || LastFirst !== undefined || DoB !== undefined;
          const details = {
            admissionNo: StudentID ?? stored.admissionNo ?? '',
            name: LastFirst ?? stored.name ?? '',
            dateOfBirth: birthday(DoB, stored.dateOfBirth),
          };
          const subjectId = to?.subjectId ?? SubjectID ?? stored.subjectIds[0];
          if (subjectId === undefined) throw new ProblemError('not-found', 'There is no such student.');
          const change = { studentId, ...(isDetails ? { details } : {}), ...(to ? { place: to.place } : {}) };
          return entry(row, 'ChangeStudents', roster(subjectId), ['changes', change], studentId);
        });
      },
    },
    remove: {
      UniqueID: async (caller, rows) => {
        const student = await studentsNamed(
          caller,
          rows.map(({ key }) => key),
        );
        return rows.map(({ place: row, key: studentId }) => {
          const subjectId = onlySubject(student(studentId), undefined);
          return entry(row, 'ChangeStudents', roster(subjectId), ['changes', { studentId, place: 'removed' }], studentId);
        });
      },
    },
  }),
};
