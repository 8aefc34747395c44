import type { Attendance } from '../../contract/attendance.ts';
import type { Actor } from '../../actor.ts';
import { noSuch } from '../../common/about.ts';
import type { RunSql } from '../../common/facts.ts';
import { OF_STUDENT, seenBy, studentOf } from '../../common/of-student.ts';
import { ATTENDANCE, EVERY_QUESTION_MARKED, SAT, STAFF_TOTAL, TOTAL_FLAGS, paperOf } from '../../marks/staff-total.facts.ts';
import { CONFIRMED_TOTAL } from '../../marks/submissions/submission.facts.ts';
import type { Thresholds } from '../topics.formula.ts';
import { DEFAULT_THRESHOLDS } from '../topics.formula.ts';

/** A student in a subject. */
export type StudentPlace = {
  readonly studentId: string;
  readonly subjectId: string;
  readonly subject: string;
  readonly set: { readonly setId: string; readonly name: string } | null;
  readonly schemeId: string | null;
  readonly thresholds: Thresholds;
};

/** @throws ProblemError `not-found`: the student is not in this subject, or not where the user may see them */
export const placeOf = async (query: RunSql, actor: Actor, subjectId: string): Promise<StudentPlace> => {
  const studentId = studentOf(actor);
  const [row] = await query<Omit<StudentPlace, 'thresholds' | 'studentId'> & { thresholds: Thresholds | null }>(PLACE, [
    studentId,
    ...seenBy(actor),
    subjectId,
  ]);
  if (!row) throw noSuch('subject');
  return { ...row, studentId, thresholds: row.thresholds ?? DEFAULT_THRESHOLDS };
};

/** A visible assessment of the student's class, or one in which they have done something. */
export type OwnTest = {
  readonly testId: string;
  readonly name: string;
  readonly max: number | null;
  readonly attendance: Attendance;
  readonly total: number | null;
  /** of the total, as `totalFlags` reads them */
  readonly flags: number;
  readonly confirmedTotal: number | null;
  /** of the staff's marks, if every question has one */
  readonly staffMarksTotal: number | null;
  /** marks that count */
  readonly marked: number;
  readonly day: string | null;
  /** of the class, as students are shown them */
  readonly classTotals: readonly number[] | null;
};

/** `testId`: only this one. The newest first. */
export const ownTests = (
  query: RunSql,
  { studentId, subjectId, set }: Pick<StudentPlace, 'studentId' | 'subjectId' | 'set'>,
  testId?: string,
): Promise<readonly OwnTest[]> => query<OwnTest>(TESTS, [studentId, subjectId, set?.setId ?? null, testId ?? null]);

/** What students are shown of the totals of a class in a test: in ascending order, of a snapshot. */
export const shownTotals = async (query: RunSql, setId: string, testId: string): Promise<readonly number[]> => {
  const [row] = await query<{ totals: readonly number[] }>(
    `select to_json(a.totals) as totals from shown_classes a where a.school_id = $1 and a.test_id = $2 and a.set_id = $3`,
    [testId, setId],
  );
  return row?.totals ?? [];
};

/** The subject of an assessment that students see. @throws ProblemError `not-found` */
export const subjectOfShown = async (query: RunSql, testId: string): Promise<string> => {
  const [row] = await query<{ subjectId: string }>(
    `select t.subject_id as "subjectId" from tests t where t.school_id = $1 and t.test_id = $2 and t.visible`,
    [testId],
  );
  if (!row) throw noSuch('assessment');
  return row.subjectId;
};

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

/** $5 subject. */
const PLACE = `
select e.subject_id as "subjectId", b.name as subject, s.scheme_id as "schemeId",
  case when s.set_id is not null then json_build_object('setId', s.set_id, 'name', s.name) end as set,
  case when s.set_id is not null then json_build_object('red', s.red, 'amber', s.amber, 'green', s.green) end as thresholds
from enrolments e
join subjects b on b.school_id = $1 and b.subject_id = e.subject_id
left join sets s on s.school_id = $1 and s.set_id = e.set_id and not s.deleted
where ${OF_STUDENT} and e.subject_id = $5 and e.state <> 'removed'`;

/** $1 school; $2 student; $3 subject; $4 class; $5 assessment. */
const TESTS = `
select t.test_id as "testId", t.name, t.max, ${ATTENDANCE} as attendance, ${STAFF_TOTAL} as total, ${TOTAL_FLAGS} as flags,
  ${CONFIRMED_TOTAL} as "confirmedTotal",
  case when ${SAT} and ${EVERY_QUESTION_MARKED} then m.marks_sum end as "staffMarksTotal",
  case when ${SAT} then coalesce(m.effective_count, 0) else 0 end as marked,
  coalesce(s.sat_on ->> t.test_id::text, c.totals -> t.test_id::text ->> 'day') as day, to_json(a.totals) as "classTotals"
from tests t
${paperOf('t.test_id')}
left join markbook m on m.school_id = $1 and m.test_id = t.test_id and m.student_id = $2
left join submissions o on o.school_id = $1 and o.test_id = t.test_id and o.student_id = $2
left join sets s on s.school_id = $1 and s.set_id = $4
left join class_students c on c.school_id = $1 and c.subject_id = $3 and c.student_id = $2
left join shown_classes a on a.school_id = $1 and a.test_id = t.test_id and a.set_id = $4
where t.school_id = $1 and t.subject_id = $3 and t.visible and ($5::uuid is null or t.test_id = $5)
  and (t.test_id = any(s.test_ids) or m.total is not null or m.effective_count > 0 or m.submitted)
order by 10 desc nulls last, t.name, t.test_id`;

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
