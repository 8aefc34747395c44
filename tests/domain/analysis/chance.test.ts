import { describe, expect, test } from 'vitest';
import type { Group, Year } from '../../../api/analysis/chance.formula.ts';
import { chanceOf, judged, rangeOf, yearOf } from '../../../api/analysis/chance.formula.ts';
import { random } from '../../support/random.ts';
import { rounds } from '../../support/rounds.ts';

type Random = ReturnType<typeof random>;
const sum = (totals: readonly number[]): number => totals.reduce((all, total) => all + total, 0);
const groupOf = (totals: readonly number[]): Group => ({ count: totals.length, mean: sum(totals) / totals.length });

/** Totals out of 40, as marks of a paper are: most in the middle; nearly all full marks; a few values only. */
const papers: Readonly<Record<string, (dice: Random) => number>> = {
  ordinary: (dice) => sum(Array.from({ length: 40 }, () => Number(dice.chance(0.42)))) + dice.below(9) - 4,
  'too easy': (dice) => 40 - Math.floor(-4 * Math.log(1 - dice.below(10_000) / 10_000)),
  'of four values': (dice) => dice.one([0, 1, 1, 2, 2, 2, 3]),
};

/** The sets' sizes: 10 to 32, the small ones among them as often as the large ones. */
const sizesOf = (sets: number): readonly number[] => Array.from({ length: sets }, (_, set) => 10 + ((set * 7) % 23));

const shuffled = (totals: readonly number[], dice: Random): readonly number[] => {
  const all = [...totals];
  for (let last = all.length - 1; last > 0; last -= 1) {
    const other = dice.below(last + 1);
    [all[last], all[other]] = [all[other] ?? 0, all[last] ?? 0];
  }
  return all;
};

const dealt = (totals: readonly number[], sizes: readonly number[]): readonly Group[] => {
  let from = 0;
  return sizes.map((size) => groupOf(totals.slice(from, (from += size))));
};

const namesAny = (year: Year, groups: readonly Group[]): boolean => judged(year, groups).some(({ stands }) => stands !== 'among');

describe.each(Object.keys(papers))('a paper that is %s', (paper) => {
  test.each([5, 26, 73])('years of %i sets without any difference: a set is named in 2 of 100 at most', (sets) => {
    const dice = random(sets);
    const sizes = sizesOf(sets);
    const year = Array.from({ length: sum(sizes) }, () => papers[paper]?.(dice) ?? 0);
    const known = yearOf(year);
    const years = rounds(750, 1_500);
    let alarms = 0;
    for (let one = 0; one < years; one += 1) if (namesAny(known, dealt(shuffled(year, dice), sizes))) alarms += 1;
    expect(alarms / years).toBeLessThanOrEqual(0.02);
  });
});

test('73 sets of ten students on a skewed paper: still 2 of 100 at most', () => {
  const dice = random(10);
  const sizes = Array.from({ length: 73 }, () => 10);
  const year = Array.from({ length: sum(sizes) }, () => papers['too easy']?.(dice) ?? 0);
  const known = yearOf(year);
  const years = rounds(750, 1_500);
  let alarms = 0;
  for (let one = 0; one < years; one += 1) if (namesAny(known, dealt(shuffled(year, dice), sizes))) alarms += 1;
  expect(alarms / years).toBeLessThanOrEqual(0.02);
});

test('a set that differs by a whole standard deviation is still found among 26', () => {
  const dice = random(1);
  const times = rounds(100, 200);
  let found = 0;
  for (let one = 0; one < times; one += 1) {
    const sizes = Array.from({ length: 26 }, () => 28);
    const totals = Array.from({ length: 26 * 28 }, (_, student) => (papers['ordinary']?.(dice) ?? 0) + (student < 28 ? 4 : 0));
    if (judged(yearOf(totals), dealt(totals, sizes))[0]?.stands === 'higher') found += 1;
  }
  expect(found).toBeGreaterThan(0.9 * times);
});

describe('the share of all groups that lie as far out', () => {
  /** Counts every group of a size by its sum: exact. */
  const counted = (year: readonly number[], size: number, mean: number): number => {
    const most = sum(year);
    const ways = new Map([[0, new Float64Array(most + 1).fill(1, 0, 1)]]);
    const of = (chosen: number) => ways.get(chosen) ?? new Float64Array(most + 1);
    for (const total of year)
      for (let chosen = size; chosen > 0; chosen -= 1) {
        const before = of(chosen - 1);
        ways.set(
          chosen,
          of(chosen).map((many, points) => many + (before[points - total] ?? 0)),
        );
      }
    const all = sum([...of(size)]);
    const here = Math.round(size * mean);
    const tail = mean > most / year.length ? of(size).slice(here) : of(size).slice(0, here + 1);
    return Math.min(1, (2 * sum([...tail])) / all);
  };

  test.each(Object.keys(papers))('is right within a tenth, also for ten students and far out: %s', (paper) => {
    const dice = random(3);
    const year = Array.from({ length: 60 }, () => papers[paper]?.(dice) ?? 0);
    const known: Year = yearOf(year);
    const sorted = year.toSorted((a, b) => a - b);
    let compared = 0;
    for (let shift = 0; shift <= 50; shift += 1) {
      const group = groupOf(sorted.slice(shift, shift + 10));
      const exact = counted(year, 10, group.mean);
      if (exact > 0.2 || exact < 1e-7) continue;
      compared += 1;
      expect(chanceOf(known, group) / exact, `mean ${group.mean}: ${exact}`).toBeGreaterThan(0.9);
      expect(chanceOf(known, group) / exact, `mean ${group.mean}: ${exact}`).toBeLessThan(1.15);
    }
    expect(compared).toBeGreaterThan(3);
  });

  test('is all of them where everybody has the same, and where the group is the year', () => {
    expect(chanceOf(yearOf([7, 7, 7, 7]), { count: 2, mean: 7 })).toBe(1);
    expect(chanceOf(yearOf([1, 2, 3]), { count: 3, mean: 2 })).toBe(1);
  });
});

test('a group stands out exactly where its mean lies outside the range that is drawn', () => {
  const dice = random(5);
  for (let one = 0; one < 60; one += 1) {
    const sizes = sizesOf(8);
    const totals = sizes.flatMap((size, set) => Array.from({ length: size }, () => (papers['ordinary']?.(dice) ?? 0) + 2 * (set % 3)));
    const year = yearOf(totals);
    const groups = dealt(totals, sizes);
    judged(year, groups).forEach(({ stands, level }, set) => {
      const { count, mean } = groups[set] ?? { count: 0, mean: 0 };
      const { from, to } = rangeOf(year, count, level);
      expect(stands).toBe(mean >= to ? 'higher' : mean <= from ? 'lower' : 'among');
    });
  }
});
