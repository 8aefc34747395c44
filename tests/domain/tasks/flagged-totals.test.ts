import { expect, test } from 'vitest';
import type { FlaggedTotal } from '../../../api/contract/total-flag.ts';
import { Refused } from '../../../api/common/command.ts';
import type { RankingFacts } from '../../../api/tasks/ranking/ranking.facts.ts';
import type { Decision } from '../../../api/tasks/feedback-task.rules.ts';
import { completeTask } from '../../../api/tasks/grades/grades.rules.ts';
import { planRanking } from '../../../api/tasks/ranking/ranking.rules.ts';
import type { FeedbackTaskEvent } from '../../../events/tasks/feedback-task.ts';
import { id } from '../../support/decider.ts';
import { anna, ben, carl, created, dora, enough, exemptDora, fold, mock, setName, states, to5, x1, x2 } from '../../support/task-states.ts';

const task = fold(created);
const chosen = { terminalExamId: id('ks2'), testIds: [mock] };
const known = (flaggedTotals: readonly FlaggedTotal[]): RankingFacts => ({
  task: { subjectId: id('maths'), yearGroupId: id('year 11') },
  sets: new Map([
    [x1, '11X1'],
    [x2, '11X2'],
  ]),
  exam: true,
  prior: enough,
  students: [
    { studentId: anna, setId: x1, priorScore: '30' },
    { studentId: ben, setId: x2, priorScore: '40' },
  ],
  tests: new Map([
    [
      mock,
      {
        testId: mock,
        max: 20,
        satBy: new Set([x1, x2]),
        totals: new Map([
          [anna, 18],
          [ben, 21],
        ]),
        counted: { events: 1, last: null },
      },
    ],
  ]),
  flaggedTotals,
});
const contested = { studentId: anna, testId: mock, flag: 'contested' } as const;
const above = { studentId: ben, testId: mock, flag: 'above-maximum' } as const;

test('a ranking asks about contested and above-maximum totals that its author has not seen', () => {
  const asked = planRanking(task, chosen, known([contested, above]));
  expect(asked instanceof Refused && [asked.code, asked.title, asked.asks]).toEqual([
    'answers-needed',
    '1 total is contested, 1 total is above the maximum. Nothing was ranked: look at them, then decide which count, or rank by them as they are.',
    { flaggedTotals: [contested, above] },
  ]);
  // Of one that has changed, too: it was above the maximum when the author looked, and is contested now.
  const other = planRanking(
    task,
    { ...chosen, flaggedTotals: [{ ...contested, flag: 'above-maximum' }, above] },
    known([contested, above]),
  );
  expect(other instanceof Refused && other.asks).toEqual({ flaggedTotals: [contested] });
});

test('it is taken once all are named, also those that were decided meanwhile, and without a word where nothing is open', () => {
  const types = (decided: ReturnType<typeof planRanking>) => (decided instanceof Refused ? decided.title : decided.map(({ type }) => type));
  expect(types(planRanking(task, { ...chosen, flaggedTotals: [contested, above] }, known([above])))).toEqual(['TaskRanked']);
  expect(types(planRanking(task, chosen, known([])))).toEqual(['TaskRanked']);
  // The same again changes nothing, so that nothing is asked.
  const [ranked] = planRanking(task, chosen, known([])) as Exclude<ReturnType<typeof planRanking>, Refused>;
  expect(planRanking(fold(created, ranked!), chosen, known([contested]))).toEqual([]);
});

/** Those of a decision that is not refused. */
const events = (decision: Decision): readonly FeedbackTaskEvent[] => {
  if (decision instanceof Refused) throw new Error(decision.title);
  return decision;
};

test('the end of a task asks about contested totals of who is ranked; gone on with, the reason is stored with those that were contested', () => {
  const of = (studentId: string, flag: FlaggedTotal['flag']): FlaggedTotal => ({ studentId, testId: mock, flag });
  const end = (
    flaggedTotals: readonly FlaggedTotal[],
    contested?: { readonly totals: readonly { readonly studentId: string; readonly testId: string }[]; readonly reason: string },
  ) => completeTask(states[5], { without: [], contested }, { left: new Set([carl]), flaggedTotals, setName });
  const open = [of(anna, 'contested'), of(ben, 'contested-attendance')];
  const asked = end([...open, of(anna, 'above-maximum')]);
  expect(asked instanceof Refused && [asked.code, asked.title, asked.asks]).toEqual([
    'answers-needed',
    '2 totals are contested in this ranking. Decide which value counts, or go on without that and say why.',
    { flaggedTotals: open },
  ]);
  // One that its author has not seen is asked about; who is exempt or has left is no concern, nor what is above the maximum.
  const gone = { totals: [{ studentId: anna, testId: mock }], reason: 'Away until June' };
  const more = end(open, gone);
  expect(more instanceof Refused && more.asks).toEqual({ flaggedTotals: [of(ben, 'contested-attendance')] });
  expect(events(end([of(dora, 'contested'), of(carl, 'contested'), of(anna, 'above-maximum')], gone))).toEqual([
    { type: 'FeedbackTaskCompleted', data: { without: [] } },
  ]);
  const [ended] = events(end([of(anna, 'contested'), of(anna, 'contested-attendance')], gone));
  expect(ended?.data).toEqual({
    without: [],
    contested: { totals: [{ studentId: anna, testId: mock }], about: { reason: 'Away until June' } },
  });
  expect([...fold(...to5, exemptDora, ...(ended ? [ended] : [])).statuses.values()]).toEqual([6, 6]);
});
