import { paperOf, STAFF_TOTAL, TOTAL_FLAGS } from '../../marks/staff-total.facts.ts';

/**
 * SQL of the flags of totals, with the columns `student_id`, `test_id` and `flag`:
 * - a contested attendance, also where no total counts;
 * - a contested total, or one above the maximum, only where there is a total;
 * - none of a deleted assessment, where nobody can decide any more.
 * @param ids SQL of the ids of students and assessments, as arrays; $1 is the school
 */
export const flaggedTotalsOf = ({ students, tests }: Readonly<Record<'students' | 'tests', string>>): string => `
  select m.student_id, t.test_id, open.flag
  from tests t
  ${paperOf('t.test_id')}
  cross join lateral (
    select * from markbook m where m.school_id = $1 and m.test_id = t.test_id and m.student_id = any(${students}) offset 0) m
  cross join lateral (select ${TOTAL_FLAGS} as flags, ${STAFF_TOTAL} as total) f
  cross join lateral (
    select 'contested' as flag where f.flags & 1 > 0
    union all
    select 'contested-attendance' where f.flags & 2 > 0
    union all
    select 'above-maximum' where f.flags & 4 > 0 and f.total is not null
  ) open
  where t.school_id = $1 and t.test_id = any(${tests})`;

/** The same as a JSON array of `FlaggedTotal`, always in the same order. */
export const flaggedTotalsJson = (ids: Readonly<Record<'students' | 'tests', string>>): string => `
  (select coalesce(json_agg(json_build_object('studentId', f.student_id, 'testId', f.test_id, 'flag', f.flag)
                            order by f.student_id, f.test_id, f.flag), '[]')
     from (${flaggedTotalsOf(ids)}) f)`;

/** SQL, bool: whether student `e` has a staff total in test `x`. */
export const HAS_TOTAL = `
exists (select from markbook m ${paperOf('m.test_id')}
         where m.school_id = $1 and m.test_id = x.test_id and m.student_id = e.student_id and ${STAFF_TOTAL} is not null)`;
