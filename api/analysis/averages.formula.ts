/** Averages of sets and years, and where a student stands among others. By staff totals. */
import type { Judged } from './chance.formula.ts';
import { judged, rangeOf, yearOf } from './chance.formula.ts';
import type { Dashboard } from './tests.contract.ts';

/** Nothing is claimed about a set of fewer students. */
export const LEAST_STUDENTS = 10;

/** `few`: too few students to say anything. */
export type Stands = Judged['stands'] | 'few';
/** `range`: only of a set that was compared, all of them together. */
export type SetAverage = Omit<Dashboard['tests'][number]['averages'][number], 'setId' | 'leftOut' | 'open'>;

/**
 * The mean of each set's totals, in marks, and which of them differ from the year by more than chance: at most once in 100 years without any
 * difference is one named, however many sets there are. Sets without totals have none.
 */
export const setAverages = (sets: ReadonlyMap<string, readonly number[]>): ReadonlyMap<string, SetAverage> => {
  const withTotals = [...sets].flatMap(([setId, totals]) =>
    totals.length === 0 ? [] : [{ setId, count: totals.length, mean: meanOf(totals) ?? 0 }],
  );
  const year = yearOf([...sets.values()].flat());
  const compared = withTotals.filter(({ count }) => count >= LEAST_STUDENTS);
  const findings = new Map(judged(year, compared).map((finding, index) => [compared[index]?.setId, finding]));
  return new Map(
    withTotals.map(({ setId, count: n, mean }): [string, SetAverage] => {
      const finding = findings.get(setId);
      return [setId, finding ? { n, mean, stands: finding.stands, range: rangeOf(year, n, finding.level) } : { n, mean, stands: 'few' }];
    }),
  );
};

/** The same in per cent of the maximum. */
export const inPercent = ({ mean, range, ...rest }: SetAverage, max: number): SetAverage => {
  const percent = (marks: number): number => (100 * marks) / max;
  return { ...rest, mean: percent(mean), ...(range && { range: { from: percent(range.from), to: percent(range.to) } }) };
};

/** Marks in per cent of the maximum; null: there is none. */
export const percentOf = (marks: number, max: number | null): number | null => (max === null || max === 0 ? null : (100 * marks) / max);

/** Mean and SD (of a sample: null of one) of totals, in per cent of the maximum; null: there is none. */
export const meanInPercent = (
  totals: readonly number[],
  max: number | null,
): { readonly n: number; readonly mean: number | null; readonly sd: number | null } => {
  const n = totals.length;
  const mean = meanOf(totals);
  const sd = mean === null || n < 2 ? null : Math.sqrt(totals.reduce((sum, total) => sum + (total - mean) ** 2, 0) / (n - 1));
  return { n, mean: mean === null ? null : percentOf(mean, max), sd: sd === null ? null : percentOf(sd, max) };
};

export const meanOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

/** The calendar year in which a school year begins: on 1 September. `day`: YYYY-MM-DD. */
export const schoolYearOf = (day: string): number => Number(day.slice(0, 4)) - (day.slice(5, 7) < '09' ? 1 : 0);

/** A total with the day on which it was sat. */
export type DatedTotal = { readonly total: number; readonly day: string };
type HistoricAverage = { readonly schoolYear: number; readonly n: number; readonly mean: number };

/** The mean of a test in per cent for each school year in which it was sat, the earliest first. */
export const historicAverages = (totals: readonly DatedTotal[], max: number): readonly HistoricAverage[] => {
  const years = [...Map.groupBy(totals, ({ day }) => schoolYearOf(day))].toSorted(([a], [b]) => a - b);
  return years.map(([schoolYear, ofYear]) => {
    const sum = ofYear.reduce((all, { total }) => all + total, 0);
    return { schoolYear, n: ofYear.length, mean: (100 * sum) / ofYear.length / max };
  });
};

/** Somebody's place in a subject, and since when; null: off roll. */
export type Membership = { readonly setId: string | null; readonly from: string };

/**
 * In which set somebody was on a day: before the first, in the first; null: off roll. `memberships`: oldest first, `from` an instant or a day.
 *
 * A test has a day and no hour. So of all the places of that day, the one it began with among them, the last set counts: whoever came and went on
 * it, or left their set on it, was there to sit the test, and stays in the averages; whoever moved counts where they were when it ended.
 */
export const setOn = (memberships: readonly Membership[], day: string): string | null => {
  const since = memberships.filter(({ from }) => from.slice(0, 10) <= day);
  if (since.length === 0) return memberships.find(({ setId }) => setId !== null)?.setId ?? null;
  const before = since.findLastIndex(({ from }) => from.slice(0, 10) < day);
  return since.slice(Math.max(before, 0)).findLast(({ setId }) => setId !== null)?.setId ?? null;
};

/** What was so on a day: the last that began by then, before the first that one. Oldest first; `from` an instant or a day. */
export const onDay = <One extends { readonly from: string }>(history: readonly One[], day: string): One | undefined =>
  history.findLast(({ from }) => from.slice(0, 10) <= day) ?? history[0];

/** Where a value stands among all of a cohort, itself one of them: 100 * (below + half of equal) / n. */
export const percentileRank = (values: readonly number[], value: number): number => {
  const below = values.filter((one) => one < value).length;
  const equal = values.filter((one) => one === value).length;
  return (100 * (below + equal / 2)) / values.length;
};

/** 100 is the mean and 15 the SD (of the population) of this cohort; between 60 and 140. Without a spread 100. */
export const standardised = (values: readonly number[], value: number): number => {
  const mean = meanOf(values) ?? value;
  const sd = values.every((one) => one === value) ? 0 : Math.sqrt(meanOf(values.map((one) => (one - mean) ** 2)) ?? 0);
  return Math.min(140, Math.max(60, Math.round(100 + 15 * (sd === 0 ? 0 : (value - mean) / sd))));
};

/** Of percentages: more than 15 above or below the mean of the class says so. Exactly 15 is in line, whatever floats make of it. */
export const againstClass = (percent: number, mean: number): 'higher' | 'lower' | 'in line' => {
  const apart = Math.round((percent - mean) * 1e9) / 1e9;
  return apart > 15 ? 'higher' : apart < -15 ? 'lower' : 'in line';
};

/** Fewer students than this are not counted before a student's eyes. */
export const FEWEST_EARLIER = 5;

/**
 * How students of earlier years ended who had 90 to 110 % of this total, both included: how many per end score, or null if they are fewer
 * than five together. It grows by five or more: `earlier` is in the order in which their scores `came`, and whoever would be one of fewer waits.
 */
export const gradeGraph = (
  mine: number,
  earlier: readonly { readonly total: number; readonly endScore: string; readonly came: string }[],
): ReadonlyMap<string, number> | null => {
  const alike = earlier.filter(({ total }) => 10 * total >= 9 * mine && 10 * total <= 11 * mine);
  const shown: typeof alike = [];
  const waiting: typeof alike = [];
  for (const together of Map.groupBy(alike, ({ came }) => came).values()) {
    waiting.push(...together);
    if (waiting.length >= FEWEST_EARLIER) shown.push(...waiting.splice(0));
  }
  if (shown.length === 0) return null;
  const counts = new Map<string, number>();
  for (const { endScore } of shown) counts.set(endScore, (counts.get(endScore) ?? 0) + 1);
  return counts;
};
