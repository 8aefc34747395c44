import type { RunSql } from '../../common/facts.ts';
import { paperOf, STAFF_TOTAL } from '../../marks/staff-total.facts.ts';
import type { DatedUpload, ResultCell } from '../../school/sets/sat-on.rules.ts';
import { uploadOf } from '../../school/sets/sat-on.rules.ts';
import type { Membership } from '../averages.contract.ts';
import { setOn } from '../averages.contract.ts';

/**
 * In which set somebody sat a test, and on which day. That is not always the set of now: students move, and next year's sets are others.
 * `setId` null: off roll on that day.
 */
export type SatIn = { readonly setId: string | null; readonly day: string };
/** By test, then by student. Of whom no day is known nothing is there. */
export type DaysOfStudents = ReadonlyMap<string, ReadonlyMap<string, SatIn>>;

/**
 * A student sat a test with the set in which he was on the day of his own result (that of the upload by which it stands, else of his first
 * mark). The day is that set's, by the rule of the query `sat-on`: as somebody has said for the set, else as was said with the upload whose
 * totals count for most of its students, else the day (in UTC) of its first mark. Where the set's day is another than his own, it also decides
 * in which set he was.
 */
export const daysOfStudents = async (query: RunSql, subjectId: string, testIds: readonly string[]): Promise<DaysOfStudents> => {
  if (testIds.length === 0) return new Map();
  const values = [subjectId, testIds];
  const [said, first, uploads, memberships] = [
    await query<Said>(SAID, values, 'days-of-students-said'),
    await query<First>(FIRST_MARKS, values, 'days-of-students-first'),
    await query<UploadOfTests>(UPLOADS, values, 'days-of-students-uploads'),
    await query<Memberships>(MEMBERSHIPS, [subjectId], 'days-of-students-memberships'),
  ];
  const dated = [...new Set(uploads.flatMap((one) => one.testIds))];
  const cells = uploads.length === 0 ? [] : await query<CellOfTest>(CELLS, [dated], 'days-of-students-cells');
  const places = new Map(memberships.map((one) => [one.studentId, one.memberships]));
  const daysSaid = new Map(said.map(({ setId, testId, day }) => [`${setId} ${testId}`, day]));
  const cellsOfTests = groupedBy(cells, ({ testId }) => testId);
  const firstOfTests = groupedBy(first, ({ testId }) => testId);
  return new Map(
    testIds.map((testId) => {
      const theirs = uploads.filter((upload) => upload.testIds.includes(testId));
      const cellsOf = groupedBy(cellsOfTests.get(testId) ?? [], ({ studentId }) => studentId);
      const own = (firstOfTests.get(testId) ?? []).map(({ studentId, day }) => {
        const upload = theirs.length === 0 ? undefined : uploadOf(theirs, cellsOf.get(studentId) ?? []);
        return { studentId, first: day, day: upload?.satOn ?? day };
      });
      const ofSets = groupedBy(own, ({ studentId, day }) => setOn(places.get(studentId) ?? [], day) ?? '');
      return [
        testId,
        new Map(
          [...ofSets].flatMap(([setId, students]) => {
            const day =
              daysSaid.get(`${setId} ${testId}`) ??
              uploadOf(
                theirs,
                students.flatMap(({ studentId }) => cellsOf.get(studentId) ?? []),
              )?.satOn ??
              students.map((one) => one.first).reduce((a, b) => (a < b ? a : b));
            return students.map(({ studentId, day: theirDay }): [string, SatIn] =>
              setId === ''
                ? [studentId, { setId: null, day: theirDay }]
                : [studentId, { setId: setOn(places.get(studentId) ?? [], day), day }],
            );
          }),
        ),
      ];
    }),
  );
};

type Said = { readonly setId: string; readonly testId: string; readonly day: string };
type First = { readonly testId: string; readonly studentId: string; readonly day: string };
type UploadOfTests = DatedUpload & { readonly testIds: readonly string[] };
type CellOfTest = ResultCell & { readonly testId: string };
type Memberships = { readonly studentId: string; readonly memberships: readonly Membership[] };

const groupedBy = <One>(all: readonly One[], keyOf: (one: One) => string): ReadonlyMap<string, readonly One[]> => {
  const groups = new Map<string, One[]>();
  for (const one of all) {
    const group = groups.get(keyOf(one));
    if (group) group.push(one);
    else groups.set(keyOf(one), [one]);
  }
  return groups;
};

/** $1 school; $2 subject; $3 assessments. Of deleted sets too: last year's still sat it. */
const SAID = `
select s.set_id as "setId", d.key as "testId", d.value as day
from sets s
cross join lateral json_each_text(s.sat_on) d
where s.school_id = $1 and s.subject_id = $2 and d.key = any($3::text[])`;

/** What was typed offline counts by when it was typed; what was undone does not count. */
const FIRST_MARKS = `
select t.test_id as "testId", s.student_id as "studentId", to_char(min(coalesce(v.typed_at, v.at)) at time zone 'UTC', 'YYYY-MM-DD') as day
from saves v
cross join lateral unnest(v.test_ids) t (test_id)
cross join lateral unnest(v.student_ids) s (student_id)
where v.school_id = $1 and v.subject_id = $2 and not v.undone and v.test_ids && $3::uuid[] and t.test_id = any($3::uuid[])
group by t.test_id, s.student_id`;

const UPLOADS = `
select v.command_id as "commandId", to_char(v.sat_on, 'YYYY-MM-DD') as "satOn", v.file_name as "fileName", null as by, to_json(v.test_ids) as "testIds"
from saves v
where v.school_id = $1 and v.subject_id = $2 and not v.undone and v.sat_on is not null and v.test_ids && $3::uuid[]
order by v.position`;

/** $1 school; $2 subject. */
const MEMBERSHIPS = `
select e.student_id as "studentId", e.memberships from enrolments e where e.school_id = $1 and e.subject_id = $2`;

/** $1 school; $2 assessments. Totals; the marks of those who have none. */
const CELLS = `
select m.test_id as "testId", r.student_id as "studentId", ${STAFF_TOTAL} is not null as counts, r.cell
from markbook m
${paperOf('m.test_id')}
join results r on r.school_id = $1 and r.test_id = m.test_id and r.student_id = m.student_id and r.mark is not null
where m.school_id = $1 and m.test_id = any($2::uuid[])
  and case when m.total is not null then r.kind = 't' else r.kind = 'm' and r.item_id = any(paper.question_ids) end`;
