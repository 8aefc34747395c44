import { eventId } from '../../../events/codec/ids.ts';
import type { Facts, RunSql } from '../../common/facts.ts';
import type { FlaggedTotal } from '../../contract/total-flag.ts';
import { paperOf, STAFF_TOTAL } from '../../marks/staff-total.facts.ts';
import type { Coverage } from '../task-fields.contract.ts';
import { flaggedTotalsJson } from './flagged-totals.facts.ts';

/** What a ranking of a task depends on, all of one moment. */
export type RankingFacts = {
  /** undefined: there is no such task */
  readonly task: { readonly subjectId: string; readonly yearGroupId: string } | undefined;
  /** Its classes, with their names; also deleted ones, in which nobody is on roll. */
  readonly sets: ReadonlyMap<string, string>;
  /** Whether the subject has such a terminal exam. */
  readonly exam: boolean;
  /** For the whole year group. */
  readonly prior: Coverage & { readonly mixed: boolean };
  /** Those on roll in the classes, by id. */
  readonly students: readonly CohortStudent[];
  /** The chosen assessments and the task's own, as far as they have a maximum and a staff total of somebody in the cohort. */
  readonly tests: ReadonlyMap<string, SatTest>;
  /** What is open about totals of the cohort in the chosen assessments. */
  readonly flaggedTotals: readonly FlaggedTotal[];
};
/** `priorScore`: as typed; null: none. */
export type CohortStudent = { readonly studentId: string; readonly setId: string; readonly priorScore: string | null };
export type SatTest = {
  readonly testId: string;
  readonly max: number;
  /** The classes in which somebody has a total. */
  readonly satBy: ReadonlySet<string>;
  /** The staff totals by student. */
  readonly totals: ReadonlyMap<string, number>;
  /** What entered them and stands: see `TaskRanked`. Of the chosen assessments only. */
  readonly counted: { readonly events: number; readonly last: string | null };
};

type Chosen = { readonly taskId: string; readonly terminalExamId: string; readonly testIds: readonly string[] };

export const rankingFacts: Facts<Chosen, RankingFacts> = {
  models: ['structure', 'roster', 'assessments', 'results', 'prior', 'tasks'],
  waits: true,
  load: (query, chosen) => readRankingFacts(query, chosen),
};

export const readRankingFacts = async (query: RunSql, { taskId, terminalExamId, testIds }: Chosen): Promise<RankingFacts> => {
  // One statement: all of it is of one moment.
  const [read] = await query<Read>(RANKING, [taskId, terminalExamId, [...new Set(testIds)]]);
  if (!read) return NOTHING;
  const { subjectId, yearGroupId, sets, exam, scores, onRoll, letters, students, tests, flaggedTotals } = read;
  const setOf = new Map(students.map(({ studentId, setId }) => [studentId, setId]));
  return {
    task: { subjectId, yearGroupId },
    sets: new Map(sets.map(({ setId, name }) => [setId, name])),
    exam,
    prior: { scores, students: onRoll, mixed: letters > 0 && letters < scores },
    students,
    tests: new Map(
      tests.map(({ testId, max, studentIds, totals, events, last }) => [
        testId,
        {
          testId,
          max,
          satBy: new Set(studentIds.map((studentId) => setOf.get(studentId) ?? '')),
          totals: new Map(studentIds.map((studentId, index) => [studentId, totals[index] ?? 0])),
          counted: { events: events ?? 0, last: last === null ? null : eventId(last, 0) },
        },
      ]),
    ),
    flaggedTotals,
  };
};

const NOTHING: RankingFacts = {
  task: undefined,
  sets: new Map(),
  exam: false,
  prior: { scores: 0, students: 0, mixed: false },
  students: [],
  tests: new Map(),
  flaggedTotals: [],
};

type Read = {
  readonly subjectId: string;
  readonly yearGroupId: string;
  readonly sets: readonly { readonly setId: string; readonly name: string }[];
  readonly exam: boolean;
  readonly scores: number;
  readonly onRoll: number;
  readonly letters: number;
  readonly students: readonly CohortStudent[];
  readonly tests: readonly {
    readonly testId: string;
    readonly max: number;
    /** Parallel: who has a total, and what. */
    readonly studentIds: readonly string[];
    readonly totals: readonly number[];
    readonly events: number | null;
    /** the command of the last save */
    readonly last: string | null;
  }[];
  readonly flaggedTotals: readonly FlaggedTotal[];
};

/**
 * $1 school; $2 task; $3 terminal exam; $4 chosen assessments.
 * The rows of a test are found in one walk along the key of the markbook. A save is counted for an assessment if it names it and somebody
 * of the cohort.
 */
const RANKING = `
with task as materialized (
  select k.subject_id, k.year_group_id from feedback_tasks k where k.school_id = $1 and k.task_id = $2
),
-- Scores of another subject's exam are none of this task's business.
exam as materialized (
  select x.terminal_exam_id from terminal_exams x
  where x.school_id = $1 and x.subject_id = (select subject_id from task) and x.terminal_exam_id = $3
),
own as materialized (
  select s.set_id, s.test_ids, g.name, g.deleted
  from task_sets s join sets g on g.school_id = $1 and g.set_id = s.set_id
  where s.school_id = $1 and s.task_id = $2
),
student as materialized (
  select e.student_id, e.set_id, p.score
  from own o
  join enrolments e on e.school_id = $1 and e.set_id = o.set_id
  left join lateral (select * from prior_scores p
                      where p.school_id = $1 and p.terminal_exam_id = (select terminal_exam_id from exam) and p.student_id = e.student_id offset 0) p on true
  where not o.deleted
),
year as materialized (
  select count(*)::int4 as students, count(p.score)::int4 as scores, (count(*) filter (where p.score !~ '^[-0-9]'))::int4 as letters
  from task k
  join sets g on g.school_id = $1 and g.subject_id = k.subject_id and g.year_group_id = k.year_group_id and not g.deleted
  join enrolments e on e.school_id = $1 and e.set_id = g.set_id
  left join lateral (select * from prior_scores p
                      where p.school_id = $1 and p.terminal_exam_id = (select terminal_exam_id from exam) and p.student_id = e.student_id offset 0) p on true
),
test as materialized (
  select t.test_id, t.max, c.students, c.totals
  from tests t
  ${paperOf('t.test_id')}
  cross join lateral (
    select json_agg(m.student_id) as students, json_agg(m.total) as totals
    from (select m.student_id, ${STAFF_TOTAL} as total
          from markbook m
          where m.school_id = $1 and m.test_id = t.test_id and m.student_id = any(array(select student_id from student)) offset 0) m
    where m.total is not null
  ) c
  where t.school_id = $1 and t.subject_id = (select subject_id from task) and t.max > 0
    and (t.test_id = any($4::uuid[]) or t.test_id in (select unnest(test_ids) from own))
    and c.students is not null
),
saved as materialized (
  select x.test_id, count(distinct v.command_id)::int4 as events, (array_agg(v.command_id order by v.position desc))[1] as last
  from saves v
  cross join unnest(v.test_ids) x (test_id)
  where v.school_id = $1 and v.subject_id = (select subject_id from task) and v.test_ids && $4::uuid[] and not v.undone
    and x.test_id = any($4::uuid[])
    -- No join: it would compare each student of each save with each of the cohort.
    and (select bool_or(y.student_id in (select student_id from student)) from unnest(v.student_ids) y (student_id))
  group by x.test_id
)
select k.subject_id as "subjectId", k.year_group_id as "yearGroupId",
  (select coalesce(json_agg(json_build_object('setId', set_id, 'name', name) order by name, set_id), '[]') from own) as sets,
  exists (select from exam) as exam,
  y.scores, y.students as "onRoll", y.letters,
  (select coalesce(json_agg(json_build_object('studentId', student_id, 'setId', set_id, 'priorScore', score) order by student_id), '[]')
     from student) as students,
  (select coalesce(json_agg(json_build_object('testId', t.test_id, 'max', t.max, 'studentIds', t.students, 'totals', t.totals,
            'events', v.events, 'last', v.last)), '[]')
     from test t left join saved v using (test_id)) as tests,
  ${flaggedTotalsJson({
    students: 'array(select student_id from student)',
    tests: 'array(select test_id from test where test_id = any($4::uuid[]))',
  })} as "flaggedTotals"
from task k cross join year y`;
