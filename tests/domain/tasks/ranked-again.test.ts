import { expect, test } from 'vitest';
import { Refused } from '../../../api/common/command.ts';
import type { Decision } from '../../../api/tasks/feedback-task.rules.ts';
import { handResultsAfter, rankTask } from '../../../api/tasks/feedback-task.rules.ts';
import type { FeedbackTask, FeedbackTaskEvent } from '../../../events/tasks/feedback-task.ts';
import { anna, ben, created, dora, exemptDora, facts, fold, ranked, rankingOf } from '../../support/task-states.ts';

/** Those of a decision that is not refused. */
const events = (decision: Decision): readonly FeedbackTaskEvent[] => {
  if (decision instanceof Refused) throw new Error(decision.title);
  return decision;
};

test('ranking again keeps what was decided by hand about who still has no score, and nothing else', () => {
  const row = { ranking: null, score: null, grade: null, exempt: false };
  const decided: FeedbackTaskEvent = {
    type: 'ResultsDecided',
    data: {
      rows: [
        { ...row, studentId: anna, ranking: 3, score: 12.5 },
        { ...row, studentId: ben, exempt: true },
        { ...row, studentId: dora, ranking: 4, score: 20 },
      ],
    },
  };
  const task = fold(created, ranked, decided);
  const { kept, gone } = handResultsAfter(task, rankingOf(1));
  expect(kept).toEqual([{ studentId: dora, ranking: 4, score: 20, exempt: false }]);
  expect(new Map(gone.map((one) => [one.studentId, one]))).toEqual(
    new Map([
      [anna, { studentId: anna, ranking: 3, score: 12.5, exempt: false }],
      [ben, { studentId: ben, ranking: null, score: null, exempt: true }],
    ]),
  );
  const again = events(rankTask(task, rankingOf(1), facts));
  const of = (state: FeedbackTask, studentId: string) => {
    const student = state.students.get(studentId);
    return student && [student.decided.ranking, student.decided.score, student.exempt];
  };
  const after = fold(created, ranked, decided, ...again);
  expect([anna, ben, dora].map((studentId) => of(after, studentId))).toEqual([
    [null, null, false],
    [null, null, false],
    [4, 20, false],
  ]);
  const left = fold(created, ranked, exemptDora, ...events(rankTask(fold(created, ranked, exemptDora), rankingOf(1), facts)));
  expect(of(left, dora)).toEqual([null, null, true]);
  // Who has a score now is ranked by it; an event of before says nothing, and keeps nothing.
  const scored = {
    ...rankingOf(1),
    rows: rankingOf(1).rows.map((one) => ({ ...one, score: one.score ?? 10, ranking: one.ranking ?? 4 })),
  };
  expect(handResultsAfter(task, scored).kept).toEqual([]);
  expect(of(fold(created, ranked, decided, { type: 'TaskRanked', data: rankingOf(1) }), dora)).toEqual([null, null, false]);
});
