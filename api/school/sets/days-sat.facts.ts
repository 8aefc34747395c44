import type { RunSql } from '../../common/facts.ts';
import { firstResults } from './first-results.facts.ts';
import { uploadOf } from './sat-on.rules.ts';

type Asked = { readonly subjectId: string; readonly setIds: readonly string[]; readonly testIds: readonly string[] };
/** By set, then by assessment. Left out: no date was given and there is no mark. */
export type DaysSat = ReadonlyMap<string, ReadonlyMap<string, string>>;

/**
 * The day on which each of these sets sat each of these assessments, by the rule of the query `sat-on`: the date given for the set, else that of
 * the upload whose totals count for most of its students, else the day (in UTC) of its first mark.
 */
export const daysSat = async (query: RunSql, { subjectId, setIds, testIds }: Asked): Promise<DaysSat> => {
  if (setIds.length === 0 || testIds.length === 0) return new Map();
  const values = [subjectId, setIds, testIds];
  const [dated, members] = [await query<Day>(SAID, values), await query<Member>(MEMBERS, [subjectId, setIds])];
  const setOf = new Map(members.map(({ studentId, setId }) => [studentId, setId]));
  const results = await firstResults(query, subjectId, testIds, [...setOf.keys()]);
  const days = new Map(setIds.map((setId) => [setId, new Map<string, string>()]));
  for (const [testId, { uploads, students }] of results)
    for (const [setId, theirs] of Map.groupBy(students, ({ studentId }) => setOf.get(studentId) ?? '')) {
      const day = uploadOf(uploads, theirs)?.satOn ?? theirs.map(({ first }) => first).reduce((a, b) => (a < b ? a : b));
      days.get(setId)?.set(testId, day);
    }
  for (const { setId, testId, day } of dated) days.get(setId)?.set(testId, day);
  return days;
};

type Day = { readonly setId: string; readonly testId: string; readonly day: string };
type Member = { readonly setId: string; readonly studentId: string };

/** $1 school; $2 subject (here for a like order); $3 sets; $4 assessments. */
const SAID = `
select s.set_id as "setId", d.key as "testId", d.value as day
from sets s
cross join lateral json_each_text(s.sat_on) d
where s.school_id = $1 and s.subject_id = $2 and s.set_id = any($3::uuid[]) and d.key = any($4::text[])`;

/** $1 school; $2 subject; $3 sets. */
const MEMBERS = `
select e.set_id as "setId", e.student_id as "studentId"
from enrolments e
where e.school_id = $1 and e.subject_id = $2 and e.set_id = any($3::uuid[])`;
