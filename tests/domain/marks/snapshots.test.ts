import { expect, test } from 'vitest';
import { changedSums, changedTotals, FEWEST_CHANGES, LEFT_OUT, WaitingStudents } from '../../../projections/marks/snapshots.ts';
import { random } from '../../support/random.ts';

const nobody: ReadonlySet<string> = new Set();

test('a student counts once however often they change, and not at all once they are back where they were', () => {
  const waiting = new WaitingStudents({});
  for (const total of [3, 4, 5, 6, 7, 8]) waiting.change('a', total - 1, total);
  for (const student of ['b', 'c', 'd']) waiting.change(student, null, 10);
  expect(waiting.settle(nobody)).toEqual([]);
  waiting.change('e', 9, 4);
  waiting.change('e', 4, 9);
  expect(waiting.settle(nobody)).toEqual([]);
  waiting.change('e', 9, null);
  expect(waiting.settle(nobody)).toEqual([
    [2, 8],
    [null, 10],
    [null, 10],
    [null, 10],
    [9, null],
  ]);
  expect(waiting.left).toEqual({});
});

test('whoever is unfinished waits, and does not hold up five others', () => {
  const waiting = new WaitingStudents({});
  for (const student of ['a', 'b', 'c', 'd', 'e']) waiting.change(student, null, LEFT_OUT);
  expect(waiting.settle(new Set(['e']))).toEqual([]);
  waiting.change('f', null, 3);
  expect(waiting.settle(new Set(['e']))).toHaveLength(FEWEST_CHANGES);
  expect(waiting.left).toEqual({ e: [null, LEFT_OUT] });
});

test('sums count who left a question out, and totals say of nobody whose they are', () => {
  const sums = changedSums({ n: 0, marked: 0, sum: 0, squares: 0 }, [
    [null, 3],
    [null, LEFT_OUT],
    [null, 5],
  ]);
  expect(sums).toEqual({ n: 3, marked: 2, sum: 8, squares: 34 });
  expect(changedSums(sums, [[5, null]])).toEqual({ n: 2, marked: 1, sum: 3, squares: 9 });
  expect(
    changedTotals(
      [4, 9, 9],
      [
        [9, 2],
        [null, 9],
      ],
    ),
  ).toEqual([2, 4, 9, 9]);
});

test('over 50 changes two snapshots never differ by fewer than five students', () => {
  const dice = random(7);
  const now = new Map<string, number | null>();
  let [totals, stored]: [readonly number[], WaitingStudents['left']] = [[], {}];
  let since = new Set<string>();
  let shown = 0;
  for (let change = 0; change < 50; change++) {
    const student = `s${dice.below(12)}`;
    const waiting = new WaitingStudents(stored);
    const total = dice.chance(0.1) ? null : dice.below(40);
    waiting.change(student, now.get(student) ?? null, total);
    now.set(student, total);
    since.add(student);
    const settled = waiting.settle(nobody);
    stored = waiting.left;
    if (settled.length === 0) continue;
    shown += 1;
    expect(since.size).toBeGreaterThanOrEqual(FEWEST_CHANGES);
    since = new Set();
    totals = changedTotals(totals, settled);
    expect(totals).toEqual([...now.values()].filter((one) => one !== null).toSorted((a, b) => a - b));
  }
  expect(shown).toBeGreaterThan(3);
});
