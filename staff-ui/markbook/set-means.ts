import type { Markbook } from '#contract/marks';
import { inOrder, oneDecimal, some } from '../format.ts';

export type SetMean = {
  readonly setId: string;
  readonly name: string;
  readonly count: number;
  readonly mean: number;
  /** Half the width of the interval that contains the mean of an equally large random group of this year in 99 of 100 cases. */
  readonly margin: number;
  /** Whether the year's mean is outside the interval, so that chance is an unlikely explanation. */
  readonly stands: 'higher' | 'lower' | 'among';
};

const Z99 = 2.576;

/** The mean of each set in one test, highest first. Sets without totals are left out. */
export const setMeans = ({ sets, students, tests }: Markbook, column: number): readonly SetMean[] => {
  const { mean: ofYear, sd } = tests[column] ?? {};
  if (ofYear === null || ofYear === undefined || sd === null || sd === undefined) return [];
  return sets
    .flatMap(({ setId, name }) => {
      const totals = students.flatMap((student) => (student.setId === setId ? (student.totals[column]?.total ?? []) : []));
      if (totals.length === 0) return [];
      const mean = totals.reduce((sum, total) => sum + total, 0) / totals.length;
      const margin = (Z99 * sd) / Math.sqrt(totals.length);
      const stands = mean - margin > ofYear ? ('higher' as const) : mean + margin < ofYear ? ('lower' as const) : ('among' as const);
      return [{ setId, name, count: totals.length, mean, margin, stands }];
    })
    .toSorted((a, b) => b.mean - a.mean || inOrder(a.name, b.name));
};

/** The picture's finding, in one sentence. */
export const finding = (means: readonly SetMean[], ofYear: number): string => {
  const named = (stands: SetMean['stands']) => means.filter((one) => one.stands === stands).map(({ name }) => name);
  const [higher, lower] = [named('higher'), named('lower')];
  const year = `the year’s ${oneDecimal(ofYear)}`;
  if (higher.length === 0 && lower.length === 0) return `No set differs from ${year} by more than chance`;
  return [
    higher.length > 0 ? `${some(higher)} above ${year}` : '',
    lower.length > 0 ? `${some(lower)} below ${higher.length > 0 ? 'it' : year}` : '',
  ]
    .filter(Boolean)
    .join(', ')
    .concat(', by more than chance');
};
