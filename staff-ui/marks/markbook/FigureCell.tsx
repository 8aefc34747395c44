import { FLAGS } from '#api/contract/flags';
import type { Markbook } from '#api/marks/marks.contract';
import { memo } from 'react';
import { bandOf } from '#api/marks/markbook-view.formula';
import type { BesideFigures } from './beside.ts';
import styles from './MarkbookTable.module.css';
import type { Column, MarkbookStudent } from './view.ts';
import { figureText, overriddenOf } from './view.ts';

type FigureCellProps = {
  readonly of: Column['of'];
  readonly row: number;
  readonly column: number;
  readonly tabIndex: 0 | -1;
  readonly student: MarkbookStudent;
  readonly figures: BesideFigures | undefined;
  readonly scores: Markbook['scores'];
  /** The totals of now would give another score. */
  readonly isChanged: boolean;
  /** Opens how the figure came about; undefined: it is none, or not for this reader. */
  readonly explain: ((student: MarkbookStudent) => void) | undefined;
};

/**
 * What the ranking says of a student, or what stands beside the residual. A score has a band, over the scores of the year group; the mean of
 * the class has a colour only where its interval excludes 0.
 */
export const FigureCell = memo(({ of, row, column, tabIndex, student, figures, scores, isChanged, explain }: FigureCellProps) => {
  const text = figureText(student, figures, of);
  const ofClass = of === 'class' ? figures?.class : undefined;
  const isAbove = ofClass?.clear ? ofClass.mean > 0 : undefined;
  const band = of === 'score' && scores ? bandOf(student.score ?? null, scores) : undefined;
  const notes = [overriddenOf(student, of), isChanged && (of === 'ranking' || of === 'score') && FLAGS.changed.short]
    .filter(Boolean)
    .join(', ');
  const opens = text !== '' && explain !== undefined;
  return (
    <td
      className={of === 'score' || of === 'class' ? `${styles.result} ${styles.score} ${styles.total}` : styles.result}
      data-row={row}
      data-column={column}
      data-of={of}
      tabIndex={tabIndex}
      data-band={isAbove === undefined ? band : isAbove ? 'green' : 'red'}
      data-opens={opens || undefined}
      title={opens ? 'How it came about' : undefined}
      onClick={opens ? () => explain(student) : undefined}
    >
      {text}
      {notes !== '' && (
        <span className={styles.computed} title={notes}>
          <span aria-hidden="true">*</span>
          <span className="sr">, {notes}</span>
        </span>
      )}
      {band && <span className="sr">, {band}</span>}
      {isAbove !== undefined && <span className="sr">, {isAbove ? 'above' : 'below'} what its priors would lead one to expect</span>}
      {ofClass && ofClass.setId !== student.setId && (
        <small className={styles.marked}> of {ofClass.name ?? 'a class that no longer exists'}</small>
      )}
    </td>
  );
});
