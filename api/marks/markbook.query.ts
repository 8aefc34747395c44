import type { z } from 'zod';
import { isUuid } from '../../events/uuid.ts';
import { inOrder } from '../common/in-order.ts';
import { mayWriteSet } from '../actor.ts';
import type { Markbook } from './marks.contract.ts';
import type { RunSql } from '../common/facts.ts';
import { theRow } from '../common/facts.ts';
import type { JsonText } from '../common/query.ts';
import { defineSharedQuery } from '../common/query.ts';
import type { MarkbookParts, TestRow, YearRow } from './markbook-text.ts';
import { CELL_STATE, markbookText, partsOf, studentsIn, withTests } from './markbook-text.ts';
import { marksQueries } from './marks.contract.ts';
import { onlyIn, spreadOf, studentsOf } from './markbook-view.formula.ts';
import { enoughPrior, EVERY_EXAM } from '../prior/prior.facts.ts';
import { hasFlag, paperOf, STAFF_TOTAL, TOTAL_FLAGS } from './staff-total.facts.ts';
import { studentColumns } from './student-columns.contract.ts';

type SetOfYear = { readonly setId: string; readonly name: string };
type Row = YearRow & { readonly sets: readonly SetOfYear[]; readonly tests: readonly TestRow[] };
/** `wholeAt`: when all of it was read (performance.now()). */
type Facts = { readonly subjectId: string; readonly sets: readonly SetOfYear[]; readonly parts: MarkbookParts; readonly wholeAt: number };

/**
 * The year group's markbook (contract: Markbook), the same for everybody but for the sets in which they may write. Of a class: its
 * students only, cut out of what was read for all.
 */
export const markbook = defineSharedQuery({
  ...marksQueries.markbook,
  models: ['structure', 'roster', 'assessments', 'results', 'prior', 'accounts', 'tasks'],
  marks: 'yearGroup',
  part: {
    whole: ({ yearGroupId, taskId }) => ({ yearGroupId, ...(taskId !== undefined && { taskId }) }),
    places: (facts: Facts, input) => {
      const { setId } = input;
      if (input.rows !== undefined) return rowsOf(facts, input).places;
      return setId === undefined
        ? undefined
        : facts.parts.year.students.flatMap((student, place) => (student.setId === setId ? place : []));
    },
  },
  async read(query, { yearGroupId, taskId }) {
    const wholeAt = performance.now();
    const { subjectId, sets, tests, ...year } = theRow(await query<Row>(MARKBOOK, [yearGroupId, taskId ?? null]));
    return answerOf({ subjectId, sets, parts: partsOf({ ...year, subjectId }, tests), wholeAt });
  },
  async again(query, facts: Facts, changed) {
    if (performance.now() - facts.wholeAt > WHOLE_EVERY_MS) return undefined;
    const parts = withTests(facts.parts, await testsAgain(query, facts.parts.year, changed), changed);
    return parts && answerOf({ ...facts, parts });
  },
  ownFields(facts: Facts, actor, input) {
    const { subjectId, sets } = facts;
    const { setId: only } = input;
    const written = sets.map(({ setId, name }) => ({ setId, name, mayWrite: mayWriteSet(actor, { setId, subjectId }) }));
    const rows = input.rows === undefined ? undefined : rowsOf(facts, input).rows;
    return { ...(only !== undefined && { setId: only }), ...(rows && { rows }), sets: written };
  },
});

type Input = z.output<typeof marksQueries.markbook.input>;
type Rows = { readonly places: readonly number[]; readonly rows: NonNullable<Markbook['rows']> };

/** Which rows are asked for, by the same rules as a page that has all of them. The last few are kept: an answer asks twice. */
const rowsOf = (facts: Facts, input: Input): Rows => {
  const kept = keptRows.get(facts) ?? new Map<string, Rows>();
  keptRows.set(facts, kept);
  const key = JSON.stringify(input);
  const rows = kept.get(key) ?? rowsFound(facts, input);
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(key, rows);
  return rows;
};
const keptRows = new WeakMap<Facts, Map<string, Rows>>();
const MOST_KEPT = 20;

const rowsFound = ({ sets, parts }: Facts, { rows, from, student, sort = 'name', dir = 'asc', setId, find = '', only }: Input): Rows => {
  const students = allIn(parts);
  const tests = parts.tests.map(({ head }) => head);
  const view = { sort, direction: dir, setId, search: find, only: onlyIn(only, tests) };
  const found = studentsOf({ students, tests, sets }, view);
  const size = Number(rows);
  const at = student === undefined ? -1 : found.findIndex(({ studentId }) => studentId === student);
  const wanted = at < 0 ? Number(from ?? 0) : at - (at % size);
  const last = Math.max(0, Math.ceil(found.length / size) - 1) * size;
  const begin = Math.min(wanted, last);
  const placeOf = new Map(students.map((one, place) => [one, place]));
  return {
    places: found.slice(begin, begin + size).flatMap((one) => placeOf.get(one) ?? []),
    rows: { from: begin, of: found.length, spread: spreadOf(found, tests) },
  };
};

const allIn = (parts: MarkbookParts): Markbook['students'] => {
  const students = keptStudents.get(parts) ?? studentsIn(parts);
  keptStudents.set(parts, students);
  return students;
};
const keptStudents = new WeakMap<MarkbookParts, Markbook['students']>();

/** What was changed without an announcement is shown after this time at the latest, however many marks are typed. */
const WHOLE_EVERY_MS = 30_000;

const answerOf = (facts: Facts): { readonly text: JsonText<Omit<Markbook, 'sets'>>; readonly facts: Facts } => ({
  text: markbookText(facts.parts),
  facts,
});

/** The assessments among these parts of the marks that are in this markbook, or have come into it. */
const testsAgain = async (
  query: RunSql,
  { yearGroupId, subjectId, students }: YearRow,
  parts: readonly string[],
): Promise<readonly TestRow[]> => {
  const testIds = parts.filter((part) => part !== yearGroupId && isUuid(part));
  if (testIds.length === 0) return [];
  const values = [yearGroupId, subjectId, testIds, students.map(({ studentId }) => studentId)];
  const [row] = await query<{ tests: readonly TestRow[] }>(TESTS_AGAIN, values);
  return row?.tests ?? [];
};

/** The assessments of a year group: `students` is SQL for the ids of its students, `subject` for that of its subject. */
const testsOf = ({ students, subject }: Readonly<Record<'students' | 'subject', string>>): string => `
  select t.test_id as "testId", t.name, t.max, coalesce(paper.questions, 0) as questions, c.*
  from tests t
  ${paperOf('t.test_id')}
  cross join lateral (
    select array_agg(student_id) as students, array_agg(total) as totals, array_agg(state) as states,
           avg(total)::float8 as mean, stddev_samp(total)::float8 as sd, count(total),
           count(*) filter (where ${hasFlag('flags', 'contested', 'contested-attendance')}) as contested,
           count(total) filter (where ${hasFlag('flags', 'above-maximum')}) as "aboveMaximum"
    from (select m.student_id, ${STAFF_TOTAL} as total, f.flags, ${CELL_STATE} as state
          from markbook m
          cross join lateral (select ${TOTAL_FLAGS} as flags) f
          where m.school_id = $1 and m.test_id = t.test_id and m.student_id = any(${students}) offset 0) m
  ) c
  where t.school_id = $1 and t.subject_id = ${subject}
    and (c.students is not null
      or t.test_id in (select unnest(test_ids) from sets where school_id = $1 and year_group_id = $2 and not deleted))`;

const TESTS_IN_ORDER = `
  select coalesce(json_agg(to_json(test) order by ${inOrder('name')}, "testId"), '[]') from test`;

/** $1 school; $2 year group; $3 its subject; $4 assessments; $5 its students. */
const TESTS_AGAIN = `
with test as materialized (
  ${testsOf({ students: '$5::uuid[]', subject: '$3::uuid' })} and t.test_id = any($4::uuid[])
)
select (${TESTS_IN_ORDER}) as tests`;

/** SQL: the columns of a student `s`, with the prior score `p` and as ranked in `r`. Whoever is exempt from the ranking has none of it. */
const COLUMNS: Readonly<Record<(typeof studentColumns)[number]['of'], string>> = {
  prior: 'p.score',
  ranking: 'case when not r.exempt then coalesce(r.decided_ranking, r.ranking) end',
  score: 'case when not r.exempt then coalesce(r.decided_score, r.score) end',
  residual: 'case when not r.exempt then r.residual end',
  grade: 'case when not r.exempt then coalesce(r.decided_grade, r.grade) end',
};

/**
 * $1 school; $2 year group; $3 task, or null. The totals are those of staff. The SD is that of a sample (docs/decisions/5-the-sd-of-the-markbook.md). The students' rows on a test are
 * found in one walk along the key. Shown is the ranking of that task, else of the one that was ranked last, among those that hold somebody who
 * is on roll here now; the priors are of its exam, else of the newest one that covers enough of the year group.
 */
export const MARKBOOK = `
with year as materialized (
  select y.year_group_id, y.year, y.subject_id, s.name as subject
  from year_groups y join subjects s using (school_id, subject_id)
  where y.school_id = $1 and y.year_group_id = $2
),
classes as materialized (
  select set_id, name
  from sets
  where school_id = $1 and year_group_id = $2 and not deleted
),
student as materialized (
  select e.student_id, e.set_id, s.admission_no, s.name
  from classes t
  join enrolments e on e.school_id = $1 and e.set_id = t.set_id
  join students s on s.school_id = $1 and s.student_id = e.student_id
),
test as materialized (
  ${testsOf({ students: 'array(select student_id from student)', subject: '(select subject_id from year)' })}
),
rankings as materialized (
  select k.task_id, k.name, k.ranking, k.ranked_position
  from feedback_tasks k
  where k.school_id = $1 and k.year_group_id = $2 and not k.deleted and k.ranked_at is not null
    and exists (select from task_students r
                 where r.school_id = $1 and r.task_id = k.task_id and r.student_id = any(array(select student_id from student)))
),
shown as materialized (
  select * from rankings k
  order by coalesce(k.task_id = $3::uuid, false) desc, k.ranked_position desc
  limit 1
),
exam as materialized (
  select x.terminal_exam_id, x.name
  from ${EVERY_EXAM} x
  where x.school_id = $1 and x.subject_id = (select subject_id from year)
    and case when (select ranking ->> 'terminalExamId' from shown) is not null
          then x.terminal_exam_id = (select (ranking ->> 'terminalExamId')::uuid from shown)
        else x.terminal_exam_id in (select terminal_exam_id from terminal_exams where school_id = $1)
          and ${enoughPrior(
            `select count(*) from prior_scores p
              where p.school_id = $1 and p.terminal_exam_id = x.terminal_exam_id and p.score is not null
                and p.student_id = any(array(select student_id from student))`,
            '(select count(*) from student)',
          )} end
  order by x.year_sat desc, ${inOrder('x.name')}
  limit 1
)
select
  (select json_build_object('terminalExamId', terminal_exam_id, 'name', name) from exam) as exam,
  (select json_build_object('taskId', k.task_id, 'name', k.name, 'at', k.ranking -> 'at', 'formula', k.ranking -> 'formula',
            'norms', k.ranking -> 'norms',
            'students', (select count(*) from task_students r where r.school_id = $1 and r.task_id = k.task_id),
            'sets', (select coalesce(json_agg(g.name order by ${inOrder('g.name')}, g.set_id), '[]')
                       from task_sets t join sets g on g.school_id = $1 and g.set_id = t.set_id
                      where t.school_id = $1 and t.task_id = k.task_id))
     from shown k) as ranked,
  (select json_agg(json_build_object('taskId', task_id, 'name', name, 'at', ranking -> 'at') order by ranked_position desc)
     from rankings) as rankings,
  subject_id as "subjectId", year_group_id as "yearGroupId", year, subject,
  (select coalesce(json_agg(json_build_object('setId', set_id, 'name', name) order by ${inOrder('name')}), '[]') from classes) as sets,
  (${TESTS_IN_ORDER}) as tests,
  (select coalesce(json_agg(json_build_object('studentId', s.student_id, 'admissionNo', s.admission_no, 'name', s.name, 'setId', s.set_id,
                              'columns', json_strip_nulls(json_build_object(${studentColumns.map(({ of }) => `'${of}', ${COLUMNS[of]}`).join(', ')})),
                              'overridden', case when not r.exempt and num_nonnulls(r.decided_ranking, r.decided_score, r.decided_grade) > 0 then (
                                select json_object_agg(o.part, o.value)
                                  from (values ('by', true, to_json(a.name)),
                                               ('ranking', r.decided_ranking is not null, to_json(r.ranking)),
                                               ('score', r.decided_score is not null, to_json(r.score)),
                                               ('grade', r.decided_grade is not null, to_json(r.grade))) o (part, is_decided, value)
                                 where o.is_decided) end)
                            order by ${inOrder('s.name')}, s.student_id), '[]')
     from student s
     left join prior_scores p
       on p.school_id = $1 and p.terminal_exam_id = (select terminal_exam_id from exam) and p.student_id = s.student_id
     left join task_students r on r.school_id = $1 and r.task_id = (select task_id from shown) and r.student_id = s.student_id
     left join accounts a on a.school_id = $1 and a.account_id = r.decided_by) as students
from year`;
