import { inOrder } from '../common/in-order.ts';
import { theRow } from '../common/facts.ts';
import { defineCommonQuery } from '../common/query.ts';
import { SAT, STAFF_TOTAL, paperOf } from '../marks/staff-total.facts.ts';
import type { EnteredTotals } from './entered-totals.contract.ts';
import { enteredTotalsQueries } from './entered-totals.contract.ts';

/** In which assessments the classes of a year group have totals: what a feedback task can give them, and who is missing in it. */
export const enteredTotals = defineCommonQuery({
  ...enteredTotalsQueries['entered-totals'],
  models: ['structure', 'roster', 'assessments', 'results', 'tasks'],
  marks: 'yearGroup',
  read: async (query, { yearGroupId }): Promise<EnteredTotals> => theRow(await query<EnteredTotals>(ENTERED, [yearGroupId])),
});

/** $1 school; $2 year group. The saves are walked once, and not once per class and assessment. */
const ENTERED = `
with year as materialized (
  select y.subject_id, y.year_group_id from year_groups y where y.school_id = $1 and y.year_group_id = $2
),
student as materialized (
  select g.set_id, e.student_id
  from sets g join enrolments e on e.school_id = $1 and e.set_id = g.set_id
  where g.school_id = $1 and g.year_group_id = (select year_group_id from year) and not g.deleted
),
test as materialized (
  select t.test_id, paper.questions
  from tests t ${paperOf('t.test_id')}
  where t.school_id = $1 and t.subject_id = (select subject_id from year) and t.max > 0
),
cell as materialized (
  select e.set_id, paper.test_id, e.student_id, ${STAFF_TOTAL} is not null as entered, not ${SAT} as out
  from student e
  cross join test paper
  left join lateral (
    select * from markbook m where m.school_id = $1 and m.test_id = paper.test_id and m.student_id = e.student_id offset 0) m on true
),
sat as materialized (
  select c.set_id, c.test_id, count(*)::int4 as students, (count(*) filter (where c.entered))::int4 as entered,
    (count(*) filter (where c.out))::int4 as out,
    coalesce(json_agg(json_build_object('studentId', c.student_id, 'name', s.name, 'admissionNo', s.admission_no) order by ${inOrder('s.name')}, c.student_id)
               filter (where not c.entered and not c.out), '[]') as missing
  from cell c left join students s on s.school_id = $1 and s.student_id = c.student_id
  group by c.set_id, c.test_id having bool_or(c.entered)
),
said as materialized (
  select e.set_id, x.test_id, max(v.sat_on) as sat_on, min(coalesce(v.typed_at, v.at))::date as first_mark
  from saves v
  cross join unnest(v.test_ids) x (test_id)
  cross join unnest(v.student_ids) y (student_id)
  join student e on e.student_id = y.student_id
  where v.school_id = $1 and v.subject_id = (select subject_id from year) and not v.undone and v.test_ids && array(select test_id from sat)
  group by e.set_id, x.test_id
)
select y.subject_id as "subjectId", y.year_group_id as "yearGroupId",
  (select coalesce(json_agg(json_build_object(
            'setId', a.set_id, 'testId', a.test_id, 'students', a.students, 'entered', a.entered, 'out', a.out, 'missing', a.missing,
            'satOn', coalesce((g.sat_on ->> a.test_id::text)::date, v.sat_on, v.first_mark),
            'inTask', exists (
              select from task_sets s join feedback_tasks k on k.school_id = $1 and k.task_id = s.task_id and not k.deleted
               where s.school_id = $1 and s.set_id = a.set_id and a.test_id = any(s.test_ids)))
          order by ${inOrder('g.name')}, a.set_id, ${inOrder('t.name')}, a.test_id), '[]')
     from sat a
     join sets g on g.school_id = $1 and g.set_id = a.set_id
     join tests t on t.school_id = $1 and t.test_id = a.test_id
     left join said v on v.set_id = a.set_id and v.test_id = a.test_id) as entered
from year y`;
