import { NOT_REMOVED, paperOf, SAT, STAFF_TOTAL, withRemoved } from './staff-total.facts.ts';
import { inOrder } from '../common/in-order.ts';
import { resultsColumns } from './upload/results-file.contract.ts';
import { totalsColumns } from './upload/totals-file.contract.ts';
import { OFF_ROLL_NAME } from '../students/off-roll.contract.ts';
import { studentColumns } from '../students/students-file.contract.ts';
import type { ExportChoices, ExportTable } from './export.contract.ts';
import { theRow } from '../common/facts.ts';
import { defineQuery } from '../common/query.ts';
import { exportQueries } from './export.contract.ts';

/** The students of a year group, in the columns of the student upload. */
export const exportStudents = defineQuery({
  ...exportQueries['export-students'],
  models: ['structure', 'roster'],
  handsOut: ({ yearGroupId }) => ({ what: 'students', yearGroupId }),
  async run(query, { yearGroupId }): Promise<ExportTable> {
    const { year } = theRow(
      await query<{ year: number }>(`select y.year from year_groups y where y.school_id = $1 and y.year_group_id = $2`, [yearGroupId]),
    );
    const rows = await query<{ admission_no: string | null; name: string | null; set: string; born: string | null }>(
      `select s.admission_no, s.name, t.name as set, to_char(s.date_of_birth, 'DD/MM/YYYY') as born
         from sets t
         join enrolments e on e.school_id = $1 and e.set_id = t.set_id
         join students s on s.school_id = $1 and s.student_id = e.student_id
        where t.school_id = $1 and t.year_group_id = $2 and not t.deleted
        order by ${inOrder('t.name')}, ${inOrder('s.name')}, s.student_id`,
      [yearGroupId],
    );
    return {
      title: `Year ${year}`,
      columns: studentColumns,
      rows: rows.map(({ admission_no, name, set, born }) => [admission_no, name ?? FORGOTTEN, set, born]),
    };
  },
});

/**
 * The students of some year groups of a subject, and those in Off-Roll, as the student upload reads them: a file that nobody has changed
 * changes nothing. Nobody can be uploaded without a StudentID, so whoever was forgotten is left out.
 */
export const exportStudentList = defineQuery({
  ...exportQueries['export-student-list'],
  models: ['structure', 'roster'],
  handsOut: ({ subjectId, groups: [first, ...more] }) => ({
    what: 'students',
    subjectId,
    ...(first !== undefined && first !== 'off-roll' && more.length === 0 ? { yearGroupId: first } : {}),
  }),
  async run(query, { subjectId, groups }): Promise<ExportTable> {
    const { title } = theRow(
      await query<{ title: string }>(
        `select coalesce((select 'Year ' || year from year_groups where school_id = $1 and subject_id = $2 and $3::text[] = array[year_group_id::text]), name) as title
           from subjects where school_id = $1 and subject_id = $2`,
        [subjectId, groups],
      ),
    );
    const rows = await query<{ admission_no: string; name: string; set: string; born: string | null }>(
      `select s.admission_no, s.name, coalesce(t.name, '${OFF_ROLL_NAME}') as set, to_char(s.date_of_birth, 'DD/MM/YYYY') as born
         from enrolments e
         join students s on s.school_id = $1 and s.student_id = e.student_id
         left join sets t on t.school_id = $1 and t.set_id = e.set_id and not t.deleted
         left join year_groups y on y.school_id = $1 and y.year_group_id = t.year_group_id
        where e.school_id = $1 and e.subject_id = $2 and e.state <> 'removed' and s.admission_no is not null and s.name is not null
          and coalesce(t.year_group_id::text, 'off-roll') = any($3::text[])
        order by y.year nulls last, ${inOrder('t.name')}, ${inOrder('s.name')}, s.student_id`,
      [subjectId, groups],
    );
    return {
      title,
      columns: studentColumns,
      rows: rows.map(({ admission_no, name: who, set, born }) => [admission_no, who, set, born]),
    };
  },
});

/** Of which year groups and assessments there is how much to export. */
export const exportChoices = defineQuery({
  ...exportQueries['export-choices'],
  models: ['structure', 'roster', 'assessments', 'results'],
  async run(query, { subjectId }): Promise<ExportChoices> {
    const groups = await query<ExportChoices['groups'][number]>(
      `select y.year_group_id::text as id, 'Year ' || y.year as name,
              (select count(*)::int4 from sets t join enrolments e on e.school_id = $1 and e.set_id = t.set_id
                where t.school_id = $1 and t.year_group_id = y.year_group_id and not t.deleted) as students
         from year_groups y where y.school_id = $1 and y.subject_id = $2 order by y.year`,
      [subjectId],
    );
    const { students } = theRow(
      await query<{ students: number }>(
        `select count(*)::int4 as students from enrolments where school_id = $1 and subject_id = $2 and state = 'off-roll'`,
        [subjectId],
      ),
    );
    const tests = await query<ExportChoices['tests'][number]>(
      `${withRemoved('array(select test_id from tests where school_id = $1 and subject_id = $2)')}
       select t.test_id as "testId", t.name, coalesce(c.totals, 0) as totals, coalesce(c.results, 0) as results
         from tests t left join lateral (
           select count(${STAFF_TOTAL})::int4 as totals, (count(*) filter (where ${SAT} and m.effective_count > 0))::int4 as results
             from markbook m ${paperOf('m.test_id')}
            where m.school_id = $1 and m.test_id = t.test_id and ${NOT_REMOVED}) c on true
        where t.school_id = $1 and t.subject_id = $2
        order by ${inOrder('t.name')}, t.test_id`,
      [subjectId],
    );
    return { groups: [...groups, ...(students > 0 ? [{ id: 'off-roll' as const, name: OFF_ROLL_NAME, students }] : [])], tests };
  },
});

/**
 * The totals of an assessment, in the columns of the totals upload as its Test 1: of every student with a total in the markbook, which is the
 * one entered, else the sum where every question is marked. Those whom the upload could not name are left out, as in the list of students.
 */
export const exportTotals = defineQuery({
  ...exportQueries['export-totals'],
  models: ['structure', 'roster', 'assessments', 'results'],
  handsOut: ({ testId }) => ({ what: 'totals', testId }),
  async run(query, { testId }): Promise<ExportTable> {
    const { name } = theRow(await query<{ name: string }>(`select name from tests where school_id = $1 and test_id = $2`, [testId]));
    const rows = await query<{ admission_no: string; name: string; total: number }>(
      `${withRemoved('array[$2]::uuid[]')}
       select s.admission_no, s.name, c.total
         from (select m.student_id, ${STAFF_TOTAL} as total
                 from markbook m ${paperOf('m.test_id')}
                where m.school_id = $1 and m.test_id = $2 and ${NOT_REMOVED}) c
         join students s on s.school_id = $1 and s.student_id = c.student_id
        where c.total is not null and s.admission_no is not null and s.name is not null
        order by ${inOrder('s.name')}, s.student_id`,
      [testId],
    );
    const others = totalsColumns.slice(3).map(() => null);
    return {
      title: name,
      columns: totalsColumns,
      rows: rows.map(({ admission_no, name: who, total }) => [admission_no, who, total, ...others]),
    };
  },
});

/**
 * The question marks of an assessment, in the columns of the results upload up to its last question, so that the file can be uploaded
 * again: every student with a mark, in any set. As in all question figures a mark that the student has confirmed counts where staff have
 * entered none, and those of students who were absent or exempt do not. Students who were removed from the subject take their results with
 * them; those off roll leave theirs.
 */
export const exportResults = defineQuery({
  ...exportQueries['export-results'],
  models: ['structure', 'roster', 'assessments', 'results'],
  handsOut: ({ testId }) => ({ what: 'marks', testId }),
  async run(query, { testId }): Promise<ExportTable> {
    const test = theRow(
      await query<{ name: string; questions: number }>(
        `select t.name, (select count(*)::int4 from questions q where q.school_id = $1 and q.test_id = t.test_id and not q.hidden) as questions
           from tests t where t.school_id = $1 and t.test_id = $2`,
        [testId],
      ),
    );
    const rows = await query<{ admission_no: string | null; name: string | null; marks: Readonly<Record<string, number>> }>(
      `with staff as (
         select r.student_id, r.item_id as question_id, r.mark from results r
          where r.school_id = $1 and r.test_id = $2 and r.kind = 'm' and r.mark is not null
       ), own as (
         select o.student_id, one.key::uuid as question_id, one.value::int4 as mark
           from submissions o cross join lateral json_each_text(o.confirmations -> -1 -> 'marks') as one
          where o.school_id = $1 and o.test_id = $2
       )
       select s.admission_no, s.name, json_object_agg(q.number, c.mark) as marks
         from (select student_id, question_id, coalesce(staff.mark, own.mark) as mark
                 from staff full join own using (student_id, question_id)) c
         join questions q on q.school_id = $1 and q.question_id = c.question_id and q.test_id = $2 and not q.hidden
         join students s on s.school_id = $1 and s.student_id = c.student_id
         left join markbook m on m.school_id = $1 and m.test_id = $2 and m.student_id = c.student_id
        where ${SAT}
          and not exists (
            select from tests t join enrolments e using (school_id, subject_id)
             where t.school_id = $1 and t.test_id = $2 and e.student_id = s.student_id and e.state = 'removed')
        group by s.student_id, s.admission_no, s.name
        order by ${inOrder('s.name')}, s.student_id`,
      [testId],
    );
    const numbers = Array.from({ length: test.questions }, (_, index) => index + 1);
    return {
      title: test.name,
      columns: resultsColumns,
      rows: rows.map(({ admission_no, name, marks }) => [
        admission_no,
        name ?? FORGOTTEN,
        ...numbers.map((number) => marks[number] ?? null),
      ]),
    };
  },
});

const FORGOTTEN = 'A forgotten student';
