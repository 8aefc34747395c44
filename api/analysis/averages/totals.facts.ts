import { ATTENDANCES } from '../../contract/attendance.ts';
import type { RunSql } from '../../common/facts.ts';
import {
  ATTENDANCE_PLACE,
  NOT_REMOVED,
  paperOf,
  STAFF_TOTAL,
  TOTAL_FLAGS,
  totalFlags,
  withRemoved,
} from '../../marks/staff-total.facts.ts';
import type { Sitting } from '../group.formula.ts';

/** A student's result in a test as far as averages need it. */
export type Result = Pick<Sitting, 'studentId' | 'attendance' | 'total' | 'flags'>;

/** Of everybody of the subject who has any in these tests, by test. */
export const resultsOf = async (query: RunSql, testIds: readonly string[]): Promise<ReadonlyMap<string, readonly Result[]>> => {
  const rows = testIds.length === 0 ? [] : await query<Row>(RESULTS, [testIds]);
  return new Map(
    rows.map(({ testId, students, totals, states }) => [
      testId,
      (students ?? []).map((studentId, index): Result => {
        const state = states?.[index] ?? 0;
        return {
          studentId,
          attendance: ATTENDANCES[state & 3] ?? 'sat',
          total: totals?.[index] ?? null,
          flags: totalFlags(state >> 2),
        };
      }),
    ]),
  );
};

type Row = {
  readonly testId: string;
  readonly students: readonly string[] | null;
  readonly totals: readonly (number | null)[] | null;
  readonly states: readonly number[] | null;
};

/** $1 school; $2 assessments. */
const RESULTS = `${withRemoved('$2::uuid[]')}
select t.test_id as "testId", c.*
from tests t
${paperOf('t.test_id')}
cross join lateral (
  select to_json(array_agg(m.student_id order by m.student_id)) as students, to_json(array_agg(m.total order by m.student_id)) as totals,
         to_json(array_agg(m.state order by m.student_id)) as states
    from (select m.student_id, ${STAFF_TOTAL} as total,
                 ${ATTENDANCE_PLACE}
                   + 4 * ${TOTAL_FLAGS} as state
            from markbook m
           where m.school_id = $1 and m.test_id = t.test_id and ${NOT_REMOVED} offset 0) m) c
where t.school_id = $1 and t.test_id = any($2::uuid[])`;
