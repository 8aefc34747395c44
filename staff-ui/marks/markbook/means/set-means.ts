import type { Stands } from '#api/analysis/averages.formula';
import { LEAST_STUDENTS, setAverages } from '#api/analysis/averages.formula';
import { isContested } from '#api/contract/flags';
import type { Markbook } from '#api/marks/marks.contract';
import { naturalOrder } from '#api/contract/order';
import { oneDecimal, some } from '../../../format.ts';

export type SetMean = {
  readonly setId: string;
  readonly name: string;
  readonly count: number;
  readonly mean: number;
  readonly contested: number;
  readonly stands: Stands;
  /** Where chance alone would put the mean of so many students, all compared sets together. */
  readonly range?: { readonly from: number; readonly to: number };
};

/** The mean of each set in one test, highest first. Sets without totals are left out. */
export const setMeans = ({ sets, students }: Markbook, column: number): readonly SetMean[] => {
  const totalsOf = (setId: string) => students.flatMap((one) => (one.setId === setId ? (one.totals[column]?.total ?? []) : []));
  const averages = setAverages(new Map(sets.map(({ setId }) => [setId, totalsOf(setId)])));
  return sets
    .flatMap(({ setId, name }): SetMean[] => {
      const average = averages.get(setId);
      if (!average) return [];
      const { n: count, ...rest } = average;
      const contested = students.filter((one) => one.setId === setId && isContested(one.totals[column]?.flags)).length;
      return [{ setId, name, count, contested, ...rest }];
    })
    .toSorted((a, b) => b.mean - a.mean || naturalOrder(a.name, b.name));
};

/** The picture's finding, in one sentence. */
export const finding = (means: readonly SetMean[], ofYear: number): string => {
  const named = (stands: SetMean['stands']) => means.filter((one) => one.stands === stands).map(({ name }) => name);
  const [higher, lower] = [named('higher'), named('lower')];
  if (means.every(({ stands }) => stands === 'few')) return `No set has ${LEAST_STUDENTS} totals: too few to compare`;
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
