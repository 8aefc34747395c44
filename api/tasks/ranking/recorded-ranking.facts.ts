import type { Facts } from '../../common/facts.ts';
import { HAS_TOTAL } from './flagged-totals.facts.ts';
import type { Checked, Checks, Cohort } from './recorded-ranking.rules.ts';

export type RecordedFacts = {
  readonly subjectId: string | undefined;
  readonly cohort: Cohort;
  /** the comments that were sent, by student */
  readonly comments: ReadonlyMap<string, string>;
  readonly checks: Checks;
  readonly setName: (setId: string) => string;
  /** the assessments of the subject, also deleted ones */
  readonly tests: ReadonlySet<string>;
  readonly hasTotals: (map: { readonly setId: string; readonly testId: string }) => boolean;
};

/** Who is on roll in the task's classes, which of these have totals, and what teachers have said: in rows that were sent, and in their checks. */
export const recordedFacts: Facts<{ readonly taskId: string }, RecordedFacts> = {
  models: ['structure', 'roster', 'assessments', 'results', 'tasks'],
  waits: true,
  async load(query, { taskId }) {
    const [read] = await query<Read>(READ, [taskId]);
    const names = new Map((read?.sets ?? []).map(({ setId, name }) => [setId, name]));
    const totals = new Set((read?.totals ?? []).map(({ setId, testId }) => `${setId} ${testId}`));
    return {
      subjectId: read?.subjectId,
      cohort: new Map((read?.students ?? []).map(({ studentId, setId }) => [studentId, setId])),
      comments: new Map((read?.comments ?? []).map(({ studentId, comment }) => [studentId, comment])),
      checks: new Map((read?.checks ?? []).map(({ studentId, ...check }) => [studentId, check])),
      setName: (setId) => names.get(setId) ?? 'a class',
      tests: new Set(read?.tests),
      hasTotals: ({ setId, testId }) => totals.has(`${setId} ${testId}`),
    };
  },
};

type Read = {
  readonly subjectId: string;
  readonly sets: readonly { readonly setId: string; readonly name: string }[];
  readonly students: readonly { readonly studentId: string; readonly setId: string }[];
  readonly tests: readonly string[];
  readonly totals: readonly { readonly setId: string; readonly testId: string }[];
  readonly comments: readonly { readonly studentId: string; readonly comment: string }[];
  readonly checks: readonly (Checked & { readonly studentId: string })[];
};

/** $1 school; $2 task. */
const READ = `
select k.subject_id as "subjectId",
  (select coalesce(json_agg(json_build_object('setId', g.set_id, 'name', g.name)), '[]')
     from task_sets s join sets g on g.school_id = $1 and g.set_id = s.set_id
    where s.school_id = $1 and s.task_id = k.task_id) as sets,
  (select coalesce(json_agg(json_build_object('studentId', e.student_id, 'setId', e.set_id) order by e.student_id), '[]')
     from task_sets s
     join sets g on g.school_id = $1 and g.set_id = s.set_id and not g.deleted
     join enrolments e on e.school_id = $1 and e.set_id = s.set_id
    where s.school_id = $1 and s.task_id = k.task_id) as students,
  array(select t.test_id from tests t where t.school_id = $1 and t.subject_id = k.subject_id
        union all
        select t.test_id from deleted_tests t where t.school_id = $1 and t.subject_id = k.subject_id) as tests,
  (select coalesce(json_agg(json_build_object('setId', s.set_id, 'testId', x.test_id)), '[]')
     from task_sets s
     cross join unnest(s.test_ids) x (test_id)
    where s.school_id = $1 and s.task_id = k.task_id
      and exists (select from enrolments e where e.school_id = $1 and e.set_id = s.set_id and ${HAS_TOTAL})) as totals,
  (select coalesce(json_agg(json_build_object('studentId', r.student_id, 'comment', r.comment)), '[]')
     from task_recorded r where r.school_id = $1 and r.task_id = k.task_id and r.comment is not null) as comments,
  (select coalesce(json_agg(json_build_object('studentId', r.student_id, 'teacherRank', r.teacher_rank,
            'flag', case s.status when 5 then r.grade_flag else r.ranking_flag end,
            'comment', coalesce(case s.status when 5 then r.grade_comment else r.ranking_comment end, ''))), '[]')
     from task_students r
     join task_sets s on s.school_id = $1 and s.task_id = k.task_id and s.set_id = r.set_id
      and (s.status = 3 and s.ranking_checked_at is not null or s.status = 5 and s.grades_checked_at is not null)
    where r.school_id = $1 and r.task_id = k.task_id) as checks
from feedback_tasks k
where k.school_id = $1 and k.task_id = $2`;
