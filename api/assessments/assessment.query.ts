import { inOrder } from '../common/in-order.ts';
import type { AssessmentContents, Questions } from './assessments.contract.ts';
import { mappingsOf, OWN_MARKS } from '../marks/entered.facts.ts';
import { theRow } from '../common/facts.ts';
import { defineQuery } from '../common/query.ts';
import { assessmentQueries } from './assessments.contract.ts';

/** One assessment for editing: its questions, with the number of marks and mappings of each. */
export const assessment = defineQuery({
  ...assessmentQueries.assessment,
  models: ['structure', 'assessments', 'results', 'mappings'],
  marks: 'assessment',
  run: async (query, { testId }): Promise<AssessmentContents> => theRow(await query<AssessmentContents>(ASSESSMENT, [testId])),
});

/** The questions of each of a subject's assessments. */
export const questions = defineQuery({
  ...assessmentQueries.questions,
  models: ['structure', 'assessments'],
  run: async (query, { subjectId }): Promise<Questions> => ({ tests: await query<Questions['tests'][number]>(QUESTIONS, [subjectId]) }),
});

const QUESTIONS = `
select t.test_id as "testId",
  (select coalesce(json_agg(json_build_object('questionId', q.question_id, 'number', q.number, 'topic', q.topic,
            'marksAvailable', q.marks_available) order by q.number), '[]')
     from questions q where q.school_id = $1 and q.test_id = t.test_id and not q.hidden) as questions
from tests t
where t.school_id = $1 and t.subject_id = $2
order by t.test_id`;

const HELD = `json_build_object('questionId', q.question_id, 'number', q.number, 'topic', q.topic, 'marksAvailable', q.marks_available,
            'marks', q.marks, 'mappings', q.mappings, 'removedAt', case when q.hidden then to_json(q.removed_at) #>> '{}' end)`;

const ASSESSMENT = `
with held as materialized (
  select q.*, ${mappingsOf('q.question_id', 't.subject_id')} as mappings,
         coalesce(own.marks, 0) + (select count(*)::int4 from results r
           where r.school_id = $1 and r.test_id = $2 and r.item_id = q.question_id and r.kind = 'm' and r.mark is not null) as marks
    from tests t join questions q using (school_id, test_id)
    left join (select own.question_id, count(*)::int4 as marks from submissions o ${OWN_MARKS}
                where o.school_id = $1 and o.test_id = $2 group by own.question_id) own using (question_id)
   where t.school_id = $1 and t.test_id = $2
)
select t.test_id as "testId", t.name, t.visible, t.max,
  (select coalesce(json_agg(s.name order by ${inOrder('s.name')}), '[]') from sets s
    where s.school_id = $1 and s.subject_id = t.subject_id and not s.deleted and t.test_id = any(s.test_ids)) as sets,
  (select count(*)::int4 from markbook m
    where m.school_id = $1 and m.test_id = t.test_id and (m.total is not null or m.effective_count > 0)) as students,
  (select coalesce(json_agg(${HELD} order by q.number) filter (where not q.hidden), '[]') from held q) as questions,
  (select coalesce(json_agg(${HELD} order by q.removed_at desc, q.number) filter (where q.hidden and (q.marks > 0 or q.mappings > 0)), '[]')
     from held q) as removed
from tests t
where t.school_id = $1 and t.test_id = $2`;
