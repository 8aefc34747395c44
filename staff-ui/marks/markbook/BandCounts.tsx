import { isContested } from '#api/contract/flags';
import { counted } from '../../format.ts';
import styles from './BandCounts.module.css';
import type { Band } from './bands.ts';
import { bandOf, bands } from './bands.ts';
import type { useView } from './useView.ts';
import type { MarkbookStudent, MarkbookTest, View } from './view.ts';

type BandCountsProps = {
  readonly test: MarkbookTest;
  /** The place of the test among a student's totals. */
  readonly column: number;
  /** All matching students. */
  readonly students: readonly MarkbookStudent[];
  readonly only: View['only'];
  readonly filter: ReturnType<typeof useView>['filter'];
};

/** How many of the students are in each band of a test; each count filters the table by its band. */
export const BandCounts = ({ test, column, students, only, filter }: BandCountsProps) => {
  const chosen = only?.testId === test.testId ? only.what : undefined;
  const contested = students.filter(({ totals }) => isContested(totals[column]?.flags)).length;
  const many = (band: Band) => students.filter(({ totals }) => bandOf(totals[column]?.total ?? null, test) === band).length;
  const choose = (what: Band | 'contested') => filter({ only: chosen === what ? undefined : `${what}.${test.testId}` });
  if (test.count === 0) return null;
  return (
    <div className={styles.counts} role="group" aria-label={`Only one band of ${test.name}`}>
      {bands.toReversed().map((band) => (
        <button
          key={band}
          type="button"
          data-band={band}
          aria-pressed={chosen === band}
          onClick={() => choose(band)}
          title={`Only ${band}`}
          aria-label={`${counted(many(band), 'student')} ${band}`}
        >
          {many(band)}
        </button>
      ))}
      {(contested > 0 || chosen === 'contested') && (
        <button
          type="button"
          data-contested
          aria-pressed={chosen === 'contested'}
          onClick={() => choose('contested')}
          title="Only with several values"
          aria-label={`${counted(contested, 'student')} with several values`}
        >
          {contested}
        </button>
      )}
    </div>
  );
};
