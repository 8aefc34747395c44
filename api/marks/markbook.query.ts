import { inOrder } from '../common/in-order.ts';
import { mayReadSubject, mayWriteSet } from '../actor.ts';
import type { Markbook } from './marks.contract.ts';
import { ProblemError } from '../pipeline/problems.ts';
import { defineSharedQuery, JsonText } from '../common/query.ts';
import { marksQueries } from './marks.contract.ts';

type SetOfYear = { readonly setId: string; readonly name: string };
type Facts = { readonly subjectId: string; readonly sets: readonly SetOfYear[] };

/**
 * The year group's markbook (contract: Markbook), assembled by the database, the same for everybody but for the sets in which they may
 * write. Teachers read it for the year groups in which they have a set, leaders for those of their subjects.
 */
export const markbook = defineSharedQuery({
  ...marksQueries.markbook,
  models: ['structure', 'roster', 'assessments', 'results'],
  async read(query, { yearGroupId }, about) {
    const [row] = await query<Facts & { markbook: string }>(MARKBOOK, [yearGroupId], 'markbook');
    if (!row) throw notThere();
    const { subjectId, sets } = row;
    about({ subjectId, yearGroupId });
    return { text: new JsonText<Omit<Markbook, 'sets'>>(row.markbook), facts: { subjectId, sets } };
  },
  own({ subjectId, sets }: Facts, actor) {
    if (!mayReadSubject(actor, subjectId)) throw notThere();
    const isTheirs = actor.role !== 'teacher' || sets.some(({ setId }) => actor.setIds.includes(setId));
    if (!isTheirs) throw new ProblemError('forbidden', 'You teach no class of this year group.');
    return { sets: sets.map(({ setId, name }) => ({ setId, name, mayWrite: mayWriteSet(actor, { setId, subjectId }) })) };
  },
});

const notThere = (): ProblemError => new ProblemError('not-found', 'There is no such year group.');

/**
 * $1 school; $2 year group.
 * The total is the one entered by staff; without one, the sum of the question marks if every question has one. The SD is that of a sample
 * (docs/decisions/5).
 */
export const MARKBOOK = `
with year as materialized (
  select y.year_group_id, y.year, y.subject_id, s.name as subject
  from year_groups y join subjects s using (school_id, subject_id)
  where y.school_id = $1 and y.year_group_id = $2 and not s.removed
),
sets as materialized (
  select set_id, name, test_ids
  from sets
  where school_id = $1 and year_group_id = $2 and not deleted
),
student as materialized (
  select e.student_id, e.set_id, t.name as set_name, s.admission_no, s.name
  from sets t
  join enrolments e on e.school_id = $1 and e.set_id = t.set_id
  join students s on s.school_id = $1 and s.student_id = e.student_id
),
test as materialized (
  select t.test_id, t.name, t.max, row_number() over (order by ${inOrder('t.name')}, t.test_id) as place,
         (select count(*) from questions q where q.school_id = $1 and q.test_id = t.test_id and not q.hidden) as questions
  from tests t
  where t.school_id = $1 and t.subject_id = (select subject_id from year)
    and (t.test_id in (select unnest(test_ids) from sets)
      or exists (select from markbook m where m.school_id = $1 and m.test_id = t.test_id and m.student_id in (select student_id from student)))
),
-- Every student with every test, each pair looked up by its whole key (offset 0 keeps it so): the planner does not know the sizes of the
-- steps above, and would compare all rows of two of them. Without tests: every student once.
total as materialized (
  select s.*, t.test_id, t.place, t.questions, m.marks_count, coalesce(m.attendance, 'sat') as attendance, coalesce(m.contested > 0, false) as contested,
         case when coalesce(m.attendance, 'sat') = 'sat' then
           coalesce(m.total, case when t.questions > 0 and m.marks_count = t.questions then m.marks_sum end) end as total,
         case when m.total is not null then 'total' when t.questions > 0 and m.marks_count = t.questions then 'marks' end as source,
         coalesce(m.total > t.max, false) or coalesce(m.marks_above > 0, false) as above
  from student s
  left join test t on true
  left join lateral (select * from markbook m
                      where m.school_id = $1 and m.test_id = t.test_id and m.student_id = s.student_id offset 0) m on true
),
figure as materialized (
  select test_id, avg(total)::float8 as mean, stddev_samp(total)::float8 as sd, count(total) from total group by test_id
)
select
  subject_id as "subjectId",
  (select coalesce(json_agg(json_build_object('setId', set_id, 'name', name) order by ${inOrder('name')}), '[]') from sets) as sets,
  json_build_object(
    'yearGroupId', year_group_id,
    'year', year,
    'subject', json_build_object('subjectId', subject_id, 'name', subject),
    'tests', (select coalesce(json_agg(json_build_object('testId', t.test_id, 'name', t.name, 'max', t.max,
                'mean', f.mean, 'sd', f.sd, 'count', coalesce(f.count, 0)) order by t.place), '[]')
              from test t left join figure f using (test_id)),
    'students', (select coalesce(json_agg(json_build_object('studentId', x.student_id, 'admissionNo', x.admission_no, 'name', x.name,
                   'setId', x.set_id, 'totals', x.totals) order by ${inOrder('x.name')}, x.student_id), '[]')
                 from (select student_id, admission_no, name, set_id,
                              coalesce(json_agg(case when marks_count > 0 and marks_count < questions
                                then json_build_object('total', total, 'source', source, 'attendance', attendance, 'contested', contested,
                                  'aboveMaximum', above, 'marked', json_build_object('questions', marks_count, 'of', questions))
                                else json_build_object('total', total, 'source', source, 'attendance', attendance, 'contested', contested,
                                  'aboveMaximum', above) end order by place) filter (where test_id is not null), '[]') as totals
                       from total
                       group by student_id, admission_no, name, set_id) x)
  )::text as markbook
from year`;
