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
 * int4: the flags of the staff total (`totalFlags`), of a row `m` of a test `t`. One that was entered says nothing of the marks beneath. It is
 * contested itself, or as the sum of all question marks; above the maximum itself, or by a mark, also while others are missing. Of nobody who is
 * absent or exempt is the total anything, but whether they are may be contested.
 */
export const TOTAL_FLAGS = `
  (case when not ${SAT} then 0
        else case when m.total_contested or m.total is null and m.marks_contested > 0 and ${EVERY_QUESTION_MARKED} then 1 else 0 end
           + case when coalesce(m.total > t.max, m.marks_above > 0) then 4 else 0 end end
   + case when m.attendance_contested then 2 else 0 end)`;

const BITS: readonly TotalFlag[] = ['contested', 'contested-attendance', 'above-maximum'];
const OF_BITS = Array.from({ length: 1 << BITS.length }, (_, bits) => BITS.filter((_flag, place) => bits & (1 << place)));
/** What `TOTAL_FLAGS` says. */
export const totalFlags = (bits: number): readonly TotalFlag[] => OF_BITS[bits] ?? [];
/** As an answer has it: left out where nothing is open. */
export const ifFlagged = (bits: number): { readonly flags?: readonly TotalFlag[] } => (bits > 0 ? { flags: totalFlags(bits) } : {});
