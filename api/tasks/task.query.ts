import { EVERY_EXAM } from '../prior/prior.facts.ts';
import { inOrder } from '../common/in-order.ts';
import type { RunSql } from '../common/facts.ts';
import { theRow } from '../common/facts.ts';
import { defineCommonQuery } from '../common/query.ts';
import type { Task } from './task.contract.ts';
import { taskQueries } from './task.contract.ts';
import { HAS_TOTAL } from './ranking/flagged-totals.facts.ts';
import { lowestStatus, stepOf } from './task-status.contract.ts';
import { readSets, statusOfSets } from './tasks.query.ts';

/** A feedback task for its leader: what each class has, what is missing, and from whom. */
export const task = defineCommonQuery({
  ...taskQueries.task,
  models: ['structure', 'roster', 'assessments', 'results', 'accounts', 'grade_profiles', 'tasks'],
  marks: 'yearGroup',
  async read(query, { taskId }): Promise<Task> {
    const head = theRow(await query<Head>(HEAD, [taskId]));
    const sets = await readCheckedSets(query, taskId);
    const status = statusOfSets(sets);
    return {
      ...head,
      status,
      lowest: lowestStatus(sets.map((set) => set.status)),
      step: stepOf(status, head.teacherInput),
      sets,
    };
  },
});

type Head = Omit<Task, 'status' | 'lowest' | 'step' | 'sets'>;
type SetOfTask = Task['sets'][number];

/** The classes of a task with their teachers and what was checked. `setId`: this class only. */
export const readCheckedSets = async (query: RunSql, taskId: string, setId?: string): Promise<readonly SetOfTask[]> =>
  (await readSets<SetOfTask>(query, [taskId], setId, CHECKS)).map(({ set }) => set);

/** A student whom the final check counts. */
const RANKED = `coalesce(r.decided_ranking, r.ranking) is not null and not r.exempt`;

/** $1 school; $2 task. */
const HEAD = `
with task as materialized (
  select * from feedback_tasks k where k.school_id = $1 and k.task_id = $2
),
own as materialized (
  select s.set_id, s.test_ids from task_sets s where s.school_id = $1 and s.task_id = (select task_id from task)
),
cohort as materialized (
  select e.student_id from own o join enrolments e on e.school_id = $1 and e.set_id = o.set_id
)
select k.task_id as "taskId", k.name, k.expiry, k.teacher_input as "teacherInput", to_json(k.created_at) #>> '{}' as "createdAt",
  k.subject_id as "subjectId", k.year_group_id as "yearGroupId", y.year,
  (select a.name from accounts a where a.school_id = $1 and a.account_id = k.created_by) as "createdBy",
  (select count(*)::int4 from cohort) as students,
  (select coalesce(json_agg(json_build_object('setId', g.set_id, 'name', g.name) order by ${inOrder('g.name')}, g.set_id), '[]')
     from sets g
    where g.school_id = $1 and g.year_group_id = k.year_group_id and not g.deleted and g.set_id not in (select set_id from own)) as "otherSets",
  (select coalesce(json_agg(json_build_object('testId', x.test_id, 'name', x.name, 'max', x.max, 'entered', c.entered, 'inTask', x.own)
                            order by x.own desc, ${inOrder('x.name')}, x.test_id), '[]')
     from (select t.*, exists (select from own o where t.test_id = any(o.test_ids)) as own
             from tests t where t.school_id = $1 and t.subject_id = k.subject_id) x
     cross join lateral (select count(*)::int4 as entered from cohort e where ${HAS_TOTAL}) c
    where c.entered > 0 and x.max > 0) as offered,
  (select json_build_object('rankingId', k.ranking ->> 'rankingId', 'at', to_json(k.ranked_at) #>> '{}', 'by', a.name,
            'formula', k.ranking ->> 'formula', 'terminalExamId', k.ranking ->> 'terminalExamId', 'exam', x.name,
            'testIds', (select coalesce(json_agg(n ->> 'testId'), '[]') from json_array_elements(k.ranking -> 'norms' -> 'tests') n),
            'students', r.students, 'ranked', r.ranked, 'flagged', r.flagged)
     from (select count(*)::int4 as students, (count(*) filter (where ${RANKED}))::int4 as ranked,
                  (count(*) filter (where r.ranking_flag or r.grade_flag))::int4 as flagged
             from task_students r where r.school_id = $1 and r.task_id = k.task_id) r
     left join accounts a on a.school_id = $1 and a.account_id = (k.ranking ->> 'by')::uuid
     left join ${EVERY_EXAM} x on x.school_id = $1 and x.terminal_exam_id = (k.ranking ->> 'terminalExamId')::uuid
    where k.ranked_at is not null) as ranking,
  (select json_build_object('gradesId', k.grades ->> 'gradesId', 'at', k.grades ->> 'at', 'by', a.name,
            'gradeProfileId', k.grades ->> 'gradeProfileId', 'profile', p.name, 'shares', k.grades -> 'shares')
     from (select) one
     left join accounts a on a.school_id = $1 and a.account_id = (k.grades ->> 'by')::uuid
     left join grade_profiles p on p.school_id = $1 and p.grade_profile_id = (k.grades ->> 'gradeProfileId')::uuid and not p.deleted
    where k.grades is not null) as grades,
  (select json_build_object('by', a.name, 'reason', k.contested_reason, 'totals', k.contested_totals)
     from (select) one left join accounts a on a.school_id = $1 and a.account_id = k.contested_by
    where k.contested_by is not null) as "endedContested"
from task k join year_groups y on y.school_id = $1 and y.year_group_id = k.year_group_id`;

/** A check of task_sets row `s`, as JSON; null: none. */
const checkOf = (what: 'ranking' | 'grades'): string => `
(select json_build_object('at', to_json(s.${what}_checked_at) #>> '{}', 'by', a.name,
          'stoodIn', s.${what}_checked_role <> 'teacher' and not exists (
             select from json_array_elements(a.teachers) r
               join (select * from teachers union all select * from deleted_teachers) t on t.school_id = $1 and t.teacher_id = (r ->> 'teacherId')::uuid and s.set_id = any(t.set_ids)))
   from (select) one left join accounts a on a.school_id = $1 and a.account_id = s.${what}_checked_by
  where s.${what}_checked_by is not null)`;
const withoutOf = (what: 'ranking' | 'grades'): string => `
(select json_build_object('by', a.name, 'reason', s.without_${what}_reason)
   from (select) one left join accounts a on a.school_id = $1 and a.account_id = s.without_${what}_by
  where s.without_${what}_by is not null)`;

/** The teachers of task_sets row `s`, and what was checked, or not waited for. */
const CHECKS = `
  (select coalesce(json_agg(json_build_object('teacherId', t.teacher_id, 'name', t.name, 'hasAccount', exists (
             select from accounts a cross join lateral json_array_elements(a.teachers) r
              where a.school_id = $1 and a.activated and not a.closed and (r ->> 'teacherId')::uuid = t.teacher_id))
           order by ${inOrder('t.name')}, t.teacher_id), '[]')
     from teachers t
    where t.school_id = $1 and t.subject_id = g.subject_id and s.set_id = any(t.set_ids)) as teachers,
  ${checkOf('ranking')} as "rankingChecked", ${checkOf('grades')} as "gradesChecked",
  ${withoutOf('ranking')} as "withoutRanking", ${withoutOf('grades')} as "withoutGrades"`;
