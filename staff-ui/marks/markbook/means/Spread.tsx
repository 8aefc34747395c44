import type { Markbook } from '#api/marks/marks.contract';
import { counted } from '../../../format.ts';
import type { Spread } from '#api/marks/markbook-view.formula';
import { bandOf, bands } from '#api/marks/markbook-view.formula';
import styles from './Spread.module.css';

type Test = Markbook['tests'][number];

/** A histogram of the totals from 0 to the maximum, in the colours of the bands. */
export const SpreadOf = ({ test, totals }: { readonly test: Test; readonly totals: Spread['totals'] }) => {
  if (test.max === null || totals.length === 0) return <div className={styles.nothing} />;
  const bars = barsOf(totals, test.max);
  const tallest = Math.max(...bars.map(({ count }) => count));
  const width = 100 / bars.length;
  return (
    <svg className={styles.spread} viewBox="0 0 100 36" preserveAspectRatio="none" role="img" aria-label={inWords(test, totals)}>
      {bars.map(
        ({ from, to, count }, index) =>
          count > 0 && (
            <rect
              key={from}
              x={index * width + width * 0.08}
              width={width * 0.84}
              y={35 - (count / tallest) * 34}
              height={(count / tallest) * 34}
              className={styles[bandOf((from + to) / 2, test) ?? 'none']}
            />
          ),
      )}
      <path d="M0 35.5h100" className={styles.base} />
    </svg>
  );
};

export const studentsIn = (totals: Spread['totals']): number => totals.reduce((sum, { students }) => sum + students, 0);

/** At most 30 bars, each a whole number of totals wide. */
const barsOf = (totals: Spread['totals'], max: number) => {
  const step = Math.ceil((max + 1) / 30);
  const bars = Array.from({ length: Math.ceil((max + 1) / step) }, (_, index) => ({
    from: index * step,
    to: index * step + step - 1,
    count: 0,
  }));
  for (const { total, students } of totals) {
    const bar = bars[Math.min(bars.length - 1, Math.floor(total / step))];
    if (bar) bar.count += students;
  }
  return bars;
};

const inWords = (test: Test, totals: Spread['totals']): string =>
  `Spread of ${counted(studentsIn(totals), 'total')} from ${totals[0]?.total} to ${totals.at(-1)?.total} of ${test.max}: ${bands
    .map((band) => `${studentsIn(totals.filter(({ total }) => bandOf(total, test) === band))} ${band}`)
    .join(', ')}`;
