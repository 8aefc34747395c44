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
};

/** What the ranking says of a student. The score alone has a band, over the scores of the year group. */
export const ResultCell = memo(({ of, row, column, tabIndex, student, scores }: ResultCellProps) => {
  const band = of === 'score' && scores ? bandOf(student.score ?? null, scores) : undefined;
  return (
    <td
      className={of === 'score' ? `${styles.result} ${styles.score} ${styles.total}` : styles.result}
      data-row={row}
      data-column={column}
      data-of={of}
      tabIndex={tabIndex}
      data-band={band}
    >
      {resultText(student, of)}
      {band && <span className="sr">, {band}</span>}
    </td>
  );
});
