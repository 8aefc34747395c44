import { SAT } from './staff-total.facts.ts';
import { inOrder } from '../common/in-order.ts';
import { resultsColumns } from './upload/results-file.contract.ts';
import { studentColumns } from '../students/students-file.contract.ts';
import type { ExportTable } from './export.contract.ts';
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
