import { inOrder } from '../common/in-order.ts';
import { defineCommonQuery } from '../common/query.ts';
import { theRow } from '../common/facts.ts';
import { paperOf, hasFlag, TOTAL_FLAGS } from '../marks/staff-total.facts.ts';
import type { Waiting } from './waiting.contract.ts';
import { waitingQueries } from './waiting.contract.ts';

/** What waits for somebody to put it right: in a subject, and among the accounts of the staff of the school. */
export const waiting = defineCommonQuery({
  ...waitingQueries.waiting,
  models: ['structure', 'roster', 'assessments', 'results', 'accounts'],
  read: async (query, { subjectId }): Promise<Waiting> => theRow(await query<Waiting>(WAITING, [subjectId])),
});

/** So many are named of each. */
const FIRST = 8;

/** A part of the answer. `rows`: SQL with the fields of `one`; `place`: their order; `count`: of a row. */
const some = (rows: string, one: string, place: string, count = '1'): string => `(
  select json_build_object('count', coalesce(sum(${count}), 0),
           'first', coalesce(json_agg(json_build_object(${one}) order by nth) filter (where nth <= ${FIRST}), '[]'))
    from (select found.*, row_number() over (order by ${place}) as nth from (${rows}) found) found)`;

/** SQL: what is left of a StudentID `text` if a spreadsheet takes it for a number, without spaces and signs. */
const bare = (text: string): string => `ltrim(regexp_replace(${text}, '[^[:alnum:]]', '', 'g'), '0')`;

/**
 * $1 school; $2 subject. No StudentID is there twice: the roster refuses it. One student may be there twice, under two of them, whichever subjects
 * they are in.
 */
const WAITING = `
with class as materialized (
  select s.set_id, s.name, y.year_group_id, y.year
    from sets s join year_groups y on y.school_id = $1 and y.year_group_id = s.year_group_id
   where s.school_id = $1 and s.subject_id = $2 and not s.deleted
),
student as materialized (
  select c.set_id, c.year, e.student_id, p.date_of_birth
    from class c
    join enrolments e on e.school_id = $1 and e.set_id = c.set_id
    join students p on p.school_id = $1 and p.student_id = e.student_id
),
known as materialized (
  select p.student_id, p.admission_no, p.admission_key, p.name, p.date_of_birth, bool_or(e.subject_id = $2) as here
    from students p
    join enrolments e on e.school_id = $1 and e.student_id = p.student_id and e.state <> 'removed'
    join subjects s on s.school_id = $1 and s.subject_id = e.subject_id
   where p.school_id = $1 and p.name is not null and p.admission_key is not null
   group by 1, 2, 3, 4, 5
)
select
  ${some(
    `select c.* from class c
      where not exists (select from teachers t where t.school_id = $1 and t.subject_id = $2 and c.set_id = any(t.set_ids))`,
    `'setId', set_id, 'name', name`,
    `${inOrder('name')}, set_id`,
  )} as classes,
  ${some(
    `select c.set_id, c.name, count(*) as students
       from student s join class c using (set_id) where s.date_of_birth is null group by c.set_id, c.name`,
    `'setId', set_id, 'name', name, 'students', students`,
    `${inOrder('name')}, set_id`,
    'students',
  )} as "datesOfBirth",
  ${some(
    `select test_id, name from tests where school_id = $1 and subject_id = $2 and max is null`,
    `'testId', test_id, 'name', name`,
    `${inOrder('name')}, test_id`,
  )} as assessments,
  ${some(
    `select account_id, name, invited_at from accounts where school_id = $1 and role <> 'student' and not activated and not closed`,
    `'accountId', account_id, 'name', name, 'invitedAt', invited_at`,
    'invited_at, account_id',
  )} as people,
  ${some(
    `select a.name, a.admission_no as one, b.admission_no as other
       from known a join known b on lower(a.name) = lower(b.name) and a.student_id < b.student_id
      where (a.here or b.here)
        and (a.date_of_birth = b.date_of_birth or ${bare('a.admission_key')} = ${bare('b.admission_key')})`,
    `'name', name, 'admissionNos', json_build_array(least(one, other), greatest(one, other))`,
    `${inOrder('name')}, one`,
  )} as twice,
  ${some(
    `select t.test_id, t.name, s.year, count(*) as totals
       from tests t
       join markbook m on m.school_id = $1 and m.test_id = t.test_id
                      and (m.total_contested or m.marks_contested > 0 or m.attendance_contested)
       join student s on s.student_id = m.student_id
       ${paperOf('t.test_id')}
      where t.school_id = $1 and t.subject_id = $2 and ${hasFlag(TOTAL_FLAGS, 'contested', 'contested-attendance')}
      group by t.test_id, t.name, s.year`,
    `'testId', test_id, 'name', name, 'year', year, 'totals', totals`,
    `year, ${inOrder('name')}, test_id`,
    'totals',
  )} as contested`;
