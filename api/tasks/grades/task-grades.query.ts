import { inOrder } from '../../common/in-order.ts';
import { theRow } from '../../common/facts.ts';
import { defineCommonQuery } from '../../common/query.ts';
import type { GradeShare } from './grades.contract.ts';
import { boundariesOf, givenOf, percentSum } from './grades.contract.ts';
import { flaggedTotalsOf } from '../ranking/flagged-totals.facts.ts';
import type { TaskGrades } from './task-grades.contract.ts';
import { taskGradesQueries } from './task-grades.contract.ts';

/** What each grade profile of the year group would give the ranked students of a task. */
export const taskGrades = defineCommonQuery({
  ...taskGradesQueries['task-grades'],
  models: ['structure', 'roster', 'assessments', 'results', 'grade_profiles', 'tasks'],
  marks: 'yearGroup',
  async read(query, { taskId }): Promise<TaskGrades> {
    const { shares, ranked, flaggedTotals, profiles } = theRow(await query<Read>(READ, [taskId]));
    return {
      taskId,
      students: ranked.length,
      flaggedTotals,
      allocated: shares && givenOf(shares, ranked),
      profiles: profiles.map(({ gradeProfileId, name, grades }) => ({
        gradeProfileId,
        name,
        sum: percentSum(grades),
        grades: boundariesOf(grades, ranked),
      })),
    };
  },
});

type Read = {
  readonly shares: readonly GradeShare[] | null;
  readonly ranked: readonly { readonly ranking: number; readonly score: number | null; readonly grade: string | null }[];
  readonly flaggedTotals: TaskGrades['flaggedTotals'];
  readonly profiles: readonly { readonly gradeProfileId: string; readonly name: string; readonly grades: readonly GradeShare[] }[];
};

/** $1 school; $2 task. */
const READ = `
with ranked as materialized (
  select r.* from task_students r
   where r.school_id = $1 and r.task_id = $2 and not r.exempt and coalesce(r.decided_ranking, r.ranking) is not null
)
select k.grades -> 'shares' as shares,
  (select coalesce(json_agg(json_build_object('ranking', coalesce(r.decided_ranking, r.ranking), 'score', coalesce(r.decided_score, r.score),
                                              'grade', coalesce(r.decided_grade, r.grade))), '[]')
     from ranked r) as ranked,
  (select coalesce(json_agg(json_build_object('studentId', f.student_id, 'name', s.name, 'admissionNo', s.admission_no, 'testId', f.test_id,
                                              'test', x.name, 'flag', f.flag)
                            order by ${inOrder('s.name')}, f.student_id, ${inOrder('x.name')}, f.test_id, f.flag), '[]')
     from (${flaggedTotalsOf({
       students: 'array(select student_id from ranked)',
       tests: `array(select (n ->> 'testId')::uuid from json_array_elements(k.ranking -> 'norms' -> 'tests') n)`,
     })}) f
     join tests x on x.school_id = $1 and x.test_id = f.test_id
     left join students s on s.school_id = $1 and s.student_id = f.student_id) as "flaggedTotals",
  (select coalesce(json_agg(json_build_object('gradeProfileId', p.grade_profile_id, 'name', p.name, 'grades', p.grades)
                   order by ${inOrder('p.name')}, p.grade_profile_id), '[]')
     from grade_profiles p where p.school_id = $1 and p.year_group_id = k.year_group_id and not p.deleted) as profiles
from feedback_tasks k
where k.school_id = $1 and k.task_id = $2`;
