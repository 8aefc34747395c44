import type { RunSql } from '../../common/facts.ts';
import { firstResults } from '../../school/sets/first-results.facts.ts';
import { uploadOf } from '../../school/sets/sat-on.rules.ts';
import type { Membership } from '../averages.formula.ts';
import { setOn } from '../averages.formula.ts';

/**
 * In which set somebody sat a test, and on which day. That is not always the set of now: students move, and next year's sets are others.
 * `setId` null: off roll on that day.
 */
export type SatIn = { readonly setId: string | null; readonly day: string };
/** By test, then by student. Of whom no day is known nothing is there. */
export type DaysOfStudents = ReadonlyMap<string, ReadonlyMap<string, SatIn>>;

/**
 * A student sat a test with the set in which they were on the day of their own result (that of the upload by which it stands, else of their first
 * mark). The day is that set's, by the rule of the query `sat-on`: the one stated for the set, else the one stated with the upload whose totals
 * count for most of its students, else the day (in UTC) of its first mark. Where it differs from the student's own, it also decides in which set
 * they were.
 */
export const daysOfStudents = async (query: RunSql, subjectId: string, testIds: readonly string[]): Promise<DaysOfStudents> => {
  if (testIds.length === 0) return new Map();
  const [statedDays, memberships, results] = [
    await query<StatedDay>(STATED_DAYS, [subjectId, testIds]),
    await query<Memberships>(MEMBERSHIPS, [subjectId]),
    await firstResults(query, subjectId, testIds),
  ];
  const places = new Map(memberships.map((one) => [one.studentId, one.memberships]));
  const dayOf = new Map(statedDays.map(({ setId, testId, day }) => [`${setId} ${testId}`, day]));
  return new Map(
    [...results].map(([testId, { uploads, students }]) => {
      const ofSets = Map.groupBy(
        students,
        ({ studentId, first, upload }) => setOn(places.get(studentId) ?? [], upload?.satOn ?? first) ?? '',
      );
      return [
        testId,
        new Map(
          [...ofSets].flatMap(([setId, theirs]) => {
            if (setId === '')
              return theirs.map(({ studentId, first, upload }) => [studentId, { setId: null, day: upload?.satOn ?? first }] as const);
            const day =
              dayOf.get(`${setId} ${testId}`) ??
              uploadOf(uploads, theirs)?.satOn ??
              theirs.map(({ first }) => first).reduce((a, b) => (a < b ? a : b));
            return theirs.map(({ studentId }) => [studentId, { setId: setOn(places.get(studentId) ?? [], day), day }] as const);
          }),
        ),
      ];
    }),
  );
};

type StatedDay = { readonly setId: string; readonly testId: string; readonly day: string };
type Memberships = { readonly studentId: string; readonly memberships: readonly Membership[] };

/** $1 school; $2 subject; $3 assessments. Of deleted sets too: last year's still sat it. */
const STATED_DAYS = `
select s.set_id as "setId", d.key as "testId", d.value as day
from sets s
cross join lateral json_each_text(s.sat_on) d
where s.school_id = $1 and s.subject_id = $2 and d.key = any($3::text[])`;

/** $1 school; $2 subject. */
const MEMBERSHIPS = `
select e.student_id as "studentId", e.memberships from enrolments e where e.school_id = $1 and e.subject_id = $2`;
