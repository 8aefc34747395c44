import { inOrder } from '../common/in-order.ts';
import { mayReadSubject, mayWriteSet } from '../actor.ts';
import type { Markbook, MarkbookTotal } from './marks.contract.ts';
import { ProblemError } from '../pipeline/problems.ts';
import { defineSharedQuery, JsonText } from '../common/query.ts';
import { marksQueries } from './marks.contract.ts';

type SetOfYear = { readonly setId: string; readonly name: string };
type Facts = { readonly subjectId: string; readonly sets: readonly SetOfYear[] };
type Row = Facts & {
  readonly yearGroupId: string;
  readonly year: number;
  readonly subject: string;
  readonly tests: readonly TestOfYear[];
  readonly students: readonly (readonly [studentId: string, admissionNo: string | null, name: string | null, setId: string])[];
};
/** The last three are columns of its rows: of which student, the total, and what else the cell shows (`cellOf`). null: there are none. */
type TestOfYear = readonly [
  ...head: readonly [
    testId: string,
    name: string,
    max: number | null,
    mean: number | null,
    sd: number | null,
    count: number,
    questions: number,
  ],
  students: readonly string[] | null,
  totals: readonly (number | null)[] | null,
  states: readonly number[] | null,
];

/**
 * The year group's markbook (contract: Markbook), the same for everybody but for the sets in which they may write. Teachers read it for the
 * year groups in which they have a set, leaders for those of their subjects.
 */
export const markbook = defineSharedQuery({
  ...marksQueries.markbook,
  models: ['structure', 'roster', 'assessments', 'results'],
  async read(query, { yearGroupId }, about) {
    const [row] = await query<Row>(MARKBOOK, [yearGroupId], 'markbook');
    if (!row) throw notThere();
    const { subjectId, sets } = row;
    about({ subjectId, yearGroupId });
    return { text: new JsonText<Omit<Markbook, 'sets'>>(textOf(row)), facts: { subjectId, sets } };
  },
  own({ subjectId, sets }: Facts, actor) {
    if (!mayReadSubject(actor, subjectId)) throw notThere();
    const isTheirs = actor.role !== 'teacher' || sets.some(({ setId }) => actor.setIds.includes(setId));
    if (!isTheirs) throw new ProblemError('forbidden', 'You teach no class of this year group.');
    return { sets: sets.map(({ setId, name }) => ({ setId, name, mayWrite: mayWriteSet(actor, { setId, subjectId }) })) };
  },
});

const notThere = (): ProblemError => new ProblemError('not-found', 'There is no such year group.');

/**
 * Put together here and not in SQL, which would look up each student with each test, and write every field of each cell anew: that took
 * three times as long, after every save.
 */
const textOf = ({ yearGroupId, year, subject, subjectId, tests, students }: Row): string => {
  const heads = tests.map(([testId, name, max, mean, sd, count]) => ({ testId, name, max, mean, sd, count }));
  const known = new Map<string, string>();
  const cells = tests.map(([, , , , , , questions, ofStudents, totals, states]) => {
    const ofTest = new Map<string, string>();
    for (const [at, studentId] of (ofStudents ?? []).entries()) {
      const [total = null, state = 0] = [totals?.[at], states?.[at]];
      const key = `${total} ${state} ${questions}`;
      let cell = known.get(key);
      if (cell === undefined) known.set(key, (cell = JSON.stringify(cellOf(total, state, questions))));
      ofTest.set(studentId, cell);
    }
    return ofTest;
  });
  const rows = students.map(([studentId, admissionNo, name, setId]) => {
    const totals = cells.map((ofTest) => ofTest.get(studentId) ?? NOTHING).join();
    return `${JSON.stringify({ studentId, admissionNo, name, setId }).slice(0, -1)},"totals":[${totals}]}`;
  });
  const head = JSON.stringify({ yearGroupId, year, subject: { subjectId, name: subject }, tests: heads });
  return `${head.slice(0, -1)},"students":[${rows.join()}]}`;
};

/** `state`: as MARKBOOK adds it up. */
const cellOf = (total: number | null, state: number, questions: number): MarkbookTotal => ({
  total,
  source: state & 1 ? 'total' : state & 2 ? 'marks' : null,
  attendance: state & 4 ? 'absent' : state & 8 ? 'exempt' : 'sat',
  contested: (state & 16) !== 0,
  aboveMaximum: (state & 32) !== 0,
  ...(state >= 64 && { marked: { questions: state >> 6, of: questions } }),
});

const NOTHING = JSON.stringify(cellOf(null, 0, 0));

/**
 * $1 school; $2 year group.
 * The total is the one entered by staff; without one, the sum of the question marks if every question has one. The SD is that of a sample
 * (docs/decisions/5). The students' rows on a test are found in one walk along the key.
 */
export const MARKBOOK = `
with year as materialized (
  select y.year_group_id, y.year, y.subject_id, s.name as subject
  from year_groups y join subjects s using (school_id, subject_id)
  where y.school_id = $1 and y.year_group_id = $2 and not s.removed
),
sets as materialized (
  select set_id, name, test_ids
  from sets
  where school_id = $1 and year_group_id = $2 and not deleted
),
student as materialized (
  select e.student_id, e.set_id, s.admission_no, s.name
  from sets t
  join enrolments e on e.school_id = $1 and e.set_id = t.set_id
  join students s on s.school_id = $1 and s.student_id = e.student_id
),
test as materialized (
  select t.test_id, t.name, t.max, p.questions, c.*
  from tests t
  cross join lateral (select count(*) as questions from questions q where q.school_id = $1 and q.test_id = t.test_id and not q.hidden) p
  cross join lateral (
    select array_agg(student_id) as students, array_agg(total) as totals, array_agg(state) as states,
           avg(total)::float8 as mean, stddev_samp(total)::float8 as sd, count(total)
    from (select m.student_id,
                 case when coalesce(m.attendance, 'sat') = 'sat' then
                   coalesce(m.total, case when p.questions > 0 and m.marks_count = p.questions then m.marks_sum end) end as total,
                 case when m.total is not null then 1 when p.questions > 0 and m.marks_count = p.questions then 2 else 0 end
                   + case m.attendance when 'absent' then 4 when 'exempt' then 8 else 0 end
                   + case when m.contested > 0 then 16 else 0 end
                   + case when m.total > t.max or m.marks_above > 0 then 32 else 0 end
                   + case when m.marks_count > 0 and m.marks_count < p.questions then 64 * m.marks_count else 0 end as state
          from markbook m
          where m.school_id = $1 and m.test_id = t.test_id and m.student_id = any(array(select student_id from student)) offset 0) m
  ) c
  where t.school_id = $1 and t.subject_id = (select subject_id from year)
    and (c.students is not null or t.test_id in (select unnest(test_ids) from sets))
)
select
  subject_id as "subjectId", year_group_id as "yearGroupId", year, subject,
  (select coalesce(json_agg(json_build_object('setId', set_id, 'name', name) order by ${inOrder('name')}), '[]') from sets) as sets,
  (select coalesce(json_agg(json_build_array(test_id, name, max, mean, sd, count, questions, students, totals, states)
                            order by ${inOrder('name')}, test_id), '[]') from test) as tests,
  (select coalesce(json_agg(json_build_array(student_id, admission_no, name, set_id)
                            order by ${inOrder('name')}, student_id), '[]') from student) as students
from year`;
