import type { FeedbackTask, SetStatus, TaskStudent } from '../../../events/tasks/feedback-task.ts';
import { feedbackTask } from '../../../events/tasks/feedback-task.ts';
import type { Ranking } from '../../../events/tasks/ranking.ts';
import { digestOfRanking } from '../../../events/tasks/ranking.ts';
import { Refused } from '../../common/command.ts';
import type { RunSql } from '../../common/facts.ts';
import type { NamedStudent } from '../../contract/names.ts';
import { inOrder } from '../../common/in-order.ts';
import { defineQuery } from '../../common/query.ts';
import { noSuch } from '../../common/about.ts';
import type { HandResult } from '../feedback-task.rules.ts';
import { handResultsAfter } from '../feedback-task.rules.ts';
import { testsGiven, warningsOf } from './ranking.formula.ts';
import type { RankingPreview } from './ranking-preview.contract.ts';
import { rankingQueries } from './ranking-preview.contract.ts';
import { readRankingFacts } from './ranking.facts.ts';
import { planRanking, rankingOf } from './ranking.rules.ts';

/** What RankTask would do: it is planned by the same function, from the same facts. */
export const rankingPreview = defineQuery({
  ...rankingQueries['ranking-preview'],
  models: ['structure', 'roster', 'assessments', 'results', 'prior', 'tasks'],
  marks: 'yearGroup',
  async run(query, { taskId, ...chosen }): Promise<RankingPreview> {
    const facts = await readRankingFacts(query, { taskId, ...chosen });
    const basis = await readPreviewBasis(query, taskId);
    if (!facts.task || !basis) throw noSuch('task');
    if (!facts.exam) throw noSuch('exam');
    const { task, before, checked, names, tests } = basis;
    // It shows what RankTask would ask about.
    const planned = planRanking(task, { ...chosen, flaggedTotals: facts.flaggedTotals }, facts);
    const ranking = rankedBy(planned) ?? rankingOf(chosen, facts);
    const digest = digestOfRanking(ranking);
    const who = (studentId: string): NamedStudent => names.get(studentId) ?? FORGOTTEN;
    const testName = (testId: string): string => tests.get(testId) ?? '';
    const flags = Map.groupBy(facts.flaggedTotals, ({ studentId }) => studentId);
    const given = testsGiven(
      ranking.norms.tests.map(({ testId }) => testId),
      task.maps,
      ranking.rows,
    );
    const students = ranking.rows.map(({ prior: points, priorScore: prior, ...row }) => ({
      ...row,
      ...who(row.studentId),
      setName: facts.sets.get(row.setId) ?? '',
      prior,
      points,
      totalFlags: (flags.get(row.studentId) ?? []).map(({ testId, flag }) => ({ testId, flag })),
      sat: row.totals.filter((total) => total !== null).length,
      given: given.get(row.setId) ?? 0,
      was: before.get(row.studentId) ?? null,
    }));
    const warnings = warningsOf({ norms: ranking.norms, rows: students });
    const same = task.ranking?.digest === digest;
    const { gone, kept } = same ? { gone: [], kept: [] } : handResultsAfter(task, ranking);
    const withName = (row: HandResult) => ({ ...row, ...who(row.studentId) });
    return {
      taskId,
      refused: planned instanceof Refused ? planned.title : null,
      errors: planned instanceof Refused ? planned.errors : [],
      prior: facts.prior,
      rankingId: task.ranking?.rankingId ?? null,
      digest,
      same,
      voids: checked.map((setId) => ({ setId, name: facts.sets.get(setId) ?? '' })),
      decisions: { gone: gone.map(withName), kept: kept.map(withName) },
      norms: {
        prior: ranking.norms.prior,
        tests: ranking.norms.tests.map(({ counted: _counted, ...test }) => ({ ...test, name: testName(test.testId) })),
      },
      warnings: [
        ...facts.flaggedTotals.map(({ studentId, testId, flag }) => ({
          about: flag,
          studentId,
          ...who(studentId),
          testId,
          test: testName(testId),
        })),
        ...warnings.map((warning) => {
          if ('testId' in warning) return { ...warning, name: testName(warning.testId) };
          return 'studentId' in warning ? { ...warning, ...who(warning.studentId) } : warning;
        }),
      ],
      changes: task.ranking ? changesOf(students, before, names) : null,
      students: students.toSorted(byRanking(names)),
    };
  },
});

/** undefined: nothing would be ranked. */
const rankedBy = (planned: ReturnType<typeof planRanking>): Ranking | undefined => {
  const [event] = planned instanceof Refused ? [] : planned;
  return event?.type === 'TaskRanked' ? event.data : undefined;
};

type Student = RankingPreview['students'][number];
type Before = ReadonlyMap<string, { readonly score: number | null; readonly ranking: number | null }>;

const changesOf = (students: readonly Student[], before: Before, names: Names): NonNullable<RankingPreview['changes']> => {
  const now = new Set(students.map(({ studentId }) => studentId));
  return {
    scores: students.filter(({ was, score }) => was && was.score !== score).length,
    rankings: students.filter(({ was, ranking }) => was && was.ranking !== ranking).length,
    joined: students.filter(({ was }) => was === null).length,
    left: [...before.keys()]
      .filter((studentId) => !now.has(studentId))
      .map((studentId) => ({ studentId, ...(names.get(studentId) ?? FORGOTTEN) })),
  };
};

/** Those without a rank last; names in the order of the database. */
const byRanking = (names: Names) => {
  const places = new Map([...names.keys()].map((studentId, place) => [studentId, place]));
  return (a: Student, b: Student): number =>
    (a.ranking ?? Infinity) - (b.ranking ?? Infinity) || (places.get(a.studentId) ?? 0) - (places.get(b.studentId) ?? 0);
};

/** By student, in the order of the names. */
type Names = ReadonlyMap<string, NamedStudent>;
const FORGOTTEN: NamedStudent = { name: null, admissionNo: null };
type PreviewBasis = {
  readonly task: FeedbackTask;
  /** the ranking that stands, by student */
  readonly before: Before;
  readonly names: Names;
  /** classes whose ranking was checked */
  readonly checked: readonly string[];
  /** names by assessment */
  readonly tests: ReadonlyMap<string, string>;
};

/** The task as its events have made it, as far as a ranking depends on it. */
const readPreviewBasis = async (query: RunSql, taskId: string): Promise<PreviewBasis | undefined> => {
  const [read] = await query<Read>(BASIS, [taskId]);
  if (!read) return undefined;
  const { subjectId, yearGroupId, expiry, teacherInput, ranking, sets, rows: stored, names, tests } = read;
  const rows = stored.map(({ exempt: _exempt, decided: _decided, ...row }) => row);
  return {
    task: {
      ...feedbackTask.initial(),
      subjectId,
      yearGroupId,
      expiry,
      teacherInput,
      maps: sets.flatMap(({ setId, testIds }) => testIds.map((testId) => ({ setId, testId }))),
      statuses: new Map(sets.flatMap(({ setId, status }) => (status === null ? [] : [[setId, status]]))),
      students: new Map(stored.map(studentOf)),
      ranking:
        (ranking && {
          rankingId: ranking.rankingId,
          digest:
            ranking.terminalExamId === null
              ? null
              : digestOfRanking({ formula: 'R3', terminalExamId: ranking.terminalExamId, norms: ranking.norms, rows }),
        }) ||
        undefined,
    },
    before: new Map(rows.map(({ studentId, score, ranking: place }) => [studentId, { score, ranking: place }])),
    checked: sets.flatMap(({ setId, status, checked }) => (status === 3 && checked ? [setId] : [])),
    names: new Map(names.map(({ studentId, ...named }) => [studentId, named])),
    tests: new Map(tests.map(({ testId, name }) => [testId, name])),
  };
};

type StoredRow = Ranking['rows'][number] & {
  readonly exempt: boolean;
  readonly decided: { readonly ranking: number | null; readonly score: number | null };
};
const studentOf = ({ studentId, setId, ranking, score, decided, exempt }: StoredRow): readonly [string, TaskStudent] => [
  studentId,
  { setId, computed: { ranking, score, grade: null }, decided: { ...decided, grade: null }, exempt },
];

type Read = {
  readonly subjectId: string;
  readonly yearGroupId: string;
  readonly expiry: string;
  readonly teacherInput: boolean;
  readonly ranking: { readonly rankingId: string; readonly terminalExamId: string | null; readonly norms: Ranking['norms'] } | null;
  readonly sets: readonly {
    readonly setId: string;
    readonly testIds: readonly string[];
    readonly status: SetStatus | null;
    readonly checked: boolean;
  }[];
  readonly rows: readonly StoredRow[];
  readonly names: readonly (NamedStudent & { readonly studentId: string })[];
  readonly tests: readonly { readonly testId: string; readonly name: string }[];
};

/** $1 school; $2 task. */
const BASIS = `
select k.subject_id as "subjectId", k.year_group_id as "yearGroupId", k.expiry::text as expiry, k.teacher_input as "teacherInput", k.ranking,
  (select coalesce(json_agg(json_build_object('setId', s.set_id, 'testIds', s.test_ids, 'status', s.status,
            'checked', s.ranking_checked_at is not null)), '[]')
     from task_sets s where s.school_id = $1 and s.task_id = k.task_id) as sets,
  (select coalesce(json_agg(json_build_object('studentId', r.student_id, 'setId', r.set_id, 'priorScore', r.prior_score, 'prior', r.prior,
            'totals', r.totals, 'score', r.score, 'ranking', r.ranking, 'residual', r.residual, 'exempt', r.exempt,
            'decided', json_build_object('ranking', r.decided_ranking, 'score', r.decided_score)) order by r.student_id), '[]')
     from task_students r where r.school_id = $1 and r.task_id = k.task_id) as rows,
  (select coalesce(json_agg(json_build_object('studentId', s.student_id, 'name', s.name, 'admissionNo', s.admission_no)
                            order by ${inOrder('s.name')}, s.student_id), '[]')
     from students s
    where s.school_id = $1
      and (s.student_id in (select r.student_id from task_students r where r.school_id = $1 and r.task_id = k.task_id)
        or s.student_id in (select e.student_id from task_sets t join enrolments e on e.school_id = $1 and e.set_id = t.set_id
                             where t.school_id = $1 and t.task_id = k.task_id))) as names,
  (select coalesce(json_agg(json_build_object('testId', t.test_id, 'name', t.name)), '[]')
     from tests t where t.school_id = $1 and t.subject_id = k.subject_id) as tests
from feedback_tasks k
where k.school_id = $1 and k.task_id = $2`;
