import { heads } from '../../../events/marks/cell.ts';
import type { StoredCell } from '../../../events/marks/cell-text.ts';
import { decodeCell } from '../../../events/marks/cell-text.ts';
import type { FeedbackTaskNorms } from '../../../events/tasks/ranking.ts';
import type { RunSql } from '../../common/facts.ts';
import { defineQuery } from '../../common/query.ts';
import { EVERY_EXAM } from '../../prior/prior.facts.ts';
import { percentOf, scoreBy, zOf } from './ranking.formula.ts';
import { noSuch } from '../../common/about.ts';
import type { TaskScore } from './task-ranking.contract.ts';
import { taskRankingQueries } from './task-ranking.contract.ts';
import { readRanked } from './task-ranking.query.ts';

/** How a student's score came about: totals, norms, and the events that entered them. */
export const taskScore = defineQuery({
  ...taskRankingQueries['task-score'],
  models: ['structure', 'roster', 'assessments', 'results', 'accounts', 'tasks'],
  marks: 'yearGroup',
  async run(query, { taskId, studentId }): Promise<TaskScore> {
    const [head] = await query<Head>(HEAD, [taskId]);
    const [student] = head ? await readRanked(query, taskId, head.norms, studentId) : [];
    if (!head || !student) throw noSuch('student');
    const { norms, position, names, ...ranked } = head;
    const changes = await readChanges(
      query,
      norms.tests.map(({ testId }) => testId),
      studentId,
      BigInt(position),
    );
    const { name, setId, prior, points, score, ranking, grade, residual, computed, decided, exempt } = student;
    const { totals, totalFlags, now } = student;
    const totalsNow = now?.totals ?? totals;
    const present = norms.tests.flatMap(({ testId }, place) => {
      const total = totalsNow[place] ?? null;
      return total === null ? [] : [[testId, total] as const];
    });
    return {
      taskId,
      studentId,
      name,
      setId,
      prior,
      points,
      score,
      ranking,
      grade,
      residual,
      computed,
      decided,
      exempt,
      ...ranked,
      priorNorms: norms.prior,
      tests: norms.tests.map((test, place) => {
        const total = totals[place] ?? null;
        const z = total === null ? null : zOf(test, total);
        return {
          ...test,
          name: names[test.testId] ?? '',
          total,
          percent: total === null ? null : percentOf(total, test.max),
          z,
          part: z === null ? null : test.multiplier * (z + 3),
          now: totalsNow[place] ?? null,
          totalFlags: totalFlags.flatMap(({ testId, flag }) => (testId === test.testId ? [flag] : [])),
          changes: changes.get(test.testId) ?? [],
        };
      }),
      now: { score: norms.tests.length === 0 ? null : scoreBy(norms, new Map(present)) },
    };
  },
});

type Head = Pick<TaskScore, 'rankedAt' | 'rankedBy' | 'rankingId' | 'formula' | 'exam'> & {
  readonly norms: FeedbackTaskNorms;
  /** of the ranking, in the log */
  readonly position: string;
  readonly names: Readonly<Record<string, string>>;
};
type Changes = TaskScore['tests'][number]['changes'];
type ReadCell = { readonly testId: string; readonly kind: 't' | 'm'; readonly cell: StoredCell };
type ReadSave = Omit<Changes[number], 'marks' | 'is' | 'how' | 'later'> & { readonly kind: string; readonly position: string };

/** By assessment, what stands of a student's total: its own changes, or those of the marks of its questions if it has none. */
const readChanges = async (
  query: RunSql,
  testIds: readonly string[],
  studentId: string,
  ranked: bigint,
): Promise<ReadonlyMap<string, Changes>> => {
  const cells = await query<ReadCell>(CELLS, [testIds, studentId]);
  const standing = cells.flatMap(({ testId, kind, cell }) =>
    heads(decodeCell(cell)).map(({ command, is }) => ({ testId, kind, commandId: command, is })),
  );
  const saves = await query<ReadSave>(SAVES, [[...new Set(standing.map(({ commandId }) => commandId))]]);
  const entered = new Set(standing.flatMap(({ testId, kind, is }) => (kind === 't' && typeof is === 'number' ? [testId] : [])));
  return new Map(
    testIds.map((testId) => {
      const isMarks = !entered.has(testId);
      const wanted = standing.filter((one) => one.testId === testId && one.kind === (isMarks ? 'm' : 't'));
      const of = saves.flatMap(({ kind, position, ...save }): Changes => {
        const change = wanted.find(({ commandId }) => commandId === save.commandId);
        if (!change) return [];
        return [
          {
            ...save,
            how: kind === 'typed' ? 'typed' : kind === 'decided' ? 'decided' : 'upload',
            marks: isMarks,
            is: isMarks || typeof change.is !== 'number' ? null : change.is,
            later: BigInt(position) > ranked,
          },
        ];
      });
      return [testId, of];
    }),
  );
};

/** $1 school; $2 task. */
const HEAD = `
select k.ranking -> 'norms' as norms, k.ranked_position::text as position,
  to_json(k.ranked_at) #>> '{}' as "rankedAt", a.name as "rankedBy", k.ranking ->> 'rankingId' as "rankingId", k.ranking ->> 'formula' as formula, x.name as exam,
  (select coalesce(json_object_agg(t.test_id, t.name), '{}')
     from (select school_id, subject_id, test_id, name from tests union all select school_id, subject_id, test_id, name from deleted_tests) t
    where t.school_id = $1 and t.subject_id = k.subject_id) as names
from feedback_tasks k
left join accounts a on a.school_id = $1 and a.account_id = (k.ranking ->> 'by')::uuid
left join ${EVERY_EXAM} x on x.school_id = $1 and x.terminal_exam_id = (k.ranking ->> 'terminalExamId')::uuid
where k.school_id = $1 and k.task_id = $2 and k.ranked_at is not null`;

/** $1 school; $2 assessments; $3 student. */
const CELLS = `
select r.test_id as "testId", r.kind, r.cell
from unnest($2::uuid[]) x (test_id)
join results r on r.school_id = $1 and r.test_id = x.test_id and r.student_id = $3 and r.kind in ('t', 'm')`;

/** $1 school; $2 commands. */
const SAVES = `
select v.command_id as "commandId", v.kind, to_json(v.at) #>> '{}' as at, a.name as by, v.file_name as "fileName", v.position::text as position
from saves v left join accounts a on a.school_id = $1 and a.account_id = v.account_id
where v.school_id = $1 and v.command_id = any($2::uuid[])
order by v.position`;
