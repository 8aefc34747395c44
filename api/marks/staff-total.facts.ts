import { AWAYS } from '../contract/attendance.ts';
import type { TotalFlag } from '../contract/total-flag.ts';

/**
 * The staff total of a student in a test, by which markbook, sheet, ranking, tasks and submissions go: the total entered by staff, else the
 * sum of the staff's question marks if every question has one; never the student's own marks. A contested total is the value that counts
 * until somebody decides. A question that was taken off the paper neither needs a mark nor adds one; without any question nothing is
 * complete. Nobody who is absent or exempt has a staff total, whatever was entered.
 *
 * As SQL of a row `m` of the table `markbook` and the `paper` of its test, both of which may be outer joined: without the row there is no
 * total, without the paper none but the one entered.
 */

/**
 * Joins `paper`: the `question_ids` on the paper of a test, and how many `questions` these are. They are those of the read model that counts
 * the marks, and not the rows of `questions`: another read model keeps these, and while one of the two is behind, marks of one paper would
 * be held against the number of another. It is looked up by its key (offset 0 keeps it so).
 * @param testId SQL; $1 is the school
 */
export const paperOf = (testId: string): string => `
  left join lateral (
    select p.question_ids, cardinality(p.question_ids) as questions
      from papers p where p.school_id = $1 and p.test_id = ${testId} offset 0) paper on true`;

/** bool: staff have marked every question, whether the student sat or not. Null, which counts as false, if something is missing. */
export const EVERY_QUESTION_MARKED = `(m.marks_count > 0 and m.marks_count = paper.questions)`;

/**
 * Starts a statement with `removed`: who was removed from the subject of these assessments (all of one subject), and took their results along.
 * No figure counts them, unlike those who are off roll.
 * @param testIds SQL, uuid[]; $1 is the school
 */
export const withRemoved = (testIds: string): string => `
with removed as materialized (
  select e.student_id from enrolments e
   where e.school_id = $1 and e.state = 'removed'
     and e.subject_id in (select t.subject_id from tests t where t.school_id = $1 and t.test_id = any(${testIds}))
)`;

/** bool: the student of `m` was not removed (`withRemoved`). */
export const NOT_REMOVED = `m.student_id not in (select student_id from removed)`;

/** text: whether the student of `m` sat the test, who did unless somebody says otherwise. */
export const ATTENDANCE = `coalesce(m.attendance, 'sat')`;
/** bool: whether they did. */
export const SAT = `(${ATTENDANCE} = 'sat')`;
/** int4: the place of that among `ATTENDANCES`. */
export const ATTENDANCE_PLACE = `case m.attendance ${AWAYS.map((away, at) => `when '${away}' then ${at + 1}`).join(' ')} else 0 end`;

/** int4, in marks; null: none. */
export const STAFF_TOTAL = `
  case when ${SAT} then coalesce(m.total, case when ${EVERY_QUESTION_MARKED} then m.marks_sum end) end`;

/**
 * The flags of the staff total, and when it has them: bool, of a row `m` of a test `t`. One that was entered says nothing of the marks beneath.
 * It is contested itself, or as the sum of all question marks; above the maximum itself, or by a mark, also while others are missing. Of nobody
 * who is absent or exempt is the total anything, but whether they are may be contested.
 */
const FLAGS = [
  ['contested', `${SAT} and (m.total_contested or m.total is null and m.marks_contested > 0 and ${EVERY_QUESTION_MARKED})`],
  ['contested-attendance', 'm.attendance_contested'],
  ['above-maximum', `${SAT} and coalesce(m.total > t.max, m.marks_above > 0)`],
] as const satisfies readonly (readonly [TotalFlag, string])[];

/** int4: a bit for each flag. */
export const TOTAL_FLAGS = `(${FLAGS.map(([, has], place) => `case when ${has} then ${1 << place} else 0 end`).join(' + ')})`;
/** bool: whether `flags`, SQL for a number as `TOTAL_FLAGS`, has one of these. */
export const hasFlag = (flags: string, ...some: readonly TotalFlag[]): string =>
  `${flags} & ${FLAGS.reduce((bits, [flag], place) => bits | (some.includes(flag) ? 1 << place : 0), 0)} > 0`;

const OF_BITS = Array.from({ length: 1 << FLAGS.length }, (_, bits) =>
  FLAGS.flatMap(([flag], place): TotalFlag[] => (bits & (1 << place) ? [flag] : [])),
);
/** The flags of such a number. */
export const totalFlags = (bits: number): readonly TotalFlag[] => OF_BITS[bits] ?? [];
/** As an answer has it: left out where nothing is open. */
export const ifFlagged = (bits: number): { readonly flags?: readonly TotalFlag[] } => (bits > 0 ? { flags: totalFlags(bits) } : {});
