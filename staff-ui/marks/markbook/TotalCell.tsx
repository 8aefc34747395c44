import { AWAY_WORDS } from '#api/contract/attendance';
import { FLAGS, isContested } from '#api/contract/flags';
import type { MarkbookTotal } from '#api/marks/marks.contract';
import { memo } from 'react';
import { useJustChanged } from '../../shell/useJustChanged.ts';
import type { Band } from '#api/marks/markbook-view.formula';
import { bandOf } from '#api/marks/markbook-view.formula';
import styles from './MarkbookTable.module.css';
import type { MarkbookTest, OpenCell } from './view.ts';

type TotalCellProps = {
  readonly row: number;
  readonly column: number;
  readonly tabIndex: 0 | -1;
  readonly test: MarkbookTest;
  readonly studentId: string;
  readonly total: MarkbookTotal | undefined;
  /** Pointed at; left out: for a moment, where it has just changed. */
  readonly isMarked?: boolean | undefined;
  readonly open: (cell: OpenCell) => void;
};

/**
 * A student's total in a test. Colour, shape and a word give its band; a folded corner marks a contested total or attendance. Redrawn only if it, or
 * its test, has changed: after a colleague's save that is a column, not the table.
 */
export const TotalCell = memo(({ row, column, tabIndex, test, studentId, total, isMarked, open }: TotalCellProps) => {
  const band = total && bandOf(total.total, test);
  const justChanged = useJustChanged(signature(total));
  return (
    <td
      className={styles.total}
      data-row={row}
      data-column={column}
      tabIndex={tabIndex}
      data-band={band}
      data-contested={isContested(total?.flags) || undefined}
      data-changed={(isMarked ?? justChanged) || undefined}
      onClick={() => open({ studentId, testId: test.testId })}
    >
      <TotalText total={total} max={test.max} />
      <span className="sr">{words(total, test.max, band)}</span>
    </td>
  );
});

const TotalText = ({ total, max }: { readonly total: MarkbookTotal | undefined; readonly max: number | null }) => {
  if (!total) return null;
  if (total.attendance !== 'sat') return <abbr title={total.attendance}>{AWAY_WORDS[total.attendance].sign}</abbr>;
  const isAbove = total.flags?.includes('above-maximum');
  if (total.total === null && !isAbove && !total.marked) return null;
  return (
    <>
      {total.total}
      {total.total === null && total.marked && <small className={styles.marked}>{markedText(total.marked)}</small>}
      {isAbove && (
        <abbr className={styles.above} title={firstUpper(aboveText(total, max))}>
          !
        </abbr>
      )}
    </>
  );
};

/** '12 of 13 questions' */
export const markedText = ({ questions, of }: NonNullable<MarkbookTotal['marked']>): string => `${questions} of ${of} questions`;

/** What is open about a total: 'several values', 'above the maximum of 40'. */
export const flagTexts = (total: MarkbookTotal, max: number | null): readonly string[] =>
  (total.flags ?? []).map((flag) => (flag === 'above-maximum' ? aboveText(total, max) : FLAGS[flag].short));

const aboveText = ({ total }: MarkbookTotal, max: number | null): string =>
  total !== null && max !== null && total > max ? `above the maximum of ${max}` : 'a question mark is above its maximum';

const firstUpper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const words = (total: MarkbookTotal | undefined, max: number | null, band: Band | undefined): string =>
  [
    !total || (total.total === null && total.attendance === 'sat') ? (total?.marked ? ' entered' : 'not entered') : undefined,
    band && ` ${band}`,
    ...(total ? flagTexts(total, max).map((text) => ` ${text}`) : []),
  ]
    .filter(Boolean)
    .join(',');

const signature = (total: MarkbookTotal | undefined): string =>
  total ? `${total.total} ${total.marked?.questions} ${total.attendance} ${total.flags?.join()}` : '';
