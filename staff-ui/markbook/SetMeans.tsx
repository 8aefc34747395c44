import type { Markbook } from '#contract/marks';
import { counted, oneDecimal } from '../format.ts';
import type { SetMean } from './set-means.ts';
import { finding, setMeans } from './set-means.ts';
import styles from './SetMeans.module.css';

type SetMeansProps = {
  readonly markbook: Markbook;
  /** The test's maximum and the year's mean. */
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
  const means = setMeans(markbook, column);
  if (!test || test.mean === null || means.length < 2) return null;
  const scale = scaleOf(means);
  return (
    <figure className={styles.sets}>
      <figcaption>
        <strong>{finding(means, test.mean)}</strong>
        <span>Mean of each set in {test.name}; the line is what chance alone allows (99 %).</span>
      </figcaption>
      <ul>
        {means.map((one) => (
          <li key={one.setId}>
            <button
              type="button"
              aria-pressed={one.setId === chosen}
              aria-label={`${one.name}: mean ${oneDecimal(one.mean)} of ${counted(one.count, 'student')}, ${inWords[one.stands]}`}
              onClick={() => onChoose(one.setId === chosen ? undefined : one.name)}
            >
              <span>{one.name}</span>
              <Dot one={one} scale={scale} ofYear={test.mean ?? 0} />
              <span className={styles.mean}>{oneDecimal(one.mean)}</span>
            </button>
          </li>
        ))}
      </ul>
    </figure>
  );
};

const inWords = { higher: 'above the year by more than chance', lower: 'below the year by more than chance', among: 'no clear difference' };

/** Maps a value to 0 to 200 so that every interval fits. */
const scaleOf = (means: readonly SetMean[]) => {
  const from = Math.min(...means.map(({ mean, margin }) => mean - margin));
  const to = Math.max(...means.map(({ mean, margin }) => mean + margin));
  return (value: number): number => 4 + ((value - from) / (to - from || 1)) * 192;
};

type DotProps = { readonly one: SetMean; readonly scale: (value: number) => number; readonly ofYear: number };

const Dot = ({ one: { mean, margin, stands }, scale, ofYear }: DotProps) => (
  <svg viewBox="0 0 200 20" preserveAspectRatio="none" aria-hidden="true" data-stands={stands}>
    <path className={styles.year} d={`M${scale(ofYear)} 0v20`} />
    <path className={styles.line} d={`M${scale(mean - margin)} 10H${scale(mean + margin)}`} />
    <path className={styles.dot} d={`M${scale(mean)} 10h0.01`} />
  </svg>
);
