import type { Attendance } from '../../contract/attendance.ts';
import { inOrder } from '../../common/in-order.ts';
import { OF_STUDENT, seenBy, studentOf } from '../../common/of-student.ts';
import { defineQuery } from '../../common/query.ts';
import { ADDED_SINCE, CONFIRMED_TOTAL } from '../../marks/submissions/submission.facts.ts';
import { closedFor, mayReopen, mismatched } from '../../marks/submissions/submission.rules.ts';
import { SHOWN } from '../../marks/submissions/submission.query.ts';
import { ATTENDANCE, STAFF_TOTAL, TOTAL_FLAGS, ifFlagged } from '../../marks/staff-total.facts.ts';
import { NOT_LIVE } from './home.query.ts';
import type { StudentTasks } from './student.contract.ts';
import { studentQueries } from './student.contract.ts';

type Read = Pick<
  StudentTasks['tests'][number],
  'testId' | 'name' | 'subjectId' | 'subject' | 'taskId' | 'expiry' | 'addedSince' | 'staffTotal'
> & {
  readonly late: boolean;
  readonly flags: number;
  readonly confirmedTotal: number | null;
  readonly state: 'saved' | 'confirmed' | 'reopened' | null;
  readonly attendance: Attendance;
  readonly staffMarks: number;
  readonly questions: number;
};

/** The tests of the student's open feedback tasks, and what else waits for their marks. */
export const studentTasks = defineQuery({
  ...studentQueries['student-tasks'],
  models: ['structure', 'roster', 'assessments', 'results', 'tasks'],
  live: NOT_LIVE,
  async run(query, _input, actor): Promise<StudentTasks> {
    const rows = await query<Read>(TASKS, [studentOf(actor), ...seenBy(actor)]);
    return {
      tests: rows.flatMap(({ late, flags, confirmedTotal, state, attendance, staffMarks, questions, ...test }) => {
        const totals = { ...test, confirmedTotal };
        const status = mayReopen(totals) ? 'reopened' : (state ?? 'none');
        const waits = questions > 0 && closedFor({ attendance, questions, staffMarks }, status) === null;
        const submitted = state === 'confirmed' && test.addedSince === 0;
        if (test.taskId === null && !waits) return [];
        return [
          {
            ...test,
            ...ifFlagged(flags),
            overdue: late && !submitted && waits,
            submitted,
            waits,
            begun: state === 'saved' || state === 'reopened',
            mismatch: mismatched(totals),
            ownTotal: confirmedTotal,
          },
        ];
      }),
    };
  },
});

/** A task is open until it is complete for the class; of several that a test belongs to, the one that is due first. Days are those of UTC. */
const TASKS = `
select t.test_id as "testId", t.name, t.subject_id as "subjectId", b.name as subject, o.state,
  (select count(*)::int4 from questions q where q.school_id = $1 and q.test_id = t.test_id and not q.hidden) as questions,
  ${ATTENDANCE} as attendance, coalesce(m.marks_count, 0) as "staffMarks", ${STAFF_TOTAL} as "staffTotal", ${TOTAL_FLAGS} as flags,
  ${CONFIRMED_TOTAL} as "confirmedTotal", ${ADDED_SINCE} as "addedSince",
  k.task_id as "taskId", to_char(k.expiry, 'YYYY-MM-DD') as expiry, coalesce(k.expiry < (now() at time zone 'UTC')::date, false) as late
${SHOWN}
left join lateral (
  select k.task_id, k.expiry
    from task_sets x
    join feedback_tasks k on k.school_id = $1 and k.task_id = x.task_id and not k.deleted
   where x.school_id = $1 and x.set_id = e.set_id and t.test_id = any(x.test_ids) and coalesce(x.status, 0) < 6
   order by k.expiry, k.task_id limit 1) k on true
where ${OF_STUDENT}
order by k.expiry nulls last, ${inOrder('b.name')}, ${inOrder('t.name')}, t.test_id`;
