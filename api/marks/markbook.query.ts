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
  readonly students: readonly StudentOfYear[];
  readonly exam: Markbook['priorExam'] | null;
  readonly ranked: Markbook['ranked'] | null;
};
/** The last five: of the terminal exam and the ranking that are shown. */
type StudentOfYear = readonly [
  ...who: readonly [studentId: string, admissionNo: string | null, name: string | null, setId: string],
  prior: string | null,
  ranking: number | null,
  score: number | null,
  residual: number | null,
  grade: string | null,
];
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
  models: ['structure', 'roster', 'assessments', 'results', 'prior', 'tasks'],
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
const textOf = ({ yearGroupId, year, subject, subjectId, tests, students, exam, ranked }: Row): string => {
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
  const rows = students.map(([studentId, admissionNo, name, setId, prior, ranking, score, residual, grade]) => {
    const totals = cells.map((ofTest) => ofTest.get(studentId) ?? NOTHING).join();
    const student = {
      studentId,
      admissionNo,
      name,
      setId,
      ...(prior !== null && { prior }),
      ...(ranking !== null && { ranking }),
      ...(score !== null && { score }),
      ...(residual !== null && { residual }),
      ...(grade !== null && { grade }),
    };
    return `${JSON.stringify(student).slice(0, -1)},"totals":[${totals}]}`;
  });
  const head = JSON.stringify({
    yearGroupId,
    year,
    subject: { subjectId, name: subject },
    ...(exam && { priorExam: exam }),
    ...(ranked && { ranked, scores: figuresOf(students.flatMap(([, , , , , , score]) => score ?? [])) }),
    tests: heads,
  });
  return `${head.slice(0, -1)},"students":[${rows.join()}]}`;
};

/** The SD is that of a sample, as of the tests (docs/decisions/5). */
const figuresOf = (values: readonly number[]): { readonly mean: number | null; readonly sd: number | null } => {
  const count = values.length;
  if (count === 0) return { mean: null, sd: null };
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  return { mean, sd: count < 2 ? null : Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1)) };
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
 * (docs/decisions/5). The students' rows on a test are found in one walk along the key. Shown is the task that was ranked last and holds
 * somebody who is on roll here now; the priors are of its exam, else of the newest one that covers 90 % of the year group.
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
),
shown as materialized (
  select k.task_id, k.ranking
  from feedback_tasks k
  where k.school_id = $1 and k.year_group_id = $2 and not k.deleted and k.ranked_at is not null
    and exists (select from task_students r
                 where r.school_id = $1 and r.task_id = k.task_id and r.student_id = any(array(select student_id from student)))
  order by k.ranked_position desc
  limit 1
),
exam as materialized (
  select x.terminal_exam_id, x.name
  from terminal_exams x
  where x.school_id = $1 and x.subject_id = (select subject_id from year)
    and case when exists (select from shown) then x.terminal_exam_id = (select (ranking ->> 'terminalExamId')::uuid from shown)
        else not x.removed
          and (select count(*) from prior_scores p
                where p.school_id = $1 and p.terminal_exam_id = x.terminal_exam_id and p.score is not null
                  and p.student_id = any(array(select student_id from student))) * 10 >= greatest(1, (select count(*) from student) * 9) end
  order by x.year_sat desc, ${inOrder('x.name')}
  limit 1
)
select
  (select json_build_object('terminalExamId', terminal_exam_id, 'name', name) from exam) as exam,
  (select json_build_object('taskId', task_id, 'at', ranking -> 'at', 'formula', ranking -> 'formula', 'norms', ranking -> 'norms')
     from shown) as ranked,
  subject_id as "subjectId", year_group_id as "yearGroupId", year, subject,
  (select coalesce(json_agg(json_build_object('setId', set_id, 'name', name) order by ${inOrder('name')}), '[]') from sets) as sets,
  (select coalesce(json_agg(json_build_array(test_id, name, max, mean, sd, count, questions, students, totals, states)
                            order by ${inOrder('name')}, test_id), '[]') from test) as tests,
  (select coalesce(json_agg(json_build_array(s.student_id, s.admission_no, s.name, s.set_id, p.score,
                              case when not r.exempt then coalesce(r.decided_ranking, r.ranking) end,
                              case when not r.exempt then coalesce(r.decided_score, r.score) end,
                              case when not r.exempt then r.residual end,
                              case when not r.exempt then coalesce(r.decided_grade, r.grade) end)
                            order by ${inOrder('s.name')}, s.student_id), '[]')
     from student s
     left join prior_scores p
       on p.school_id = $1 and p.terminal_exam_id = (select terminal_exam_id from exam) and p.student_id = s.student_id
     left join task_students r on r.school_id = $1 and r.task_id = (select task_id from shown) and r.student_id = s.student_id) as students
from year`;
