import { z } from 'zod';
import { inOrder } from '../../common/in-order.ts';
import type { Answer } from '../../contract/answer.ts';
import { id } from '../../contract/fields.ts';
import { call } from '../call.ts';
import { readableSet, readableSubject } from '../scope.ts';
import { OFF_ROLL_SET, offRollOf, offRollSetId, offRollYearId, UNKNOWN_BIRTHDAY } from './off-roll.ts';
import { bySubjectID, byYeargroup, studentRow, subjectIdsOf } from './reading.ts';

type Row = Omit<Answer<typeof studentRow>, 'SetID' | 'SetName'> & { readonly SetID: string | null; readonly SetName: string | null };

/** Off-Roll is shown as a set. @param told whether the reader is told dates of birth */
const shown = ({ SetID, SetName, DoB, ...student }: Row, told: boolean): Answer<typeof studentRow> => ({
  ...student,
  DoB: told ? (DoB ?? UNKNOWN_BIRTHDAY) : null,
  SetID: SetID ?? offRollSetId(student.SubjectID),
  SetName: SetName ?? OFF_ROLL_SET,
});

/** $1 school; $2 subject. */
const STUDENTS = `
select s.student_id as "UniqueID", s.admission_no as "StudentID", s.name as "LastFirst", s.date_of_birth::text as "DoB",
  t.set_id as "SetID", e.subject_id as "SubjectID", t.name as "SetName"
from enrolments e
join students s using (school_id, student_id)
left join sets t on t.school_id = $1 and t.set_id = e.set_id and not t.deleted
where e.school_id = $1 and e.subject_id = $2 and e.state <> 'removed'`;

export const studentReads = {
  'GET /admin/13': call({
    purpose: 'All students of a subject, those off roll too.',
    asks: bySubjectID,
    answers: z.array(studentRow),
    behind: [],
    models: ['structure', 'roster'],
    adapt: (caller, { asks: { SubjectID } }) =>
      caller.sql(async (query) => {
        await readableSubject(query, caller.actor, SubjectID);
        const rows = await query<Row>(`${STUDENTS} order by ${inOrder('s.name')}, s.student_id`, [SubjectID]);
        return rows.map((row) => shown(row, true));
      }),
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
      return caller.sql(async (query) => {
        const subjectId = offRoll ?? (await readableSet(query, caller.actor, SetId)).subjectId;
        const rows = await query<Row>(
          `${STUDENTS} and (case when $3::uuid is null then t.set_id is null else t.set_id = $3 end) order by ${inOrder('s.name')}, s.student_id`,
          [subjectId, offRoll === undefined ? SetId : null],
        );
        return rows.map((row) => shown(row, isAdmin));
      });
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
        const left = await caller.sql((query) =>
          query<Row>(`${STUDENTS} and e.state = 'off-roll' order by ${inOrder('s.name')}, s.student_id`, [offRoll]),
        );
        return left.map(({ StudentID, LastFirst, DoB }) => ({
          StudentID,
          LastFirst: LastFirst ?? '',
          SetName: OFF_ROLL_SET,
          DoB: DoB ?? UNKNOWN_BIRTHDAY,
        }));
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
  'GET /admin/23': call({
    purpose: 'The question marks of an assessment, for a file: StudentID, LastFirst, and Q1 to its last question.',
    asks: z.strictObject({ TestID: id }),
    answers: z.array(z.record(z.string(), z.union([z.string(), z.int()]).nullable())),
    behind: ['export-results'],
    async adapt(caller, { asks: { TestID } }) {
      const { rows } = await caller.query('export-results', { testId: TestID });
      return rows.map(([StudentID, LastFirst, ...marks]) => ({
        StudentID: textOf(StudentID),
        LastFirst: textOf(LastFirst) ?? '',
        ...Object.fromEntries(marks.map((mark, index) => [`Q${index + 1}`, typeof mark === 'number' ? mark : null])),
      }));
    },
  }),
};

const textOf = (cell: string | number | null | undefined): string | null => (cell === null || cell === undefined ? null : String(cell));
