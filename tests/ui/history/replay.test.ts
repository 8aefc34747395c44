import { expect, test } from 'vitest';
import type { Replay } from '../../../api/history/replay/replay.contract.ts';
import {
  emptyState,
  markbookOf,
  movesBetween,
  newest,
  stateAfter,
  stepOfStudent,
  stepsUntil,
  take,
} from '../../../api/history/replay/replay.formula.ts';
import { whatIf } from '../../../api/history/replay/what-if.formula.ts';
import { movesText, stepText } from '../../../staff-ui/marks/replay/replay-words.ts';

const total = (value: number) => ({ total: value, source: 'total' as const, attendance: 'sat' as const });
const step = (minute: number, type: string, changes: Partial<Replay['steps'][number]>) => ({
  eventId: `event ${minute}`,
  type,
  at: `2026-03-12T10:0${minute}:00Z`,
  by: 0,
  ...changes,
});
const graded = (grade: string) => ({ ranking: 1, score: 60, grade });

/** Anna and Ben of 11A: Anna's total is corrected after the grades, Ben leaves and comes back. */
const replay: Replay = {
  yearGroupId: 'year',
  year: 11,
  subject: { subjectId: 'maths', name: 'Mathematics' },
  people: ['Grace Bell'],
  students: ['Anna', 'Ben'].map((name) => ({ studentId: name, name, admissionNo: null })),
  tests: ['mock'],
  values: [total(12), total(18), { total: null, source: null, attendance: 'absent' }],
  since: null,
  start: {},
  steps: [
    step(1, 'StudentsImported', { classes: [['11A', '11A']], tests: [[0, { name: 'Mock', max: 20 }]], students: [[0, '11A'], [1, '11A']] }), // prettier-ignore
    step(2, 'TotalsUploaded', { cells: [[0, 0, 0], [1, 0, 1]] }), // prettier-ignore
    step(3, 'GradesAssigned', { results: [[0, graded('5')], [1, graded('7')]] }), // prettier-ignore
    step(4, 'MarksEntered', { cells: [[0, 0, 1]] }),
    step(5, 'StudentTakenOffRoll', { students: [[1, null]] }),
    step(6, 'StudentEnrolled', { students: [[1, '11A']], cells: [[1, 0, 2]] }),
    step(7, 'GradesAssigned', { results: [[0, graded('7')]] }),
  ],
};
const shown = (count: number) =>
  markbookOf(replay, stateAfter(replay, count)).students.map(({ name, grade, totals }) => [
    name,
    grade,
    totals[0]?.total ?? totals[0]?.attendance,
  ]);

test('after each step stands what it set; who leaves takes their totals along, and who comes back brings what they have then', () => {
  expect(shown(0)).toEqual([]);
  expect(shown(3)).toEqual([['Anna', '5', 12], ['Ben', '7', 18]]); // prettier-ignore
  expect(shown(5)).toEqual([['Anna', '5', 18]]);
  expect(shown(6)).toEqual([['Anna', '5', 18], ['Ben', '7', 'absent']]); // prettier-ignore
  expect(markbookOf(replay, stateAfter(replay, 4)).tests).toEqual([{ testId: 'mock', name: 'Mock', max: 20, mean: 18, sd: 0, count: 2 }]);
});

test('of too many changes the last are kept, and the state before them', () => {
  const last = newest(replay.steps, 1);
  expect([last.since, last.steps.length]).toEqual(['2026-03-12T10:05:00Z', 3]);
  const kept = { ...replay, ...newest(replay.steps, 2) };
  expect([kept.since, kept.steps.length, stateAfter(kept, 4)]).toEqual(['2026-03-12T10:03:00Z', 5, stateAfter(replay, 6)]);
});

test('a moment is the state after the last step that is not later', () => {
  expect(['2026-03-12T10:00:59Z', '2026-03-12T10:04:00Z', '2026-03-12T10:04:59Z', '2027-01-01T00:00:00Z'].map((at) => stepsUntil(replay.steps, at))).toEqual([0, 4, 4, 7]); // prettier-ignore
});

test('between two moments: what moved, by which steps, and whose grade is another', () => {
  const moves = movesBetween(replay, 3, 7);
  expect(moves.map(({ student, test: at, before, after, gradeBefore, gradeAfter, steps }) => [student, at, before.total, after.total, gradeBefore, gradeAfter, steps])).toEqual([[0, 0, 12, 18, '5', '7', [3]], [1, 0, 18, null, '7', '7', [5]]]); // prettier-ignore
  expect(movesText(moves)).toBe('2 totals changed; 1 student has another grade');
  // Nothing but the grade.
  expect(movesBetween(replay, 6, 7)).toMatchObject([{ student: 0, test: undefined, gradeBefore: '5', gradeAfter: '7', steps: [6] }]);
  expect(movesText(movesBetween(replay, 2, 2))).toBe('no total changed');
});

test('the changes of one student, and a change in words', () => {
  expect([stepOfStudent(replay, 1, 2, 1), stepOfStudent(replay, 1, 5, -1), stepOfStudent(replay, 0, 7, 1)]).toEqual([3, 3, undefined]);
  const said = (count: number) => stepText(replay, replay.steps[count - 1] ?? expect.fail(), stateAfter(replay, count - 1));
  expect(said(4)).toBe('Grace Bell entered marks. Anna, Mock: 12 → 18.');
  expect(said(2)).toBe('Grace Bell uploaded totals. 2 totals of Mock.');
  expect(said(5)).toBe('Grace Bell took a student off roll. Ben left.');
});

test('what if: by the same tests and shares all is as it was; without a test, or with other shares, ranks and grades are others', () => {
  const result = (ranking: number, score: number, grade: string) => ({ ranking, score, grade });
  const state = { ...emptyState(), tests: new Map([[0, { name: 'Mock', max: 20 }], [1, { name: 'Other', max: 10 }]]) }; // prettier-ignore
  const ranking = { taskId: 'task', tests: [[0, 20], [1, 10]] as const, priors: [[0, 40], [1, 40]] as const, shares: [] }; // prettier-ignore
  const values = [total(20), total(10), total(1), total(9)];
  take(state, { cells: [[0, 0, 0], [1, 0, 1], [0, 1, 2], [1, 1, 3]], students: [[0, '11A'], [1, '11A']], results: [[0, result(1, 50, '7')], [1, result(1, 50, '7')]] }); // prettier-ignore
  const shown = (tests: readonly number[], shares: readonly { label: string; percent: number }[]) =>
    whatIf({ ...replay, values }, state, ranking, { tests, shares }).map(({ student, before, after }) => [student, before.ranking, after]);
  const half = [{ label: '7', percent: 50 }, { label: '5', percent: 50 }]; // prettier-ignore
  expect(shown([0, 1], half)).toEqual([[0, 1, result(1, 50, '7')], [1, 1, result(1, 50, '7')]]); // prettier-ignore
  expect(shown([0], half)).toEqual([[0, 1, result(1, 66.67, '7')], [1, 1, result(2, 33.33, '5')]]); // prettier-ignore
  expect(shown([1], [{ label: '9', percent: 100 }])).toEqual([[1, 1, result(1, 66.67, '9')], [0, 1, result(2, 33.33, '9')]]); // prettier-ignore
});
