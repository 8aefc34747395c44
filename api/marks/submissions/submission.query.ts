import type { Attendance } from '../../contract/attendance.ts';
import { inOrder } from '../../common/in-order.ts';
import { OF_STUDENT, seenBy, studentOf } from '../../common/of-student.ts';
import { defineQuery } from '../../common/query.ts';
import { ifMarkFlagged } from '../../contract/flags.ts';
import { ATTENDANCE, STAFF_TOTAL, TOTAL_FLAGS, ifFlagged, paperOf } from '../staff-total.facts.ts';
import { noSuch } from '../../common/about.ts';
import type { ClosedBy, SubmissionPage, ToSubmit } from './submissions.contract.ts';
import { submissionQueries } from './submissions.contract.ts';
import { aboveMaximum, addedSince, MISMATCH, WAITING } from './submission-words.contract.ts';
import { ADDED_SINCE, CONFIRMED_TOTAL } from './submission.facts.ts';
import { closedFor, mayReopen, mismatched } from './submission.rules.ts';

type State = SubmissionPage['state'];
type Read = Pick<SubmissionPage, 'testId' | 'name' | 'subjectId' | 'max' | 'confirmedTotal' | 'staffTotal' | 'addedSince'> & {
  readonly flags: number;
  readonly questions: readonly (Omit<SubmissionPage['questions'][number], 'flags'> & { readonly isContested: boolean })[];
  readonly state: State | null;
  readonly attendance: Attendance;
  readonly staffMarks: number;
};

/** A visible assessment of the student's class, with the marks that they have entered. Staff who view as the student see only the subjects and classes that are their own. */
export const submission = defineQuery({
  ...submissionQueries.submission,
  models: ['structure', 'roster', 'assessments', 'results'],
  // Pages of students have no live connection.
  live: { structure: null, roster: null, assessments: null, results: null },
  async run(query, { testId }, actor): Promise<SubmissionPage> {
    const [read] = await query<Read>(SUBMISSION, [studentOf(actor), ...seenBy(actor), testId]);
    if (!read) throw noSuch('assessment');
    const { attendance, staffMarks, flags, ...page } = read;
    const state = page.state ?? 'none';
    const sat = { attendance, questions: page.questions.length, staffMarks };
    const closedBy: ClosedBy | null = closedFor(sat, state);
    const mismatch = mismatched(page);
    const isAbove = ({ mark, max, staff }: (typeof page.questions)[number]) => mark !== null && mark > max && staff === null;
    const above = state === 'confirmed' ? page.questions.filter(isAbove).length : 0;
    return {
      ...page,
      ...ifFlagged(flags),
      questions: page.questions.map(({ isContested, ...question }) => ({
        ...question,
        ...ifMarkFlagged({ mark: question.staff, max: question.max, isContested }),
      })),
      state,
      total: page.questions.reduce((sum, { mark }) => sum + (mark ?? 0), 0),
      message: mismatch
        ? MISMATCH
        : closedBy !== 'submitted'
          ? null
          : page.addedSince > 0
            ? addedSince(page.addedSince)
            : above > 0
              ? aboveMaximum(above)
              : page.staffTotal === null
                ? WAITING
                : null,
      mismatch,
      open: closedBy === null && page.questions.length > 0,
      closedBy,
      aboveMaximum: above,
      mayReopen: state === 'confirmed' && mayReopen(page) && closedFor(sat, 'reopened') === null,
    };
  },
});

/** What the student can still confirm, or must once more because a question was added since or the totals differ: the banner of their home. */
export const toSubmit = defineQuery({
  ...submissionQueries['to-submit'],
  models: ['structure', 'roster', 'assessments', 'results'],
  live: { structure: null, roster: null, assessments: null, results: null },
  async run(query, _input, actor): Promise<ToSubmit> {
    const rows = await query<
      Omit<ToSubmit['tests'][number], 'state' | 'mismatch' | 'flags'> &
        Pick<Read, 'state' | 'attendance' | 'staffMarks' | 'flags'> & { questions: number }
    >(TO_SUBMIT, [studentOf(actor), ...seenBy(actor)]);
    return {
      tests: rows.flatMap(({ questions, attendance, staffMarks, state, flags, ...test }) => {
        const status = mayReopen(test) ? 'reopened' : (state ?? 'none');
        const isOpen = questions > 0 && closedFor({ attendance, questions, staffMarks }, status) === null;
        return isOpen ? [{ ...test, ...ifFlagged(flags), state: state ?? 'none', mismatch: mismatched(test) }] : [];
      }),
    };
  },
});

/**
 * The visible assessments of the classes of the student $2 in the subjects $3 and classes $4, each with its paper, their row of the markbook
 * and their submission.
 */
export const SHOWN = `
from enrolments e
join sets s on s.school_id = $1 and s.set_id = e.set_id and not s.deleted
join subjects b on b.school_id = $1 and b.subject_id = e.subject_id
join tests t on t.school_id = $1 and t.subject_id = e.subject_id and t.visible and t.test_id = any(s.test_ids)
${paperOf('t.test_id')}
left join markbook m on m.school_id = $1 and m.test_id = t.test_id and m.student_id = e.student_id
left join submissions o on o.school_id = $1 and o.test_id = t.test_id and o.student_id = e.student_id`;

/** $5 assessment. Once confirmed, only what was confirmed: a question that has come back since has no mark in it. */
const SUBMISSION = `
select t.test_id as "testId", t.name, t.subject_id as "subjectId", t.max, p.questions, o.state,
  ${ATTENDANCE} as attendance, coalesce(m.marks_count, 0) as "staffMarks",
  ${STAFF_TOTAL} as "staffTotal", ${TOTAL_FLAGS} as flags, ${CONFIRMED_TOTAL} as "confirmedTotal", ${ADDED_SINCE} as "addedSince"
${SHOWN}
cross join lateral (select case when o.state = 'confirmed' then o.confirmations -> -1 -> 'marks' else o.marks end as marks) own
cross join lateral (
  select coalesce(json_agg(json_build_object('questionId', q.question_id, 'number', q.number, 'topic', q.topic, 'max', q.marks_available,
           'mark', (own.marks ->> q.question_id::text)::int4, 'staff', r.mark, 'isContested', coalesce(r.contested, false)) order by q.number), '[]') as questions
    from questions q
    left join results r on r.school_id = $1 and r.test_id = t.test_id and r.student_id = $2 and r.kind = 'm' and r.item_id = q.question_id
   where q.school_id = $1 and q.test_id = t.test_id and not q.hidden
) p
where ${OF_STUDENT} and t.test_id = $5`;

const TO_SUBMIT = `
select t.test_id as "testId", t.name, t.subject_id as "subjectId", b.name as subject, o.state, p.questions,
  ${ATTENDANCE} as attendance, coalesce(m.marks_count, 0) as "staffMarks", ${STAFF_TOTAL} as "staffTotal", ${TOTAL_FLAGS} as flags, ${CONFIRMED_TOTAL} as "confirmedTotal",
  ${ADDED_SINCE} as "addedSince"
${SHOWN}
cross join lateral (
  select count(*)::int4 as questions from questions q where q.school_id = $1 and q.test_id = t.test_id and not q.hidden
) p
where ${OF_STUDENT}
order by ${inOrder('b.name')}, ${inOrder('t.name')}, t.test_id`;
