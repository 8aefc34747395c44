import type { RunSql } from '../common/facts.ts';
import type { Paper } from './analysis.contract.ts';

/** Of assessments that are there: deleted ones are left out. */
export const papersOf = async (query: RunSql, testIds: readonly string[]): Promise<ReadonlyMap<string, Paper>> => {
  const papers = testIds.length === 0 ? [] : await query<Paper>(PAPERS, [testIds]);
  return new Map(papers.map((paper) => [paper.testId, paper]));
};

/** $1 school; $2 assessments. */
const PAPERS = `
select t.test_id as "testId", t.name, t.max,
  (select coalesce(json_agg(json_build_object('questionId', q.question_id, 'number', q.number, 'topic', q.topic, 'max', q.marks_available)
                            order by q.number), '[]')
     from questions q where q.school_id = $1 and q.test_id = t.test_id and not q.hidden) as questions
from tests t
where t.school_id = $1 and t.test_id = any($2::uuid[])`;
