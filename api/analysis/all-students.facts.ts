import type { RunSql } from '../common/facts.ts';
import type { Open } from '../contract/flags.ts';
import { NOT_REMOVED, SAT, STAFF_TOTAL, TOTAL_FLAGS, paperOf, withRemoved } from '../marks/staff-total.facts.ts';
import type { Sums } from './items.formula.ts';

/** A question of all students: whoever left it out counts 0. A question without any mark is not there. */
export type QuestionOfAll = Open & { readonly questionId: string; readonly sum: number; readonly squares: number };
/**
 * "All students" of a test: everybody of the subject who sat it, in whatever year group, off roll or not, but not removed, added up.
 * `totals`: of the marks that count, of the `n` students who have any. `average`: of the staff totals, in marks.
 */
export type OfAll = {
  readonly totals: Sums;
  readonly questions: ReadonlyMap<string, QuestionOfAll>;
  readonly average: Open & { readonly n: number; readonly sum: number };
};

export const allStudents = async (query: RunSql, testIds: readonly string[]): Promise<ReadonlyMap<string, OfAll>> => {
  if (testIds.length === 0) return new Map();
  const [tests, questions] = [await query<Test>(TESTS, [testIds]), await query<Question>(QUESTIONS, [testIds])];
  const byTest = Map.groupBy(questions, ({ testId }) => testId);
  return new Map(
    tests.map(({ testId, average, ...totals }): [string, OfAll] => {
      const ofTest = (byTest.get(testId) ?? []).map(({ testId: _, ...question }) => [question.questionId, question] as const);
      return [testId, { totals, questions: new Map(ofTest), average }];
    }),
  );
};

type Test = Sums & { readonly testId: string; readonly average: OfAll['average'] };
type Question = QuestionOfAll & { readonly testId: string };

/** Sums of whole marks fit a double exactly. $1 school; $2 assessments. */
const TESTS = `${withRemoved('$2::uuid[]')}
select t.test_id as "testId", c.*
from tests t
${paperOf('t.test_id')}
cross join lateral (
  select count(*) filter (where marked)::int4 as n, coalesce(sum(effective_sum) filter (where marked), 0)::float8 as sum,
         coalesce(sum(effective_sum::int8 * effective_sum) filter (where marked), 0)::float8 as squares,
         json_build_object('n', count(total), 'sum', coalesce(sum(total), 0), 'contested', count(*) filter (where flags & 3 > 0),
                           'aboveMaximum', count(total) filter (where flags & 4 > 0)) as average
    from (select m.effective_sum, ${SAT} and m.effective_count > 0 as marked, ${STAFF_TOTAL} as total,
                 ${TOTAL_FLAGS} as flags
            from markbook m
           where m.school_id = $1 and m.test_id = t.test_id and ${NOT_REMOVED} offset 0) m) c
where t.school_id = $1 and t.test_id = any($2::uuid[])`;

/** Joins `max`, unless the question is off the paper. */
const onPaper = (questionId: string): string => `
    cross join lateral (
      select q.marks_available as max from questions q
       where q.school_id = $1 and q.question_id = ${questionId} and not q.hidden offset 0) q`;

/**
 * The same. A student's own mark counts where staff have entered none. The tallies are of everybody; the marks of the few who do not count are
 * taken off again (`n` of -1), looked up by their key (offset 0 keeps it so).
 */
const QUESTIONS = `${withRemoved('$2::uuid[]')},
left_out as materialized (
  select m.test_id, m.student_id, m.submitted
    from markbook m
   where m.school_id = $1 and m.test_id = any($2::uuid[]) and (not ${SAT} or m.effective_count = 0 or not ${NOT_REMOVED})
),
tally as materialized (
  select y.*, q.max from tallies y ${onPaper('y.item_id')} where y.school_id = $1 and y.test_id = any($2::uuid[])
),
marked as (
  select y.test_id, y.item_id, y.max, c.mark, false as contested, c.students::int8 as n
    from tally y
    cross join lateral unnest(y.marks, y.students) c (mark, students)
  union all
  select y.test_id, y.item_id, y.max, null, true, y.contested from tally y where y.contested > 0
  union all
  select m.test_id, r.item_id, q.max, r.mark, r.contested, -1
    from left_out m
    cross join lateral (
      select r.item_id, r.mark, r.contested
        from results r
       where r.school_id = $1 and r.test_id = m.test_id and r.student_id = m.student_id and r.kind = 'm'
         and (r.mark is not null or r.contested) offset 0) r${onPaper('r.item_id')}
  union all
  select m.test_id, own.key::uuid, q.max, own.value::int4, false, -1
    from left_out m
    cross join lateral (
      select o.confirmations -> -1 -> 'marks' as marks
        from submissions o where o.school_id = $1 and o.test_id = m.test_id and o.student_id = m.student_id offset 0) o
    cross join lateral json_each_text(o.marks) own${onPaper('own.key::uuid')}
   where m.submitted
     and not exists (
       select from results r
        where r.school_id = $1 and r.test_id = m.test_id and r.student_id = m.student_id and r.kind = 'm' and r.item_id = own.key::uuid
          and r.mark is not null offset 0)
)
select k.test_id as "testId", k.item_id as "questionId", sum(k.n * k.mark)::float8 as sum, sum(k.n * k.mark * k.mark)::float8 as squares,
       coalesce(sum(k.n) filter (where k.contested), 0)::int4 as contested,
       coalesce(sum(k.n) filter (where k.mark > k.max), 0)::int4 as "aboveMaximum"
  from marked k
 group by k.test_id, k.item_id
having sum(k.n) filter (where k.mark is not null) > 0`;
