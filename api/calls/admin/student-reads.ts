import { z } from 'zod';
import type { Answer } from '../../contract/answer.ts';
import { id } from '../../contract/fields.ts';
import { call } from '../call.ts';
import type { InSubject } from '../students.ts';
import { asStudentOfSet, studentsIn } from '../students.ts';
import { OFF_ROLL_SET, offRollOf, offRollSetId, offRollYearId, UNKNOWN_BIRTHDAY } from './off-roll.ts';
import { bySubjectID, byYeargroup, studentRow, subjectIdsOf } from './reading.ts';
import { read } from '../read.ts';

/** `told`: whether the reader is told dates of birth. */
const shown = (student: InSubject, SubjectID: string, showsBirthdays: boolean): Answer<typeof studentRow> => ({
  ...asStudentOfSet(student),
  DoB: showsBirthdays ? (student.dateOfBirth ?? UNKNOWN_BIRTHDAY) : null,
  SubjectID,
});

export const studentReads = {
  'GET /admin/13': call({
    purpose: 'All students of a subject, those off roll too.',
    asks: bySubjectID,
    answers: z.array(studentRow),
    behind: [],
    models: ['structure', 'roster'],
    adapt: async (caller, { asks: { SubjectID } }) =>
      (await studentsIn(caller, SubjectID)).map((student) => shown(student, SubjectID, true)),
  }),
  'GET /admin/17': call({
    purpose: 'Students in a set, or off roll.',
    asks: z.strictObject({ SetId: id }),
    answers: z.array(studentRow),
    behind: [],
    models: ['structure', 'roster'],
    differs: 'Dates of birth are told to admins only, and those off roll too.',
    async adapt(caller, { asks: { SetId } }) {
      const isAdmin = caller.actor.role === 'admin';
      const offRoll = isAdmin ? offRollOf(SetId, await subjectIdsOf(caller), offRollSetId) : undefined;
      const subjectId = offRoll ?? (await caller.sees('class', SetId)).subjectId;
      const students = await studentsIn(caller, subjectId);
      return students.filter(({ setId }) => setId === SetId).map((student) => shown(student, subjectId, isAdmin));
    },
  }),
  'GET /admin/22': call({
    purpose: 'The students of a year group, for a file.',
    asks: byYeargroup,
    answers: z.array(z.object({ StudentID: z.string().nullable(), LastFirst: z.string(), SetName: z.string(), DoB: z.iso.date() })),
    behind: ['export-students'],
    async adapt(caller, { asks: { YeargroupID } }) {
      const offRoll = offRollOf(YeargroupID, await subjectIdsOf(caller), offRollYearId);
      if (offRoll !== undefined) {
        const students = await studentsIn(caller, offRoll);
        return students.flatMap(({ state, admissionNo, name, dateOfBirth }) =>
          state === 'off-roll'
            ? [{ StudentID: admissionNo, LastFirst: name ?? '', SetName: OFF_ROLL_SET, DoB: dateOfBirth ?? UNKNOWN_BIRTHDAY }]
            : [],
        );
      }
      const { rows } = await caller.query('export-students', { yearGroupId: YeargroupID });
      return rows.map(([StudentID, LastFirst, SetName, born]) => ({
        StudentID: textOf(StudentID),
        LastFirst: textOf(LastFirst) ?? '',
        SetName: textOf(SetName) ?? '',
        DoB: textOf(born)?.split('/').toReversed().join('-') ?? UNKNOWN_BIRTHDAY,
      }));
    },
  }),
  'GET /admin/23': read('export-results', {
    purpose: 'The question marks of an assessment, for a file: StudentID, LastFirst, and Q1 to its last question.',
    asks: z.strictObject({ TestID: id }),
    answers: z.array(z.record(z.string(), z.union([z.string(), z.int()]).nullable())),
    make: ({ rows }) =>
      rows.map(([StudentID, LastFirst, ...marks]) => ({
        StudentID: textOf(StudentID),
        LastFirst: textOf(LastFirst) ?? '',
        ...Object.fromEntries(marks.map((mark, index) => [`Q${index + 1}`, typeof mark === 'number' ? mark : null])),
      })),
  }),
};

const textOf = (cell: string | number | null | undefined): string | null => (cell === null || cell === undefined ? null : String(cell));
