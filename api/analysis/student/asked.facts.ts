import type { RunSql } from '../../common/facts.ts';

/**
 * The questions on the papers of these visible assessments that somebody of the class has a mark for, or the student: what nobody of the
 * class has one for, it was not asked.
 */
export const askedOfClass = async (
  query: RunSql,
  setId: string | null,
  studentId: string,
  testIds: readonly string[],
): Promise<ReadonlySet<string>> => {
  if (testIds.length === 0) return new Set();
  const rows = await query<{ questionId: string }>(ASKED, [setId, studentId, testIds]);
  return new Set(rows.map(({ questionId }) => questionId));
};

/** $1 school; $2 class; $3 student; $4 assessments. Looked up by their keys, and mostly found with the first of the class (offset 0 keeps it so). */
const ASKED = `
with class as materialized (
  select e.student_id from enrolments e where e.school_id = $1 and e.set_id = $2
  union select $3::uuid
)
select q.question_id as "questionId"
from tests t
join questions q on q.school_id = $1 and q.test_id = t.test_id and not q.hidden
where t.school_id = $1 and t.test_id = any($4::uuid[]) and t.visible and (
  exists (select from class c
           cross join lateral (select from results r
             where r.school_id = $1 and r.test_id = q.test_id and r.student_id = c.student_id and r.kind = 'm' and r.item_id = q.question_id
               and r.mark is not null offset 0) r)
  or exists (select from class c
              cross join lateral (select o.confirmations from submissions o
                where o.school_id = $1 and o.test_id = q.test_id and o.student_id = c.student_id offset 0) o
              where o.confirmations -> -1 -> 'marks' ->> q.question_id::text is not null))`;
