import { LEAST_STUDENTS, setAverages } from '#api/analysis/averages.formula';
import type { Markbook } from '#api/marks/marks.contract';
import { useMemo } from 'react';
import { counted, oneDecimal, some } from '../../../format.ts';
import styles from './SetMeans.module.css';
import type { Stands } from '#api/analysis/averages.formula';
import { isContested } from '#api/contract/flags';
import { naturalOrder } from '#api/contract/order';

type SetMeansProps = {
  readonly markbook: Markbook;
  readonly column: number;
  readonly chosen: string | undefined;
  readonly onChoose: (name: string | undefined) => void;
};

/**
 * How the sets did in a test: a dot per mean on one scale, with the range that chance alone would explain. Clicking one filters the table
 * by the set.
 */
export const SetMeans = ({ markbook, column, chosen, onChoose }: SetMeansProps) => {
  const test = markbook.tests[column];
  const means = useMemo(() => setMeans(markbook, column), [markbook, column]);
  if (!test || test.mean === null || means.length < 2) return null;
  const scale = scaleOf(means);
  return (
    <figure className={styles.sets}>
      <figcaption className="stack gap-1">
        <strong>{finding(means, test.mean)}</strong>
        <span className="small muted">{explained(test.name, means)}</span>
      </figcaption>
      <ul>
        {means.map((one) => (
          <li key={one.setId}>
            <button
              type="button"
              className="pick small"
              aria-pressed={one.setId === chosen}
              aria-label={`${one.name}: mean ${oneDecimal(one.mean)} of ${counted(one.count, 'student')}, ${inWords[one.stands]}${one.contested > 0 ? `, ${one.contested} contested` : ''}`}
              onClick={() => onChoose(one.setId === chosen ? undefined : one.name)}
            >
              <span>{one.name}</span>
              <Dot one={one} scale={scale} ofYear={test.mean ?? 0} />
              <span className="figure">
                {oneDecimal(one.mean)}
                {one.contested > 0 && ' ?'}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </figure>
  );
};

const inWords = {
  higher: 'above the year by more than chance',
  lower: 'below the year by more than chance',
  among: 'no clear difference',
  few: `fewer than ${LEAST_STUDENTS} students: not compared`,
};

/** What the picture shows, and how sure it is. */
const explained = (testName: string, means: readonly SetMean[]): string => {
  const compared = means.filter(({ stands }) => stands !== 'few').length;
  const few = means.length - compared;
  return [
    `Dot: the mean of a set in ${testName}.`,
    compared > 0 &&
      `Line: where chance alone would put the mean of so many students of this year. If no set differed at all, all ${counted(compared, 'dot')} would lie on their lines in 99 of 100 years.`,
    few > 0 && `No line: fewer than ${LEAST_STUDENTS} students, not compared.`,
  ]
    .filter(Boolean)
    .join(' ');
};

/** Maps a value to 0 to 200 so that every dot and line fits. */
const scaleOf = (means: readonly SetMean[]) => {
  const ends = means.flatMap(({ mean, range }) => (range ? [mean, range.from, range.to] : [mean]));
  const from = Math.min(...ends);
  const to = Math.max(...ends);
  return (value: number): number => 4 + ((value - from) / (to - from || 1)) * 192;
};

type DotProps = { readonly one: SetMean; readonly scale: (value: number) => number; readonly ofYear: number };

const Dot = ({ one: { mean, range, stands }, scale, ofYear }: DotProps) => (
  <svg viewBox="0 0 200 20" preserveAspectRatio="none" aria-hidden="true" data-stands={stands}>
    <path className={styles.year} d={`M${scale(ofYear)} 0v20`} />
    {range && <path className={styles.line} d={`M${scale(range.from)} 10H${scale(range.to)}`} />}
    <path className={styles.dot} d={`M${scale(mean)} 10h0.01`} />
  </svg>
);

type SetMean = {
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
