import { theRow } from '../../common/facts.ts';
import { defineCommonQuery } from '../../common/query.ts';
import { percentileRank, standardised } from '../averages.formula.ts';
import type { WithPrior } from '../residual.formula.ts';
import { residualsByLine } from '../residual.formula.ts';
import type { ResidualsAnswer } from '../tests.contract.ts';
import { testQueries } from '../tests.contract.ts';

/**
 * Beside the score of each ranked student (contract: ResidualsAnswer): of the ranking that the markbook shows, or of that task, by the priors
 * and classes of the moment of the ranking. The same for everybody who may read the markbook of the year group.
 */
export const residuals = defineCommonQuery({
  ...testQueries.residuals,
  models: ['structure', 'roster', 'tasks'],
  async read(query, { yearGroupId, taskId }, { subjectId }): Promise<ResidualsAnswer> {
    const row = theRow(await query<Row>(RANKED, [yearGroupId, taskId ?? null]));
    const ranked = (row.students ?? []).flatMap(({ score, ...student }) => (score === null ? [] : [{ ...student, score }]));
    const scores = ranked.map(({ score }) => score);
    const found = residualsByLine(ranked);
    return {
      yearGroupId,
      subjectId,
      taskId: row.taskId,
      line: found?.line ?? null,
      sets: [...(found?.sets ?? [])].map(([setId, set]) => ({ setId, ...set })),
      students: ranked.map(({ studentId, setId, score }) => ({
        studentId,
        setId,
        residual: found?.students.get(studentId) ?? null,
        standardised: standardised(scores, score),
        percentile: percentileRank(scores, score),
      })),
    };
  },
});

type Row = {
  readonly taskId: string | null;
  readonly students: readonly WithPrior[] | null;
};

/** $1 school; $2 year group; $3 task, or null: the one that was ranked last, among those that hold somebody who is on roll here now. */
const RANKED = `
with classes as materialized (
  select s.set_id from sets s where s.school_id = $1 and s.year_group_id = $2 and not s.deleted
),
shown as materialized (
  select k.task_id
  from feedback_tasks k
  where k.school_id = $1 and k.year_group_id = $2 and not k.deleted and k.ranked_at is not null
    and exists (select from task_students r
                  join enrolments e on e.school_id = $1 and e.subject_id = k.subject_id and e.student_id = r.student_id
                   and e.set_id in (select set_id from classes)
                 where r.school_id = $1 and r.task_id = k.task_id)
  order by coalesce(k.task_id = $3::uuid, false) desc, k.ranked_position desc
  limit 1
)
select (select task_id from shown) as "taskId",
  (select json_agg(json_build_object('studentId', r.student_id, 'setId', r.set_id, 'prior', r.prior, 'score', coalesce(r.decided_score, r.score))
                   order by r.student_id)
     from task_students r where r.school_id = $1 and r.task_id = (select task_id from shown) and not r.exempt) as students
`;
