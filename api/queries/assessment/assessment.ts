import { z } from 'zod';
import { inOrder } from '../../in-order.ts';
import { id } from '../../contract/fields.ts';
import type { AssessmentContents } from '../../contract/structure.ts';
import { mayReadSubject } from '../../actor.ts';
import { ProblemError } from '../../pipeline/problems.ts';
import { question } from '../query.ts';

/** One assessment for editing: its questions, with the number of marks and mappings of each. */
export const assessment = question({
  input: z.object({ testId: id }),
  models: ['structure', 'assessments', 'results', 'mappings'],
  async run(query, { testId }, actor): Promise<AssessmentContents> {
    const [test] = await query<{ subjectId: string }>(SUBJECT, [testId]);
    const [read] = test && mayReadSubject(actor, test.subjectId) ? await query<AssessmentContents>(ASSESSMENT, [testId]) : [];
    if (!read) throw new ProblemError('not-found', 'There is no such assessment.');
    return read;
  },
});

const SUBJECT = `select subject_id as "subjectId" from tests where school_id = $1 and test_id = $2`;

const ASSESSMENT = `
select t.test_id as "testId", t.name, t.visible, t.max,
  (select coalesce(json_agg(s.name order by ${inOrder('s.name')}), '[]') from sets s
    where s.school_id = $1 and s.subject_id = t.subject_id and not s.deleted and t.test_id = any(s.test_ids)) as sets,
  (select count(*)::int4 from markbook m
    where m.school_id = $1 and m.test_id = t.test_id and (m.total is not null or m.marks_count > 0)) as students,
  (select coalesce(json_agg(json_build_object(
            'questionId', q.question_id, 'number', q.number, 'topic', q.topic, 'marksAvailable', q.marks_available,
            'marks', (select count(*) from results r
                       where r.school_id = $1 and r.test_id = t.test_id and r.item_id = q.question_id and r.kind = 'm' and r.mark is not null),
            'mappings', coalesce((select cardinality(b.topic_ids) from question_maps b where b.school_id = $1 and b.question_id = q.question_id), 0)
              + (select count(*) from prerequisites p
                  where p.school_id = $1 and p.subject_id = t.subject_id and q.question_id = any(p.question_ids))
          ) order by q.number), '[]')
     from questions q where q.school_id = $1 and q.test_id = t.test_id and not q.hidden) as questions
from tests t
where t.school_id = $1 and t.test_id = $2`;
