import type { Markbook } from '#api/marks/marks.contract';
import { naturalOrder } from '#api/contract/order';
import { oneDecimal, some } from '../../../format.ts';
import type { Judged } from './chance.ts';
import { judged, rangeOf, yearOf } from './chance.ts';

export type SetMean = {
  readonly setId: string;
  readonly name: string;
  readonly count: number;
  readonly mean: number;
  /** `few`: too few students to say anything. */
  readonly stands: Judged['stands'] | 'few';
  /** Where chance alone would put the mean of so many students, all compared sets together. */
  readonly range?: { readonly from: number; readonly to: number };
};

/** Nothing is claimed about a set of fewer students. */
export const LEAST_STUDENTS = 10;

/** The mean of each set in one test, highest first. Sets without totals are left out. */
export const setMeans = ({ sets, students }: Markbook, column: number): readonly SetMean[] => {
  const totalsOf = (setId: string) => students.flatMap((one) => (one.setId === setId ? (one.totals[column]?.total ?? []) : []));
  const shown = sets.flatMap(({ setId, name }) => {
    const totals = totalsOf(setId);
    if (totals.length === 0) return [];
    return [{ setId, name, totals, count: totals.length, mean: totals.reduce((sum, total) => sum + total, 0) / totals.length }];
  });
  const year = yearOf(shown.flatMap(({ totals }) => totals));
  const compared = shown.filter(({ count }) => count >= LEAST_STUDENTS);
  const findings = new Map(judged(year, compared).map((finding, index) => [compared[index]?.setId, finding]));
  return shown
    .map(({ setId, name, count, mean }): SetMean => {
      const finding = findings.get(setId);
      if (!finding) return { setId, name, count, mean, stands: 'few' };
      return { setId, name, count, mean, stands: finding.stands, range: rangeOf(year, count, finding.level) };
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
