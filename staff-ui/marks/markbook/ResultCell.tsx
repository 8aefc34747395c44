import { FLAGS } from '#api/contract/flags';
import type { Markbook } from '#api/marks/marks.contract';
import { memo } from 'react';
import { bandOf } from './bands.ts';
import styles from './MarkbookTable.module.css';
import type { MarkbookStudent, Result } from './view.ts';
import { overriddenOf, resultText } from './view.ts';

type ResultCellProps = {
  readonly of: Result;
  readonly row: number;
  readonly column: number;
  readonly tabIndex: 0 | -1;
  readonly student: MarkbookStudent;
  readonly scores: Markbook['scores'];
  /** The totals of now would give another score. */
  readonly isChanged: boolean;
  /** Opens how the score came about; undefined: it is none, or not for this reader. */
  readonly explain: ((student: MarkbookStudent) => void) | undefined;
};

/** What the leader has decided otherwise, a residual that goes by the computed rank, and a change since; the legend says so too. */
const Otherwise = ({ text }: { readonly text: string }) => (
  <span className={styles.computed} title={text}>
    <span aria-hidden="true">*</span>
    <span className="sr">, {text}</span>
  </span>
);

/** What the ranking says of a student. The score alone has a band, over the scores of the year group. */
export const ResultCell = memo(({ of, row, column, tabIndex, student, scores, isChanged, explain }: ResultCellProps) => {
  const otherwise = [overriddenOf(student, of), isChanged && (of === 'ranking' || of === 'score') && FLAGS.changed.short].filter(Boolean);
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
      {otherwise.length > 0 && <Otherwise text={otherwise.join(', ')} />}
      {band && <span className="sr">, {band}</span>}
    </td>
  );
});
