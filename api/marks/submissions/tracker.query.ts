import { mayReadSubject, mayWriteSet } from '../../actor.ts';
import { inOrder } from '../../common/in-order.ts';
import { defineSharedQuery, JsonText } from '../../common/query.ts';
import { paperOf, STAFF_TOTAL } from '../staff-total.facts.ts';
import { ProblemError } from '../../common/problems.ts';
import type { Tracker } from './submissions.contract.ts';
import { submissionQueries } from './submissions.contract.ts';
import { ADDED_SINCE, CONFIRMED_TOTAL, OWN_ABOVE } from './submission.facts.ts';
import { isMarkedByStaff, mismatched } from './submission.rules.ts';

type Test = Pick<Tracker, 'name' | 'visible' | 'questions'> & { readonly subjectId: string; readonly isSet: boolean };
type Student = Omit<Tracker['students'][number], 'group' | 'mismatch' | 'state'> & {
  readonly state: Tracker['students'][number]['state'] | null;
};

/** Who of a class has submitted marks for an assessment, and for whom staff have entered them. */
export const tracker = defineSharedQuery({
  ...submissionQueries.tracker,
  models: ['structure', 'roster', 'assessments', 'results'],
  async read(query, { testId, setId }, about) {
    const [test] = await query<Test>(TEST, [testId, setId]);
    if (!test) throw notThere();
    const { name, subjectId, visible, questions, isSet } = test;
    about({ subjectId, testId });
    const rows = await query<Student>(STUDENTS, [testId, setId]);
    const students = rows.map((row) => ({
      ...row,
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
    return { text: new JsonText<typeof shared>(JSON.stringify(shared)), facts: { subjectId, isSet } };
  },
  own({ subjectId, isSet }: Pick<Test, 'subjectId' | 'isSet'>, actor, { setId }): Pick<Tracker, 'mayWrite'> {
    if (!mayReadSubject(actor, subjectId)) throw notThere();
    if (!isSet) throw new ProblemError('not-found', 'There is no such class.');
    if (actor.role === 'teacher' && !actor.setIds.includes(setId)) {
      throw new ProblemError('not-your-set', 'You see the marks of your own classes only.');
    }
    return { mayWrite: mayWriteSet(actor, { setId, subjectId }) };
  },
});

const notThere = (): ProblemError => new ProblemError('not-found', 'There is no such assessment.');

/** What staff have marked completely is theirs, whatever the student has submitted. A reopened submission is incomplete again, and one that lacks a question. */
const groupOf = ({ staffMarks, state, addedSince }: Student, questions: number): Tracker['students'][number]['group'] =>
  isMarkedByStaff({ questions, staffMarks }) ? 'staff' : state === 'confirmed' && addedSince === 0 ? 'student' : 'incomplete';

/** $1 school; $2 assessment; $3 class. */
const TEST = `
select t.name, t.subject_id as "subjectId", t.visible,
  (select count(*)::int4 from questions q where q.school_id = $1 and q.test_id = t.test_id and not q.hidden) as questions,
  exists (select from sets s where s.school_id = $1 and s.set_id = $3 and s.subject_id = t.subject_id and not s.deleted) as "isSet"
from tests t
join subjects b on b.school_id = $1 and b.subject_id = t.subject_id
where t.school_id = $1 and t.test_id = $2`;

/** The same. */
const STUDENTS = `
select s.student_id as "studentId", s.name, s.admission_no as "admissionNo", coalesce(m.attendance, 'sat') as attendance, o.state,
  case when o.state <> 'saved' then to_json(o.at) #>> '{}' end as at,
  coalesce(m.marks_count, 0) as "staffMarks", ${CONFIRMED_TOTAL} as total, ${STAFF_TOTAL} as "staffTotal",
  ${ADDED_SINCE} as "addedSince", ${OWN_ABOVE} as "aboveMaximum"
from enrolments e
cross join lateral (select * from students s where s.school_id = $1 and s.student_id = e.student_id offset 0) s
left join lateral (select * from markbook m
                    where m.school_id = $1 and m.test_id = $2 and m.student_id = e.student_id offset 0) m on true
${paperOf('$2')}
left join lateral (select * from submissions o
                    where o.school_id = $1 and o.test_id = $2 and o.student_id = e.student_id offset 0) o on true
where e.school_id = $1 and e.set_id = $3
order by ${inOrder('s.name')}, s.student_id`;
