import { z } from 'zod';
import { inOrder } from '../../common/in-order.ts';
import { ProblemError } from '../../common/problems.ts';
import type { Answer } from '../../contract/answer.ts';
import { id } from '../../contract/fields.ts';
import { OFF_ROLL_SET, offRollSetId } from '../admin/off-roll.ts';
import { bySubjectId, bySubjectID, byYeargroup, teacherRow } from '../admin/reading.ts';
import { call } from '../call.ts';
import type { Caller } from '../caller.ts';
import { readableSet, readableSubject, rowsOfSubject, rowsOfYearGroup } from '../scope.ts';
import { bySet, classRow, studentOfSet } from './rows.ts';

const year = z.object({ YeargroupID: id, Yeargroup: z.int() });
const test = z.object({ TestID: id, TestName: z.string(), MaxMark: z.int().nullable().describe('null: no questions yet.') });

const STUDENT = `
  select s.admission_no as "StudentID", s.student_id as "UniqueID", s.name as "LastFirst", t.set_id as "SetID", t.name as "SetName"
    from enrolments e
    join students s using (school_id, student_id)
    join sets t on t.school_id = $1 and t.set_id = e.set_id and not t.deleted
   where e.school_id = $1`;
/** $1 school; $2 subject. */
const ALL_STUDENTS = `
  select s.admission_no as "StudentID", s.student_id as "UniqueID", s.name as "LastFirst", t.set_id as "SetID", t.name as "SetName"
    from enrolments e
    join students s using (school_id, student_id)
    left join sets t on t.school_id = $1 and t.set_id = e.set_id and not t.deleted
   where e.school_id = $1 and e.subject_id = $2 and e.state <> 'removed'
   order by t.name, s.name, s.student_id`;
type InSet = Omit<Answer<typeof studentOfSet>, 'SetID' | 'SetName'> & { readonly SetID: string | null; readonly SetName: string | null };
const CLASS = `select t.set_id as "SetId", t.name as "SetName", t.year_group_id as "YeargroupID" from sets t where t.school_id = $1 and not t.deleted`;

/** The students of a class, for whoever may read it. */
const studentsOf = (caller: Caller, setId: string) =>
  caller.sql(async (query) => {
    await readableSet(query, caller.actor, setId);
    return query<z.output<typeof studentOfSet>>(`${STUDENT} and e.set_id = $2 order by ${inOrder('s.name')}, s.student_id`, [setId]);
  });

/** Year groups, classes, students, teachers and assessments. */
export const structureReads = {
  'GET /teacher/1': call({
    purpose: 'Year groups of a subject.',
    asks: bySubjectId,
    answers: z.array(year),
    behind: [],
    models: ['structure'],
    adapt: (caller, { asks: { SubjectId } }) =>
      rowsOfSubject(
        caller,
        SubjectId,
        `select year_group_id as "YeargroupID", year as "Yeargroup" from year_groups where school_id = $1 and subject_id = $2 order by year`,
      ),
  }),
  'GET /teacher/4': call({
    purpose: 'All students of a subject, with their classes: those off roll too.',
    asks: bySubjectID,
    answers: z.array(studentOfSet),
    behind: [],
    models: ['structure', 'roster'],
    differs: 'Whoever is off roll is in the set Off-Roll, as for admin/13.',
    async adapt(caller, { asks: { SubjectID } }) {
      const rows = await rowsOfSubject<InSet>(caller, SubjectID, ALL_STUDENTS);
      return rows.map((row) => ({ ...row, SetID: row.SetID ?? offRollSetId(SubjectID), SetName: row.SetName ?? OFF_ROLL_SET }));
    },
  }),
  'GET /teacher/5': call({
    purpose: 'Assessments of a subject.',
    asks: bySubjectID,
    answers: z.array(test),
    behind: [],
    models: ['structure', 'assessments'],
    adapt: (caller, { asks: { SubjectID } }) =>
      rowsOfSubject(
        caller,
        SubjectID,
        `select test_id as "TestID", name as "TestName", max as "MaxMark" from tests where school_id = $1 and subject_id = $2
            order by ${inOrder('name')}, test_id`,
      ),
  }),
  'GET /teacher/7': call({
    purpose: 'Classes of a teacher.',
    asks: z.strictObject({ SubjectID: id, TeacherID: id }),
    answers: z.array(classRow),
    behind: [],
    models: ['structure', 'accounts'],
    differs: 'A teacher asks about their own record only.',
    adapt: (caller, { asks: { SubjectID, TeacherID } }) =>
      caller.sql(async (query) => {
        const { actor } = caller;
        await readableSubject(query, actor, SubjectID);
        const [teacher] = await query<{ own: boolean }>(
          `select exists (select from accounts a cross join json_array_elements(a.teachers) l
                           where a.school_id = $1 and a.account_id = $4 and l ->> 'teacherId' = t.teacher_id::text) as own
             from teachers t where t.school_id = $1 and t.subject_id = $2 and t.teacher_id = $3`,
          [SubjectID, TeacherID, actor.accountId],
        );
        if (!teacher) throw new ProblemError('not-found', 'There is no such teacher.');
        if (actor.role === 'teacher' && !teacher.own) throw new ProblemError('forbidden', 'You see your own classes only.');
        return query(
          `${CLASS} and t.set_id = any(array(select unnest(set_ids) from teachers where school_id = $1 and teacher_id = $2))
            order by ${inOrder('t.name')}, t.set_id`,
          [TeacherID],
        );
      }),
  }),
  'GET /teacher/8': call({
    purpose: 'Teachers of a subject, to choose whose pages are shown.',
    asks: bySubjectID,
    answers: z.array(teacherRow),
    behind: [],
    models: ['structure'],
    adapt: (caller, { asks: { SubjectID } }) =>
      rowsOfSubject(
        caller,
        SubjectID,
        `select teacher_id as "TeacherID", name as "Teacher", subject_id as "SubjectID" from teachers
            where school_id = $1 and subject_id = $2 order by ${inOrder('name')}, teacher_id`,
      ),
  }),
  'GET /teacher/13': call({
    purpose: 'Students of a class.',
    asks: bySet,
    answers: z.array(studentOfSet),
    behind: [],
    models: ['structure', 'roster'],
    adapt: (caller, { asks: { SetID } }) => studentsOf(caller, SetID),
  }),
  'GET /teacher/15': call({
    purpose: 'A class: its year group, its scheme of work and its RAG thresholds.',
    asks: bySet,
    answers: z.array(
      classRow.extend({
        Yeargroup: z.int(),
        SubjectID: id,
        subject_name: z.string(),
        SoWID: id.nullable().describe('null: it is deleted.'),
        SoWName: z.string().nullable(),
        Red: z.int(),
        Amber: z.int(),
        Green: z.int(),
        Cnt: z.int().describe('Students in the class.'),
      }),
    ),
    behind: [],
    models: ['structure', 'roster'],
    adapt: (caller, { asks: { SetID } }) =>
      caller.sql(async (query) => {
        await readableSet(query, caller.actor, SetID);
        return query(
          `select t.set_id as "SetId", t.name as "SetName", t.year_group_id as "YeargroupID", y.year as "Yeargroup",
                  b.subject_id as "SubjectID", b.name as subject_name, w.scheme_id as "SoWID", w.name as "SoWName",
                  t.red as "Red", t.amber as "Amber", t.green as "Green",
                  (select count(*)::int4 from enrolments e where e.school_id = $1 and e.set_id = t.set_id) as "Cnt"
             from sets t
             join subjects b on b.school_id = $1 and b.subject_id = t.subject_id
             join year_groups y on y.school_id = $1 and y.year_group_id = t.year_group_id
             left join schemes w on w.school_id = $1 and w.scheme_id = t.scheme_id
            where t.school_id = $1 and t.set_id = $2`,
          [SetID],
        );
      }),
  }),
  'GET /teacher/26': call({
    purpose: 'Students of a class, for its rank check.',
    asks: bySet,
    answers: z.array(studentOfSet),
    behind: [],
    models: ['structure', 'roster'],
    adapt: (caller, { asks: { SetID } }) => studentsOf(caller, SetID),
  }),
  'GET /teacher/29': call({
    purpose: 'The year group of a class.',
    asks: z.strictObject({ SetId: id }),
    answers: z.array(year),
    behind: [],
    models: ['structure'],
    adapt: (caller, { asks: { SetId } }) =>
      caller.sql(async (query) => {
        const { yearGroupId } = await readableSet(query, caller.actor, SetId);
        return query(
          `select year_group_id as "YeargroupID", year as "Yeargroup" from year_groups where school_id = $1 and year_group_id = $2`,
          [yearGroupId],
        );
      }),
  }),
  'GET /teacher/30': call({
    purpose: 'Classes of a year group.',
    asks: byYeargroup,
    answers: z.array(classRow),
    behind: [],
    models: ['structure'],
    adapt: (caller, { asks: { YeargroupID } }) =>
      rowsOfYearGroup(caller, YeargroupID, `${CLASS} and t.year_group_id = $2 order by ${inOrder('t.name')}, t.set_id`),
  }),
};
