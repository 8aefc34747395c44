import { expect, test } from 'vitest';
import {
  awaitsCheck,
  daysOverdue,
  leaderText,
  lowestStatus,
  meanStatus,
  statusText,
  stepOf,
} from '../../../api/tasks/task-status.contract.ts';
import type { TaskStatus } from '../../../api/tasks/task-status.contract.ts';
import { wrongDaySatBy } from '../../../api/contract/rules.ts';
import { remindedText, notifiedText, notNotifiedText, wrongExpiry, wrongExpiryFrom } from '../../../api/tasks/task-fields.contract.ts';

test('a task expires between today and 30 days ahead, wherever on Earth that is said', () => {
  const noon = new Date('2026-11-22T12:00:00Z');
  const said = 'The expiry date must be between today and 22/12/2026, 30 days ahead.';
  expect(['2026-11-21', '2026-11-22', '2026-12-06', '2026-12-22', '2026-12-23', '2026-12-24'].map((day) => wrongExpiry(day, noon))).toEqual(
    [
      said,
      undefined,
      undefined,
      undefined,
      // It is the 23rd in Kiribati already.
      undefined,
      said,
    ],
  );
  // In a form it is the reader's own day that counts.
  const read = ['2026-11-21', '2026-11-22', '2026-12-22', '2026-12-23'].map((day) => wrongExpiryFrom(day, '2026-11-22'));
  expect(read).toEqual([said, undefined, undefined, said]);
});

test('no assessment was sat tomorrow, as the reader of a form counts the days', () => {
  expect(['1999-12-31', '2026-11-22', '2026-11-23'].map((day) => wrongDaySatBy(day, '2026-11-22'))).toEqual([
    'The date must not be before 01/01/2000.',
    undefined,
    'The date must not be in the future.',
  ]);
});

test('who gets no mail is named with the reason, those with the same together', () => {
  const notNotified = [
    { name: '10X2', why: 'no-teacher' },
    { name: 'Tom Hughes', why: 'not-proved' },
    { name: null, why: 'enough' },
    { name: 'Ada Nwosu', why: 'not-proved' },
  ] as const;
  const said =
    'No mail to 10X2 (no teacher yet); Tom Hughes, Ada Nwosu (e-mail address not confirmed); ' +
    'somebody who was forgotten (as many mails as one person gets for now).';
  expect([notNotifiedText([]), notNotifiedText(notNotified)]).toEqual([undefined, said]);
  expect(notifiedText(1, notNotified)).toBe(`A mail goes to 1 teacher. ${said}`);
  expect(remindedText(0, [], notNotified)).toBe(`Nobody was reminded. ${said}`);
});

test.each<readonly [TaskStatus, string, string, number, number, boolean]>([
  // status, text with and without teachers' checks, step with and without, whether the teacher's banner is shown
  [0, 'Awaiting totals', 'Awaiting totals', 2, 2, false],
  [1, "Totals uploaded: awaiting the subject leader's ranking", "Totals uploaded: awaiting the subject leader's ranking", 3, 3, false],
  [2, 'Ranking complete: check your class', 'Ranking complete: awaiting grades', 4, 5, true],
  [3, 'Ranking checked: awaiting grades', 'Ranking checked: awaiting grades', 5, 5, false],
  [4, 'Grades allocated: check your class', 'Grades allocated: awaiting final check', 6, 7, true],
  [5, 'Grades checked: awaiting final check', 'Grades checked: awaiting final check', 7, 7, false],
  [6, 'Grades allocated and checked', 'Grades allocated and checked', 7, 7, false],
])('a task at %i', (status, text, without, step, stepWithout, banner) => {
  expect([statusText(status, true), statusText(status, false)]).toEqual([text, without]);
  expect([stepOf(status, true), stepOf(status, false)]).toEqual([step, stepWithout]);
  expect([awaitsCheck(status, true), awaitsCheck(status, false)]).toEqual([banner, false]);
});

test.each<readonly [readonly TaskStatus[], TaskStatus, TaskStatus]>([
  [[], 0, 0],
  [[0, 1], 0, 0],
  [[1, 1], 1, 1],
  [[2, 3], 2, 2],
  [[2, 3, 3, 3], 2, 2],
  [[4, 5, 5], 4, 4],
  [[0, 6], 3, 0],
  [[6, 6], 6, 6],
])('classes at %j', (statuses, mean, lowest) => {
  expect([meanStatus(statuses), lowestStatus(statuses)]).toEqual([mean, lowest]);
});

test('the leader is told how many of how many classes are there', () => {
  const of = (...statuses: readonly TaskStatus[]) =>
    leaderText({ status: meanStatus(statuses), teacherInput: true, sets: statuses.map((status) => ({ status })) });
  expect(of(2)).toBe('Ranking complete: check your class (1 of 1 class)');
  expect(of(2, 3, 2)).toBe('Ranking complete: check your class (3 of 3 classes)');
  expect(of(0, 0, 1)).toBe('Awaiting totals (3 of 3 classes)');
});

test('the last day is not late, and a complete task is never', () => {
  const late = (status: TaskStatus, today: string) => daysOverdue({ expiry: '2026-11-22', status }, today);
  expect([late(2, '2026-11-21'), late(2, '2026-11-22'), late(2, '2026-11-23'), late(2, '2026-12-02')]).toEqual([0, 0, 1, 10]);
  expect(late(6, '2026-12-02')).toBe(0);
});
