/** Which sets of a year differ from it by more than chance: judged against every other way to deal the same totals to the same sets. */

/** The totals of a year: each value once, with how many students have it. */
export type Year = {
  readonly values: readonly number[];
  readonly counts: readonly number[];
  readonly count: number;
  readonly mean: number;
  /** of the population */
  readonly sd: number;
};
export type Group = { readonly count: number; readonly mean: number };
export type Judged = {
  readonly stands: 'higher' | 'lower' | 'among';
  /** The p-value below which the group would have stood out, or did. */
  readonly level: number;
};

/** The chance that any group at all is named although the totals were dealt at random. */
const FAMILY = 0.01;

export const yearOf = (totals: readonly number[]): Year => {
  const counted = new Map<number, number>();
  for (const total of totals) counted.set(total, (counted.get(total) ?? 0) + 1);
  const values = [...counted.keys()].toSorted((a, b) => a - b);
  const counts = values.map((value) => counted.get(value) ?? 0);
  const mean = dot(values, counts) / totals.length;
  const deviations = values.map((value) => (value - mean) ** 2);
  return { values, counts, count: totals.length, mean, sd: Math.sqrt(dot(deviations, counts) / totals.length) };
};

/**
 * Judges all groups together, so that in 99 of 100 years without any difference none is named, however many groups there are.
 *
 * Each group has a p-value (see `chanceOf`). Sorted ascending, the k-th of m counts while p <= 1 % / (m - k + 1); the first that does not
 * ends it (S. Holm, A simple sequentially rejective multiple test procedure, Scand. J. Statist. 6, 1979).
 */
export const judged = (year: Year, groups: readonly Group[]): readonly Judged[] => judgedTogether(groups.map((group) => ({ year, group })));

/** The same of groups that are each compared with a year of its own, such as the marks of one question. */
export const judgedTogether = (compared: readonly { readonly year: Year; readonly group: Group }[]): readonly Judged[] => {
  const chances = compared.map(({ year, group }) => chanceOf(year, group));
  const levels = holm(chances);
  return compared.map(({ year, group }, index) => {
    const level = levels[index] ?? 0;
    const stands = (chances[index] ?? 1) > level ? 'among' : group.mean > year.mean ? 'higher' : 'lower';
    return { stands, level };
  });
};

/** Where chance alone would put the mean of a group of this size, at the level at which it was judged: outside this range it stands out. */
export const rangeOf = (year: Year, count: number, level: number): { readonly from: number; readonly to: number } => ({
  from: boundOf(year, count, level, -1),
  to: boundOf(year, count, level, 1),
});

/** The level at which each p-value is judged; all that are not above theirs are named. */
const holm = (chances: readonly number[]): readonly number[] => {
  const levels = new Array<number>(chances.length);
  let step = 0;
  for (const [index, chance] of [...chances.entries()].toSorted(([, a], [, b]) => a - b)) {
    const level = FAMILY / (chances.length - step);
    levels[index] = level;
    if (chance <= level) step += 1;
  }
  return levels;
};

/**
 * The p-value of a group: twice the share of all groups of its size, drawn from the year's totals, whose mean is at least as far on its side.
 * So it holds for skewed totals, for many equal ones and for small groups, where the t-distribution names too many.
 */
export const chanceOf = (year: Year, { count, mean }: Group): number => {
  const side = mean > year.mean ? 1 : -1;
  return Math.min(1, 2 * tailOf(year, count, mean, side));
};

/** The mean at which a group of this size would just stand out on this side; the year's highest or lowest total if none would. */
const boundOf = (year: Year, count: number, level: number, side: 1 | -1): number => {
  let near = year.mean;
  let far = (side > 0 ? year.values.at(-1) : year.values[0]) ?? near;
  for (let halving = 0; halving < 24; halving += 1) {
    const between = (near + far) / 2;
    if (2 * tailOf(year, count, between, side) > level) near = between;
    else far = between;
  }
  return far;
};

/**
 * The share of groups of `count` students whose mean is this or further from the year's, by the double saddlepoint approximation for the sum
 * of a sample without replacement: students join independently with odds that make count and sum the expected ones, given the count
 * (J. Robinson, Saddlepoint approximations for permutation tests and confidence intervals, JRSS B 44, 1982; I. Skovgaard, Saddlepoint
 * expansions for conditional distributions, J. Appl. Prob. 24, 1987; totals are whole numbers: second continuity correction of R. Butler,
 * Saddlepoint Approximations with Applications, 2007, section 4.1). The relative error stays small far out, where the normal
 * distribution's does not: tests/domain/analysis/chance.test.ts compares it with a full count.
 */
const tailOf = (year: Year, count: number, mean: number, side: 1 | -1): number => {
  const { values, counts, sd } = year;
  if (sd === 0 || count >= year.count) return 1;
  const x = values.map((value) => (side * (value - year.mean)) / sd);
  const mark = 1 / sd;
  const sum = (count * side * (mean - year.mean)) / sd - mark / 2;
  // Near the middle it is no news whatever the exact share, and the formula's two terms cancel.
  if (sum <= 0.1 * Math.sqrt(count)) return 1;
  if (sum >= largestSum(x, counts, count)) return 0;

  const share = count / year.count;
  const spread = year.count * share * (1 - share);
  let a = 0;
  let b = sum / spread;
  let here = tilted(x, counts, share, a, b);
  for (let step = 0; step < 60; step += 1) {
    const [short, off] = [count - here.count, sum - here.sum];
    if (Math.abs(short) < 1e-9 * count && Math.abs(off) < 1e-9 * count) break;
    const determinant = here.aa * here.bb - here.ab ** 2;
    if (!(determinant > 1e-280)) break;
    const da = (here.bb * short - here.ab * off) / determinant;
    const db = (here.aa * off - here.ab * short) / determinant;
    const before = a * count + b * sum - here.log;
    // The expression is concave: a step that does not raise it was too long.
    for (let length = 1; length > 1e-6; length /= 2) {
      here = tilted(x, counts, share, a + length * da, b + length * db);
      if ((a + length * da) * count + (b + length * db) * sum - here.log >= before - 1e-12 * Math.abs(before)) {
        a += length * da;
        b += length * db;
        break;
      }
    }
  }
  const w = Math.sqrt(Math.max(0, 2 * (a * count + b * sum - here.log)));
  const u = ((2 * Math.sinh((b * mark) / 2)) / mark) * Math.sqrt((here.aa * here.bb - here.ab ** 2) / spread);
  const tail = aboveNormal(w) + density(w) * (1 / u - 1 / w);
  return Number.isFinite(tail) ? Math.min(1, Math.max(0, tail)) : 0;
};

/** The logarithm of the moment generating function at (a, b), with its first and second derivatives. */
const tilted = (x: readonly number[], counts: readonly number[], share: number, a: number, b: number) => {
  const at = { log: 0, count: 0, sum: 0, aa: 0, ab: 0, bb: 0 };
  for (let i = 0; i < x.length; i += 1) {
    const value = x[i] ?? 0;
    const many = counts[i] ?? 0;
    const weight = share * Math.exp(Math.min(a + b * value, 600));
    const joins = weight / (1 - share + weight);
    const varies = many * joins * (1 - joins);
    at.log += many * Math.log(1 - share + weight);
    at.count += many * joins;
    at.sum += many * joins * value;
    at.aa += varies;
    at.ab += varies * value;
    at.bb += varies * value * value;
  }
  return at;
};

/** The sum of the `count` highest. */
const largestSum = (x: readonly number[], counts: readonly number[], count: number): number => {
  const highest = x.map((value, index) => ({ value, many: counts[index] ?? 0 })).toSorted((a, b) => b.value - a.value);
  let sum = 0;
  let left = count;
  for (const { value, many } of highest) {
    sum += Math.min(left, many) * value;
    left -= Math.min(left, many);
  }
  return sum;
};

const density = (z: number): number => Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);

/** The share of the normal distribution above z >= 0: Abramowitz and Stegun 26.2.17, error below 7.5e-8. */
const aboveNormal = (z: number): number => {
  const t = 1 / (1 + 0.2316419 * z);
  return density(z) * t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
};

const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
