import type { StoredCell } from '../../../events/marks/cell-text.ts';
import type { RunSql } from '../../common/facts.ts';
import { paperOf, STAFF_TOTAL } from '../../marks/staff-total.facts.ts';
import type { DatedUpload, StandingResult } from './sat-on.rules.ts';
import { standsBy } from './sat-on.rules.ts';

/** A student's result with the day (in UTC) of the first mark. What was typed offline counts by when it was typed. */
export type FirstResult = StandingResult & { readonly studentId: string; readonly first: string };
/** Of an assessment: its uploads that say a day, in the order of the log, and everybody whose marks were ever saved and not undone. */
export type FirstResults = { readonly uploads: readonly DatedUpload[]; readonly students: readonly FirstResult[] };

/** By assessment; those without any save are not there. `studentIds` null: of everybody. */
export const firstResults = async (
  query: RunSql,
  subjectId: string,
  testIds: readonly string[],
  studentIds: readonly string[] | null = null,
): Promise<ReadonlyMap<string, FirstResults>> => {
  if (testIds.length === 0) return new Map();
  const values = [subjectId, [...new Set(testIds)]];
  const [uploads, rows] = [await query<UploadOfTests>(UPLOADS, values), await query<Row>(RESULTS, [...values, studentIds])];
  // Between the two an upload may have been undone: its position leads nowhere then.
  const uploadAt = new Map(uploads.map((upload) => [upload.position, upload]));
  return new Map(
    rows.map(({ testId, students, days, counts, positions, cells }) => {
      const theirs = uploads.filter((upload) => upload.testIds.includes(testId));
      const resultOf = (studentId: string, index: number): FirstResult => {
        const ofStudent = cells?.[studentId];
        return {
          studentId,
          first: days[index] ?? '',
          counts: counts[index] ?? false,
          upload: ofStudent ? standsBy(theirs, ofStudent) : uploadAt.get(positions[index] ?? ''),
        };
      };
      return [testId, { uploads: theirs, students: students.map(resultOf) }];
    }),
  );
};

/** `position`: in the log. */
type UploadOfTests = DatedUpload & { readonly position: string; readonly testIds: readonly string[] };
type Row = {
  readonly testId: string;
  readonly students: readonly string[];
  /** The next three are parallel to the students. */
  readonly days: readonly string[];
  readonly counts: readonly boolean[];
  /** Of the upload by which the result stands. */
  readonly positions: readonly (string | null)[];
  /** By student, where these have to say it. */
  readonly cells: Readonly<Record<string, readonly StoredCell[]>> | null;
};

/** $1 school; $2 subject; $3 assessments. What was undone does not count. */
const SAVES = `
saves v
where v.school_id = $1 and v.subject_id = $2 and not v.undone and v.test_ids && $3::uuid[]`;

const UPLOADS = `
select v.command_id as "commandId", v.position::text, to_char(v.sat_on, 'YYYY-MM-DD') as "satOn", v.file_name as "fileName", null as by, to_json(v.test_ids) as "testIds"
from ${SAVES} and v.sat_on is not null
order by v.position`;

/**
 * The same; $4 students, or null. A result that counts was entered by a save that names its student and assessment. Nearly always there is one
 * such save; otherwise the cells say which it was: that of the total, or those of the marks where there is no total.
 */
const RESULTS = `
with standing as materialized (
  select v.test_ids, v.student_ids, coalesce(v.typed_at, v.at) as entered, case when v.sat_on is not null then v.position end as dated
    from ${SAVES}
),
saved as materialized (
  select t.test_id, s.student_id, (min(v.entered) at time zone 'UTC')::date as first, count(*) as saves, max(v.dated) as dated
    from standing v
    cross join lateral unnest(v.test_ids) t (test_id)
    cross join lateral unnest(v.student_ids) s (student_id)
   where t.test_id = any($3::uuid[]) and ($4::uuid[] is null or s.student_id = any($4::uuid[]))
   group by t.test_id, s.student_id
),
known as materialized (
  select m.test_id, m.student_id, ${STAFF_TOTAL} is not null as counts, m.total is not null as has_total,
         m.total is not null or m.marks_count > 0 as has_result
    from unnest($3::uuid[]) t (test_id)
    ${paperOf('t.test_id')}
    cross join lateral (
      select * from markbook m
       where m.school_id = $1 and m.test_id = t.test_id and ($4::uuid[] is null or m.student_id = any($4::uuid[])) offset 0) m
)
select f.test_id as "testId", to_json(array_agg(f.student_id)) as students, to_json(array_agg(f.first)) as days,
  to_json(array_agg(coalesce(m.counts, false))) as counts, to_json(array_agg(case when m.has_result then f.dated::text end)) as positions,
  json_object_agg(f.student_id, (
    select coalesce(json_agg(r.cell), '[]')
      from results r
      left join papers p on p.school_id = $1 and p.test_id = r.test_id
     where r.school_id = $1 and r.test_id = f.test_id and r.student_id = f.student_id and r.mark is not null
       and case when m.has_total then r.kind = 't' else r.kind = 'm' and r.item_id = any(p.question_ids) end)
  ) filter (where f.saves > 1 and f.dated is not null) as cells
from saved f
left join known m on m.test_id = f.test_id and m.student_id = f.student_id
group by f.test_id`;
