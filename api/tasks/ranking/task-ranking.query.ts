import type { FeedbackTaskNorms } from '../../../events/tasks/ranking.ts';
import type { RunSql } from '../../common/facts.ts';
import { theRow } from '../../common/facts.ts';
import { inOrder } from '../../common/in-order.ts';
import { defineSharedQuery, JsonText } from '../../common/query.ts';
import { paperOf, STAFF_TOTAL } from '../../marks/staff-total.facts.ts';
import { EVERY_EXAM } from '../../prior/prior.facts.ts';
import { ProblemError } from '../../common/problems.ts';
import { flaggedTotalsOf } from './flagged-totals.facts.ts';
import { ranksOf, scoreBy, testsGiven } from './ranking.formula.ts';
import type { RankedStudent, TaskRanking } from './task-ranking.contract.ts';
import { taskRankingQueries } from './task-ranking.contract.ts';
import { readCheckedSets } from '../task.query.ts';
import { statusOfSets } from '../tasks.query.ts';

/** The ranked students of a task, or of one class, with what was checked and decided, and what corrections would change. */
export const taskRanking = defineSharedQuery({
  ...taskRankingQueries['task-ranking'],
  models: ['structure', 'roster', 'assessments', 'results', 'accounts', 'tasks'],
  marks: 'yearGroup',
  async read(query, { taskId, setId }) {
    const head = theRow(await query<Head>(HEAD, [taskId]));
    const { norms, ranking, tests, ...task } = head;
    const sets = await readCheckedSets(query, taskId, setId);
    const ranked = norms ? await readRanked(query, taskId, norms) : [];
    const testIds = norms?.tests.map(({ testId }) => testId) ?? [];
    const maps = sets.flatMap((set) => set.tests.map(({ testId }) => ({ setId: set.setId, testId })));
    const given = testsGiven(testIds, maps, ranked);
    const students = ranked.map((student): RankedStudent => ({ ...student, given: given.get(student.setId) ?? 0 }));
    const names = new Map(tests.map(({ testId, name }) => [testId, name]));
    const shared: TaskRanking = {
      taskId,
      ...task,
      status: statusOfSets(sets, setId),
      sets: sets.map(({ setId: id, name, status, rankingChecked, gradesChecked }) => ({
        setId: id,
        name,
        status,
        rankingChecked,
        gradesChecked,
      })),
      ranking: ranking && norms && { ...ranking, students: students.length, norms: namedNorms(norms, names) },
      students: setId === undefined ? students : students.filter((student) => student.setId === setId),
    };
    return { text: new JsonText<TaskRanking>(JSON.stringify(shared)), facts: { hasSet: sets.length > 0 } };
  },
  ownFields({ hasSet }: { readonly hasSet: boolean }, _actor, { setId }) {
    if (setId !== undefined && !hasSet) throw new ProblemError('not-found', 'This class is not in the task.');
    return {};
  },
});

type Head = Pick<TaskRanking, 'subjectId' | 'yearGroupId' | 'name' | 'expiry' | 'teacherInput' | 'grades'> & {
  readonly ranking: Omit<NonNullable<TaskRanking['ranking']>, 'students' | 'norms'> | null;
  readonly norms: FeedbackTaskNorms | null;
  readonly tests: readonly { readonly testId: string; readonly name: string }[];
};

export const namedNorms = (
  { prior, tests }: FeedbackTaskNorms,
  names: ReadonlyMap<string, string>,
): NonNullable<TaskRanking['ranking']>['norms'] => ({
  prior,
  tests: tests.map(({ counted: _, ...test }) => ({ ...test, name: names.get(test.testId) ?? '' })),
});

type ReadStudent = Omit<RankedStudent, 'sat' | 'given' | 'score' | 'ranking' | 'grade' | 'now'> & {
  /** the staff totals of now, parallel to the norms' tests */
  readonly totalsNow: readonly (number | null)[];
};

/** The whole cohort. `studentId`: only this student; the ranks of now are then theirs alone. */
export const readRanked = async (
  query: RunSql,
  taskId: string,
  norms: FeedbackTaskNorms,
  studentId?: string,
): Promise<readonly Omit<RankedStudent, 'given'>[]> => {
  const testIds = norms.tests.map(({ testId }) => testId);
  const rows = await query<ReadStudent>(STUDENTS, [taskId, testIds, studentId ?? null]);
  const scores = new Map(rows.map((row) => [row.studentId, scoreBy(norms, byTest(testIds, row.totalsNow))]));
  const rankings = ranksOf(rows.map((row) => ({ studentId: row.studentId, score: scores.get(row.studentId) ?? null })));
  return rows.map(({ totalsNow, ...row }) => {
    const { computed, decided } = row;
    const now = {
      totals: totalsNow,
      score: scores.get(row.studentId) ?? null,
      ranking: rankings.get(row.studentId) ?? null,
      changed: totalsNow.some((total, place) => total !== row.totals[place]),
    };
    // A ranking that was made elsewhere has no norms: nobody can say what it would be now.
    const isSame = norms.tests.length === 0 || (!now.changed && now.score === computed.score && now.ranking === computed.ranking);
    return {
      ...row,
      sat: row.totals.filter((total) => total !== null).length,
      score: decided?.score ?? computed.score,
      ranking: decided?.ranking ?? computed.ranking,
      grade: decided?.grade ?? computed.grade,
      now: isSame ? null : now,
    };
  });
};

const byTest = (testIds: readonly string[], totals: readonly (number | null)[]): ReadonlyMap<string, number> =>
  new Map(
    testIds.flatMap((testId, place) => {
      const total = totals[place] ?? null;
      return total === null ? [] : [[testId, total] as const];
    }),
  );

/** $1 school; $2 task. */
const HEAD = `
select k.subject_id as "subjectId", k.year_group_id as "yearGroupId", k.name, k.expiry, k.teacher_input as "teacherInput",
  k.ranking -> 'norms' as norms,
  (select json_build_object('rankingId', k.ranking ->> 'rankingId', 'at', k.ranking ->> 'at', 'by', a.name, 'formula', k.ranking ->> 'formula',
            'terminalExamId', k.ranking ->> 'terminalExamId', 'exam', x.name)
     from (select) one
     left join accounts a on a.school_id = $1 and a.account_id = (k.ranking ->> 'by')::uuid
     left join ${EVERY_EXAM} x on x.school_id = $1 and x.terminal_exam_id = (k.ranking ->> 'terminalExamId')::uuid
    where k.ranked_at is not null) as ranking,
  (select json_build_object('gradesId', k.grades ->> 'gradesId', 'shares', k.grades -> 'shares')
    where k.grades is not null) as grades,
  (select coalesce(json_agg(json_build_object('testId', t.test_id, 'name', t.name)), '[]')
     from (select test_id, name, subject_id, school_id from tests union all select test_id, name, subject_id, school_id from deleted_tests) t
    where t.school_id = $1 and t.subject_id = k.subject_id) as tests
from feedback_tasks k
where k.school_id = $1 and k.task_id = $2`;

/** $1 school; $2 task; $3 assessments in order; $4 student. Each cell is looked up by its whole key (offset 0 keeps it so). */
const STUDENTS = `
with flagged as materialized (
  select f.student_id, json_agg(json_build_object('testId', f.test_id, 'flag', f.flag) order by f.test_id, f.flag) as flags
  from (${flaggedTotalsOf({
    students: `array(
      select r.student_id from task_students r where r.school_id = $1 and r.task_id = $2 and ($4::uuid is null or r.student_id = $4))`,
    tests: '$3::uuid[]',
  })}) f
  group by f.student_id
)
select r.student_id as "studentId", s.admission_no as "admissionNo", s.name, r.set_id as "setId",
  not exists (select from enrolments e
               where e.school_id = $1 and e.subject_id = k.subject_id and e.student_id = r.student_id and e.set_id is not null) as left,
  r.prior_score as prior, r.prior as points, r.totals, r.residual,
  json_build_object('score', r.score, 'ranking', r.ranking, 'grade', r.grade) as computed,
  case when r.exempt or coalesce(r.decided_score::text, r.decided_ranking::text, r.decided_grade) is not null then
    json_build_object('score', r.decided_score, 'ranking', r.decided_ranking, 'grade', r.decided_grade,
      'by', a.name, 'at', to_json(r.decided_at) #>> '{}') end as decided,
  coalesce((select f.flags from flagged f where f.student_id = r.student_id), '[]') as "totalFlags",
  r.exempt, r.teacher_rank as "teacherRank", r.ranking_flag as "rankingFlag", r.ranking_comment as "rankingComment",
  r.grade_flag as "gradeFlag", r.grade_comment as "gradeComment",
  (select coalesce(json_agg(c.total order by x.place), '[]')
     from unnest($3::uuid[]) with ordinality x (test_id, place)
     ${paperOf('x.test_id')}
     left join lateral (
       select ${STAFF_TOTAL} as total
         from markbook m where m.school_id = $1 and m.test_id = x.test_id and m.student_id = r.student_id offset 0) c on true) as "totalsNow"
from feedback_tasks k
join task_students r on r.school_id = $1 and r.task_id = k.task_id
left join students s on s.school_id = $1 and s.student_id = r.student_id
left join accounts a on a.school_id = $1 and a.account_id = r.decided_by
where k.school_id = $1 and k.task_id = $2 and ($4::uuid is null or r.student_id = $4)
order by coalesce(r.decided_ranking, r.ranking) nulls last, ${inOrder('s.name')}, r.student_id`;
