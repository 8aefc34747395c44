import type { Markbook } from '#api/marks/marks.contract';
import { memo } from 'react';
import { bandOf } from './bands.ts';
import styles from './MarkbookTable.module.css';
import type { MarkbookStudent, Result } from './view.ts';
import { resultText } from './view.ts';

type ResultCellProps = {
  readonly of: Result;
  readonly row: number;
  readonly column: number;
  readonly tabIndex: 0 | -1;
  readonly student: MarkbookStudent;
  readonly scores: Markbook['scores'];
  /** Opens how the score came about; undefined: it is none, or not for this reader. */
  readonly explain: ((student: MarkbookStudent) => void) | undefined;
};

/** The residual goes by the computed rank, also where the leader has given another one; the legend says so too. */
const OfComputed = ({ ranking }: { readonly ranking: number }) => (
  <span className={styles.computed} title={`of the computed rank ${ranking}`}>
    <span aria-hidden="true">*</span>
    <span className="sr">, of the computed rank {ranking}</span>
  </span>
);

/** What the ranking says of a student. The score alone has a band, over the scores of the year group. */
export const ResultCell = memo(({ of, row, column, tabIndex, student, scores, explain }: ResultCellProps) => {
  const band = of === 'score' && scores ? bandOf(student.score ?? null, scores) : undefined;
  return (
    <td
      className={of === 'score' ? `${styles.result} ${styles.score} ${styles.total}` : styles.result}
      data-row={row}
      data-column={column}
      data-of={of}
      tabIndex={tabIndex}
      data-band={band}
      data-opens={explain && true}
      title={explain && 'How it came about'}
      onClick={explain && (() => explain(student))}
    >
      {resultText(student, of)}
      {of === 'residual' && student.computedRanking !== undefined && <OfComputed ranking={student.computedRanking} />}
      {band && <span className="sr">, {band}</span>}
    </td>
  );
});
