/** Plans a ranking. The preview and the command use the same function, so that they cannot disagree. */
import type { FeedbackTask, FeedbackTaskEvent } from '../../../events/tasks/feedback-task.ts';
import type { Ranking } from '../../../events/tasks/ranking.ts';
import { setsOf } from '../../../events/tasks/feedback-task.ts';
import type { Refused } from '../../common/command.ts';
import { ask, refuse } from '../../common/command.ts';
import type { FlaggedTotal } from '../../contract/total-flag.ts';
import { NO_EXAM } from '../../prior/prior.rules.ts';
import { priorPoints } from '../../prior/prior-score.contract.ts';
import type { WasRanked } from '../feedback-task.rules.ts';
import { noTask, rankTask } from '../feedback-task.rules.ts';
import { rank } from './ranking.formula.ts';
import { FLAGS } from '../../contract/flags.ts';
import { taskMessages } from '../task-fields.contract.ts';
import type { RankingFacts } from './ranking.facts.ts';

export type ChosenRanking = { readonly terminalExamId: string; readonly testIds: readonly string[] };
/** The flags of totals that the author has seen. */
type Seen = { readonly flaggedTotals?: readonly FlaggedTotal[] | undefined };

/** The events of a ranking by these tests, or why there can be none. It asks about flagged totals that the author has not seen. */
export const planRanking = (
  task: FeedbackTask,
  { terminalExamId, testIds, flaggedTotals: seen = [], ...was }: ChosenRanking & WasRanked & Seen,
  facts: RankingFacts,
): readonly FeedbackTaskEvent[] | Refused => {
  if (task.subjectId === undefined || task.deleted || !facts.task) return noTask();
  const { sets, exam, prior, tests } = facts;
  // Changed since the facts were read.
  const setIds = setsOf(task);
  if (setIds.length !== sets.size || !setIds.every((setId) => sets.has(setId))) return refuse('conflict', taskMessages.changedMeanwhile);
  if (!exam) return refuse('invalid-input', NO_EXAM, [{ path: 'terminalExamId', message: NO_EXAM }]);
  const unsat = testIds.flatMap((testId, index) => (tests.has(testId) ? [] : [{ path: `testIds.${index}`, message: NO_TOTALS }]));
  const ranking = rankingOf({ terminalExamId, testIds }, facts);
  const planned = rankTask(
    task,
    ranking,
    {
      hasTotals: ({ setId, testId }) => tests.get(testId)?.satBy.has(setId) ?? false,
      setName: (setId) => sets.get(setId) ?? 'a class',
      prior,
    },
    was,
  );
  // What the task lacks comes first: without totals no test is offered.
  if ('code' in planned && planned.code !== 'conflict' && planned.code !== 'invalid-input') return planned;
  if (unsat.length > 0) return refuse('invalid-input', NO_TOTALS, unsat);
  // Nothing is asked about a ranking that stands already, or that is refused.
  return 'code' in planned || planned.length === 0 ? planned : (askAbout(unseen(facts.flaggedTotals, seen)) ?? planned);
};

/** The flags that were not seen. */
const unseen = (open: readonly FlaggedTotal[], seen: readonly FlaggedTotal[]): readonly FlaggedTotal[] => {
  const seenKeys = new Set(seen.map(keyOf));
  return open.filter((one) => !seenKeys.has(keyOf(one)));
};
const keyOf = ({ studentId, testId, flag }: FlaggedTotal): string => `${studentId} ${testId} ${flag}`;

const askAbout = (flaggedTotals: readonly FlaggedTotal[]): Refused | undefined =>
  flaggedTotals.length === 0
    ? undefined
    : ask(
        taskMessages.flagged(flaggedTotals.map(({ flag }) => flag)),
        flaggedTotals.map(({ studentId, testId, flag }) => ({ path: `students.${studentId}.${testId}`, message: FLAGS[flag].text })),
        { flaggedTotals: [...flaggedTotals] },
      );

const NO_TOTALS = 'Nobody in these classes has a total in this test.';

/** The ranking by those of the tests in which somebody has a total. */
export const rankingOf = ({ terminalExamId, testIds }: ChosenRanking, { students, tests }: RankingFacts): Ranking => {
  const chosen = [...new Set(testIds)].flatMap((testId) => tests.get(testId) ?? []);
  const { formula, norms, rows } = rank(
    students.map(({ studentId, priorScore }) => ({ studentId, prior: priorScore === null ? null : priorPoints(priorScore) })),
    chosen,
  );
  const by = new Map(students.map((student) => [student.studentId, student]));
  const totals = norms.tests.map(({ testId }) => tests.get(testId)?.totals);
  return {
    formula,
    terminalExamId,
    norms: {
      prior: norms.prior,
      tests: norms.tests.map((test) => ({ ...test, counted: tests.get(test.testId)?.counted ?? { events: 0, last: null } })),
    },
    rows: rows.map(({ studentId, prior, score, ranking, residual }) => ({
      studentId,
      setId: by.get(studentId)?.setId ?? '',
      priorScore: by.get(studentId)?.priorScore ?? null,
      prior,
      totals: totals.map((of) => of?.get(studentId) ?? null),
      score,
      ranking,
      residual,
    })),
  };
};
