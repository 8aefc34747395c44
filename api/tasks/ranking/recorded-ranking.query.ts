import { defineQuery } from '../../common/query.ts';
import { theRow } from '../../common/facts.ts';
import type { RecordedRanking } from './recorded-ranking.contract.ts';
import { recordedQueries } from './recorded-ranking.contract.ts';

/** What was sent of a ranking that was made elsewhere. */
export const recordedRanking = defineQuery({
  ...recordedQueries['recorded-ranking'],
  models: ['structure', 'tasks'],
  async run(query, { taskId, setId }): Promise<RecordedRanking> {
    return { taskId, ...theRow(await query<Pick<RecordedRanking, 'rows'>>(READ, [taskId, setId ?? null])) };
  },
});

/** $1 school; $2 task; $3 class. */
const READ = `
select
  (select coalesce(json_agg(json_build_object('studentId', r.student_id, 'setId', r.set_id, 'testIds', r.test_ids, 'ranking', r.ranking,
            'score', r.score, 'grade', r.grade, 'teacherRank', r.teacher_rank, 'flag', r.flag, 'comment', r.comment)
            order by r.ranking nulls last, r.student_id), '[]')
     from task_recorded r
    where r.school_id = $1 and r.task_id = k.task_id and ($3::uuid is null or r.set_id = $3)) as rows
from feedback_tasks k
where k.school_id = $1 and k.task_id = $2`;
