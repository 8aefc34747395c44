import type { RunSql } from '../../common/facts.ts';
import { paperOf, STAFF_TOTAL } from '../../marks/staff-total.facts.ts';
import type { DatedUpload, ResultCell } from './sat-on.rules.ts';
import { uploadOf } from './sat-on.rules.ts';

type Asked = { readonly subjectId: string; readonly setIds: readonly string[]; readonly testIds: readonly string[] };
/** By set, then by assessment. A day that nobody says, with no mark, is not there. */
export type DaysSat = ReadonlyMap<string, ReadonlyMap<string, string>>;

/**
 * On which day each of these sets sat each of these assessments, all at once, by the rule of the query `sat-on`: as somebody has said for the
 * set, else as was said with the upload whose totals count for most of its students, else the day (in UTC) of its first mark.
 */
export const daysSat = async (query: RunSql, { subjectId, setIds, testIds }: Asked): Promise<DaysSat> => {
  if (setIds.length === 0 || testIds.length === 0) return new Map();
  const values = [subjectId, setIds, testIds];
  const [said, first, uploads] = [
    await query<Day>(SAID, values, 'days-said'),
    await query<Day>(FIRST_MARKS, values, 'days-first'),
    await query<UploadOfSets>(UPLOADS, values, 'days-uploads'),
  ];
  const cells =
    uploads.length === 0 ? [] : await query<CellOfSet>(CELLS, [setIds, [...new Set(uploads.flatMap((one) => one.testIds))]], 'days-cells');
  const days = new Map<string, Map<string, string>>();
  const say = ({ setId, testId, day }: Day): unknown => {
    const ofSet = days.get(setId) ?? new Map<string, string>();
    days.set(setId, ofSet);
    return ofSet.set(testId, day);
  };
  first.forEach(say);
  saidWithUploads(uploads, cells).forEach(say);
  said.forEach(say);
  return days;
};

type Day = { readonly setId: string; readonly testId: string; readonly day: string };
/** `setIds`: the sets of the students in it. */
type UploadOfSets = DatedUpload & { readonly setIds: readonly string[]; readonly testIds: readonly string[] };
type CellOfSet = ResultCell & { readonly setId: string; readonly testId: string };

const saidWithUploads = (uploads: readonly UploadOfSets[], cells: readonly CellOfSet[]): readonly Day[] => {
  const together = new Map<string, { readonly setId: string; readonly testId: string; readonly cells: CellOfSet[] }>();
  for (const cell of cells) {
    const { setId, testId } = cell;
    const key = `${setId} ${testId}`;
    const one = together.get(key) ?? { setId, testId, cells: [] };
    together.set(key, one);
    one.cells.push(cell);
  }
  return [...together.values()].flatMap(({ setId, testId, cells: ofSet }) => {
    const theirs = uploads.filter((upload) => upload.setIds.includes(setId) && upload.testIds.includes(testId));
    const upload = uploadOf(theirs, ofSet);
    return upload ? [{ setId, testId, day: upload.satOn }] : [];
  });
};

/** $1 school; $2 subject (here for a like order); $3 sets; $4 assessments. */
const SAID = `
select s.set_id as "setId", d.key as "testId", d.value as day
from sets s
cross join lateral json_each_text(s.sat_on) d
where s.school_id = $1 and s.subject_id = $2 and s.set_id = any($3::uuid[]) and d.key = any($4::text[])`;

/** What was typed offline counts by when it was typed; what was undone does not count. */
const FIRST_MARKS = `
select e.set_id as "setId", t.test_id as "testId", to_char(min(coalesce(v.typed_at, v.at)) at time zone 'UTC', 'YYYY-MM-DD') as day
from saves v
cross join lateral unnest(v.test_ids) t (test_id)
cross join lateral unnest(v.student_ids) s (student_id)
join enrolments e on e.school_id = $1 and e.subject_id = $2 and e.student_id = s.student_id and e.set_id = any($3::uuid[])
where v.school_id = $1 and v.subject_id = $2 and not v.undone and t.test_id = any($4::uuid[])
group by e.set_id, t.test_id`;

const UPLOADS = `
select v.command_id as "commandId", to_char(v.sat_on, 'YYYY-MM-DD') as "satOn", v.file_name as "fileName", null as by,
  to_json(v.test_ids) as "testIds",
  array_to_json(array(select distinct e.set_id from enrolments e
                       where e.school_id = $1 and e.subject_id = $2 and e.set_id = any($3::uuid[]) and e.student_id = any(v.student_ids))) as "setIds"
from saves v
where v.school_id = $1 and v.subject_id = $2 and not v.undone and v.sat_on is not null and v.test_ids && $4::uuid[]
order by v.position`;

/** $1 school; $2 sets; $3 assessments. The totals of the sets' students; the marks of those who have none. */
const CELLS = `
select e.set_id as "setId", m.test_id as "testId", r.student_id as "studentId", ${STAFF_TOTAL} is not null as counts, r.cell
from enrolments e
join markbook m on m.school_id = $1 and m.test_id = any($3::uuid[]) and m.student_id = e.student_id
${paperOf('m.test_id')}
join results r on r.school_id = $1 and r.test_id = m.test_id and r.student_id = e.student_id and r.mark is not null
where e.school_id = $1 and e.set_id = any($2::uuid[])
  and case when m.total is not null then r.kind = 't' else r.kind = 'm' and r.item_id = any(paper.question_ids) end`;
