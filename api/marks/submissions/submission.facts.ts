import type { Attendance } from '../../contract/attendance.ts';
import type { Facts } from '../../common/facts.ts';
import { OWN_MARKS } from '../entered.facts.ts';
import { ATTENDANCE, STAFF_TOTAL, paperOf } from '../staff-total.facts.ts';
import type { ReopenFeedback, SaveFeedback, SubmitFeedback } from './submissions.contract.ts';

/** The assessment, and the student in it; undefined: there is no such assessment, or the student is in no class of its subject. */
export type SubmissionFacts =
  | {
      readonly subjectId: string;
      readonly setId: string;
      /** Students can enter marks: it is visible, and an assessment of the student's class. */
      readonly shown: boolean;
      readonly questions: readonly { readonly questionId: string; readonly number: number; readonly max: number }[];
      readonly attendance: Attendance;
      /** How many of the questions staff have marked. */
      readonly staffMarks: number;
      readonly staffTotal: number | null;
      /** The total of what the student confirmed last; null: nothing. */
      readonly confirmedTotal: number | null;
      /** See `ADDED_SINCE`. */
      readonly addedSince: number;
    }
  | undefined;

type SubmissionCommand = SaveFeedback | SubmitFeedback | ReopenFeedback;

/** A student who is shut out must not get in because a read model is behind: it waits. */
export const submissionFacts: Facts<SubmissionCommand, SubmissionFacts> = {
  models: ['structure', 'roster', 'assessments', 'results'],
  waits: true,
  load: async (query, input, actor) => {
    const studentId = 'studentId' in input && input.studentId !== undefined ? input.studentId : actor.studentId;
    const [row] = await query<NonNullable<SubmissionFacts>>(SUBMISSION, [input.testId, studentId]);
    return row;
  },
};

/** SQL: the total of what the student of a submission `o` confirmed last, of the questions that are still on the paper. */
export const CONFIRMED_TOTAL = `
  (select sum(own.value::int4)::int4 from json_each_text(o.confirmations -> -1 -> 'marks') as own
     join questions asked on asked.school_id = o.school_id and asked.question_id = own.key::uuid and asked.test_id = o.test_id and not asked.hidden)`;

/**
 * SQL, int4: the questions without any mark that counts, of a student who has confirmed: they came onto the paper after that, and staff have
 * not marked them. Of the row `m` of the markbook, the `paper` (see `paperOf`), which the same read model keeps, and the submission `o`.
 */
export const ADDED_SINCE = `
  (case when o.state = 'confirmed' then greatest(coalesce(paper.questions, 0) - coalesce(m.effective_count, 0), 0) else 0 end)`;

/** SQL, int4: the marks that the student of a submission `o` confirmed last, count, and are above the maximum that their question has now. */
export const OWN_ABOVE = `
  (select count(*)::int4 from (select) one ${OWN_MARKS}
     join questions asked on asked.school_id = o.school_id and asked.question_id = own.question_id and asked.test_id = o.test_id and not asked.hidden
    where own.mark > asked.marks_available)`;

/** $1 school; $2 assessment; $3 student. */
const SUBMISSION = `
select t.subject_id as "subjectId", s.set_id as "setId", t.visible and t.test_id = any(s.test_ids) as shown, p.questions,
  ${ATTENDANCE} as attendance, coalesce(m.marks_count, 0) as "staffMarks",
  ${STAFF_TOTAL} as "staffTotal", ${CONFIRMED_TOTAL} as "confirmedTotal", ${ADDED_SINCE} as "addedSince"
from tests t
join subjects b on b.school_id = $1 and b.subject_id = t.subject_id
join enrolments e on e.school_id = $1 and e.subject_id = t.subject_id and e.student_id = $3
join sets s on s.school_id = $1 and s.set_id = e.set_id and not s.deleted
cross join lateral (
  select coalesce(json_agg(json_build_object('questionId', q.question_id, 'number', q.number, 'max', q.marks_available) order by q.number), '[]') as questions
    from questions q where q.school_id = $1 and q.test_id = t.test_id and not q.hidden
) p
${paperOf('t.test_id')}
left join markbook m on m.school_id = $1 and m.test_id = t.test_id and m.student_id = $3
left join submissions o on o.school_id = $1 and o.test_id = t.test_id and o.student_id = $3
where t.school_id = $1 and t.test_id = $2`;

/** By student: the questions of an assessment that they have confirmed a mark for, which counts until staff enter one. */
export const confirmedQuestions: Facts<{ readonly testId: string }, ReadonlyMap<string, readonly string[]>> = {
  models: ['results'],
  waits: true,
  load: async (query, { testId }) => {
    const rows = await query<{ readonly studentId: string; readonly questionIds: readonly string[] }>(
      `select o.student_id as "studentId", array(select json_object_keys(o.confirmations -> -1 -> 'marks')) as "questionIds"
         from submissions o
        where o.school_id = $1 and o.test_id = $2`,
      [testId],
    );
    return new Map(rows.map(({ studentId, questionIds }) => [studentId, questionIds]));
  },
};
