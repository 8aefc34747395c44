import { mayWriteSet } from '../../actor.ts';
import { inOrder } from '../../common/in-order.ts';
import { defineSharedQuery, JsonText } from '../../common/query.ts';
import { ATTENDANCE, STAFF_TOTAL, TOTAL_FLAGS, ifFlagged, paperOf } from '../staff-total.facts.ts';
import { theRow } from '../../common/facts.ts';
import type { Tracker } from './submissions.contract.ts';
import { submissionQueries } from './submissions.contract.ts';
import { ADDED_SINCE, CONFIRMED_TOTAL, OWN_ABOVE } from './submission.facts.ts';
import { isMarkedByStaff, mismatched } from './submission.rules.ts';

type Test = Pick<Tracker, 'name' | 'visible' | 'questions'>;
type Student = Omit<Tracker['students'][number], 'group' | 'mismatch' | 'state' | 'flags'> & {
  readonly flags: number;
  readonly state: Tracker['students'][number]['state'] | null;
};

/** Who of a class has submitted marks for an assessment, and for whom staff have entered them. */
export const tracker = defineSharedQuery({
  ...submissionQueries.tracker,
  models: ['structure', 'roster', 'assessments', 'results'],
  marks: 'assessment',
  async read(query, { testId, setId }) {
    const { name, visible, questions } = theRow(await query<Test>(TEST, [testId]));
    const rows = await query<Student>(STUDENTS, [testId, setId]);
    const students = rows.map(({ flags, ...row }) => ({
      ...row,
      ...ifFlagged(flags),
      state: row.state ?? ('none' as const),
      group: groupOf(row, questions),
      mismatch: mismatched({ confirmedTotal: row.total, staffTotal: row.staffTotal }),
    }));
    const count = (group: Tracker['students'][number]['group']): number =>
      students.filter((one) => one.attendance === 'sat' && one.group === group).length;
    const shared: Omit<Tracker, 'mayWrite'> = {
      testId,
      name,
      setId,
      visible,
      questions,
      counts: { incomplete: count('incomplete'), student: count('student'), staff: count('staff') },
      students,
    };
    return { text: new JsonText<typeof shared>(JSON.stringify(shared)), facts: undefined };
  },
  ownFields: (_facts, actor, { setId }, { subjectId }): Pick<Tracker, 'mayWrite'> => ({
    mayWrite: mayWriteSet(actor, { setId, subjectId }),
  }),
});

/** What staff have marked completely is theirs, whatever the student has submitted. A reopened submission is incomplete again, and one that lacks a question. */
const groupOf = (
  { staffMarks, state, addedSince }: Pick<Student, 'staffMarks' | 'state' | 'addedSince'>,
  questions: number,
): Tracker['students'][number]['group'] =>
  isMarkedByStaff({ questions, staffMarks }) ? 'staff' : state === 'confirmed' && addedSince === 0 ? 'student' : 'incomplete';

/** $1 school; $2 assessment. */
const TEST = `
select t.name, t.visible,
  (select count(*)::int4 from questions q where q.school_id = $1 and q.test_id = t.test_id and not q.hidden) as questions
from tests t
where t.school_id = $1 and t.test_id = $2`;

/** $1 school; $2 assessment; $3 class. */
const STUDENTS = `
select s.student_id as "studentId", s.name, s.admission_no as "admissionNo", ${ATTENDANCE} as attendance, o.state,
  case when o.state <> 'saved' then to_json(o.at) #>> '{}' end as at,
  coalesce(m.marks_count, 0) as "staffMarks", ${CONFIRMED_TOTAL} as total, ${STAFF_TOTAL} as "staffTotal", ${TOTAL_FLAGS} as flags,
  ${ADDED_SINCE} as "addedSince", ${OWN_ABOVE} as "aboveMaximum"
from enrolments e
join tests t on t.school_id = $1 and t.test_id = $2
cross join lateral (select * from students s where s.school_id = $1 and s.student_id = e.student_id offset 0) s
left join lateral (select * from markbook m
                    where m.school_id = $1 and m.test_id = $2 and m.student_id = e.student_id offset 0) m on true
${paperOf('$2')}
left join lateral (select * from submissions o
                    where o.school_id = $1 and o.test_id = $2 and o.student_id = e.student_id offset 0) o on true
where e.school_id = $1 and e.set_id = $3
order by ${inOrder('s.name')}, s.student_id`;
