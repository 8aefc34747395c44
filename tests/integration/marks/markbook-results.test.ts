import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Markbook } from '../../../api/marks/marks.contract.ts';
import type { FeedbackTaskEvent } from '../../../events/tasks/feedback-task.ts';
import type { Client } from '../../support/client.ts';
import { schoolOfFile } from '../../support/school-of-file.ts';
import { rankingOf, writeTask } from '../../support/tasks-in-log.ts';

const { school, leader: chief, teacherB: teacher } = await schoolOfFile('leader', 'teacherB');

test('the markbook shows the task that was ranked last, with its exam’s priors; without one the newest exam that nearly everybody has sat', async () => {
  const { maths, year, terminalExam, mock, setA, setB, students } = school.ids;
  const seen = async (who: Client = chief) => who.ask<Markbook>('markbook', { yearGroupId: year });
  const of = (markbook: Markbook, short: string) => {
    const { prior, ranking, score, residual, grade } = markbook.students.find((one) => one.studentId === students[short]) ?? {};
    return [prior, ranking, score, residual, grade];
  };
  const prior = (shorts: readonly string[]) =>
    chief.done('EnterPriorScores', {
      subjectId: maths,
      terminalExamId: terminalExam,
      yearCompleted: new Date().getUTCFullYear(),
      scores: shorts.map((short) => ({ studentId: students[short], score: 'a*' })),
    });
  const all = ['A', 'B', 'C'].flatMap((set) => [1, 2, 3, 4].map((n) => `${set}${n}`));
  await prior(all.slice(0, 10));
  expect((await seen()).priorExam).toBeUndefined();
  await prior(all.slice(10, 11));
  const before = await seen();
  expect([before.priorExam?.terminalExamId, before.ranked, of(before, 'A1'), of(before, 'C4')]).toEqual([
    terminalExam,
    undefined,
    ['a*', undefined, undefined, undefined, undefined],
    [undefined, undefined, undefined, undefined, undefined],
  ]);

  const totals = (of: readonly (readonly [string, number])[]) => new Map(of.map(([short, total]) => [students[short] ?? '', total]));
  const rankedBy = (...marks: readonly (readonly [string, number])[]): FeedbackTaskEvent => ({
    type: 'TaskRanked',
    data: rankingOf(
      terminalExam,
      marks.map(([short], index) => ({ studentId: students[short] ?? '', setId: short.startsWith('A') ? setA : setB, prior: 8 * index })),
      [{ testId: mock, max: 20, totals: totals(marks) }],
    ),
  });
  const task = (): FeedbackTaskEvent => ({
    type: 'FeedbackTaskCreated',
    data: {
      subjectId: maths,
      yearGroupId: year,
      about: { name: 'Any' },
      expiry: '2026-12-01',
      teacherInput: false,
      maps: [setA, setB].map((setId) => ({ setId, testId: mock })),
    },
  });
  const [first, second] = [randomUUID(), randomUUID()];
  await writeTask(school, first, [{ event: task() }, { event: rankedBy(['A1', 20], ['B1', 10]) }]);
  await writeTask(school, second, [
    { event: task() },
    { event: rankedBy(['A1', 5], ['B1', 15], ['B2', 10]) },
    {
      event: {
        type: 'ResultsDecided',
        data: {
          rows: [
            { studentId: students['A1'] ?? '', ranking: 2, score: 60.5, grade: '4', exempt: false },
            { studentId: students['B2'] ?? '', ranking: null, score: null, grade: null, exempt: true },
          ],
        },
      },
    },
  ]);
  const shown = await seen(teacher);
  expect([shown.ranked?.taskId, shown.ranked?.norms.tests.map(({ n, max }) => [n, max])]).toEqual([second, [[3, 20]]]);
  expect(of(shown, 'A1')).toEqual(['a*', 2, 60.5, 0, '4']);
  // What the leader decided is told as such, with what was computed: the residual goes by that rank. Nobody had graded yet.
  const overridden = shown.students.flatMap((one) => (one.overridden ? [[one.studentId, one.overridden]] : []));
  expect(overridden).toEqual([[students['A1'], { by: 'leader', ranking: 3, score: 29.59, grade: null }]]);
  expect(of(shown, 'B2')).toEqual(['a*', undefined, undefined, undefined, undefined]);
  const scores = [60.5, of(shown, 'B1')[2] as number];
  expect(shown.scores?.mean).toBeCloseTo(((scores[0] ?? 0) + (scores[1] ?? 0)) / 2, 9);

  // It says which task that is, and over whom; another one can be asked for, and one that cannot be shown is not.
  const other = await chief.ask<Markbook>('markbook', { yearGroupId: year, taskId: first });
  expect([other.ranked?.name, other.ranked?.students, other.ranked?.sets, of(other, 'A1')[1]]).toEqual(['Any', 2, ['11A', '11B'], 1]);
  expect([shown, other].map(({ rankings }) => rankings?.map(({ taskId }) => taskId))).toEqual([
    [second, first],
    [second, first],
  ]);
  expect((await chief.ask<Markbook>('markbook', { yearGroupId: year, setId: setB, taskId: first })).students).toHaveLength(4);
  expect((await chief.ask<Markbook>('markbook', { yearGroupId: year, taskId: year })).ranked?.taskId).toBe(second);

  await writeTask(school, second, [{ event: { type: 'FeedbackTaskDeleted', data: {} } }]);
  const after = await seen();
  expect([after.ranked?.taskId, of(after, 'A1')[1], of(after, 'B1')[1]]).toEqual([first, 1, 2]);
  await writeTask(school, first, [{ event: { type: 'RankingRemoved', data: {} } }]);
  expect((await seen()).ranked).toBeUndefined();
});
