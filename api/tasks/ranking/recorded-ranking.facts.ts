import type { Facts } from '../../common/facts.ts';
import { HAS_TOTAL } from './flagged-totals.facts.ts';
import type { Cohort } from './recorded-ranking.rules.ts';

export type RecordedFacts = {
  readonly subjectId: string | undefined;
  readonly cohort: Cohort;
  /** the comments that were sent, by student */
  readonly comments: ReadonlyMap<string, string>;
  readonly setName: (setId: string) => string;
  /** the assessments of the subject, also deleted ones */
  readonly tests: ReadonlySet<string>;
  readonly hasTotals: (map: { readonly setId: string; readonly testId: string }) => boolean;
};

/** Who is on roll in the task's classes, which of these have totals, and what was said in rows that were sent. */
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
     from task_recorded r where r.school_id = $1 and r.task_id = k.task_id and r.comment is not null) as comments
from feedback_tasks k
where k.school_id = $1 and k.task_id = $2`;
