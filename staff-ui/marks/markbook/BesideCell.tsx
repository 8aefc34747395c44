import { memo } from 'react';
import type { Beside, BesideFigures } from './beside.ts';
import { besideText } from './beside.ts';
import styles from './MarkbookTable.module.css';
import type { MarkbookStudent } from './view.ts';

type BesideCellProps = {
  readonly of: Beside;
  readonly row: number;
  readonly column: number;
  readonly tabIndex: 0 | -1;
  readonly student: MarkbookStudent;
  readonly figures: BesideFigures | undefined;
  /** Opens how the figure came about; undefined: it is none, or not for this reader. */
  readonly explain: ((student: MarkbookStudent) => void) | undefined;
};

/** A figure beside the residual. The mean of the class has a colour only where its interval excludes 0. */
export const BesideCell = memo(({ of, row, column, tabIndex, student, figures, explain }: BesideCellProps) => {
  const ofClass = of === 'class' ? figures?.class : undefined;
  const isAbove = ofClass?.clear ? ofClass.mean > 0 : undefined;
  const hasMoved = ofClass !== undefined && ofClass.setId !== student.setId;
  const text = besideText(figures, of);
  const opens = text !== '' && explain !== undefined;
  return (
    <td
      className={of === 'class' ? `${styles.result} ${styles.score} ${styles.total}` : styles.result}
      data-row={row}
      data-column={column}
      data-of={of}
      tabIndex={tabIndex}
      data-band={isAbove === undefined ? undefined : isAbove ? 'green' : 'red'}
      data-opens={opens || undefined}
      title={opens ? 'How it came about' : undefined}
      onClick={opens ? () => explain(student) : undefined}
    >
      {text}
      {isAbove !== undefined && <span className="sr">, {isAbove ? 'above' : 'below'} what its priors would lead one to expect</span>}
      {hasMoved && <small className={styles.marked}> of {ofClass.name ?? 'a class that is gone'}</small>}
    </td>
  );
});
