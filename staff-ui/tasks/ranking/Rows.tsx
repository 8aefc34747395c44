import type { KeyboardEvent, ReactNode } from 'react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { lastPage, Pager } from '../../../ui/table/Pager.tsx';
import { useRowsAPage } from '../../../ui/table/rows-a-page.ts';
import { Table } from '../../../ui/table/Table.tsx';
import styles from '../Steps.module.css';

type RowsProps<Row> = {
  readonly label: string;
  /** `aside`: on a phone there is no room for it; its cells have the class `aside` */
  readonly heads: readonly { readonly name: string; readonly numeric?: boolean; readonly aside?: boolean }[];
  readonly rows: readonly Row[];
  /**
   * For rows with fields: called by Enter in the last row's field. On a phone these fields stand below each other, so that nobody scrolls
   * sideways to type; their cells have the head in `data-label`.
   */
  readonly onEnd?: () => void;
  /** Rows without fields whose cells stand below each other, too. */
  readonly isStacked?: boolean;
  /** Called with the rows of each page that is opened. */
  readonly onShown?: (rows: readonly Row[]) => void;
  readonly children: (row: Row) => ReactNode;
};

const CHOICES = [15, 50, 'all'] as const;

/** A table of students, 15 rows a page, or as many as somebody chooses. Enter and the arrows lead from a field to that of the next student and of the one before. */
export const Rows = <Row,>({ label, heads, rows, onEnd, isStacked = onEnd !== undefined, onShown, children }: RowsProps<Row>) => {
  const [chosenPage, setPage] = useState(0);
  const { size, rows: choice } = useRowsAPage(rows.length, CHOICES, 'rows_a_page');
  const last = lastPage(rows.length, size);
  const page = Math.min(chosenPage, last);
  useEffect(() => {
    onShown?.(rows.slice(page * size, (page + 1) * size));
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- by what is shown, not by who listens
  }, [rows, page, size]);
  const body = useRef<HTMLTableSectionElement>(null);
  /** The column in which the next page is entered. */
  const column = useRef<number>(undefined);
  useLayoutEffect(() => {
    const entered = column.current;
    column.current = undefined;
    if (entered !== undefined && !goTo(body.current?.rows[0], entered, 1)) onEnd?.();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when the page is turned
  }, [page]);
  const move = (event: KeyboardEvent) => {
    const { key, target, nativeEvent } = event;
    const by = key === 'Enter' || key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : undefined;
    const cell = target instanceof HTMLInputElement ? target.closest('td') : null;
    if (by === undefined || !cell || nativeEvent.isComposing) return;
    // Arrows choose among what a field offers.
    if (key !== 'Enter' && target instanceof HTMLInputElement && target.list) return;
    event.preventDefault();
    const row = cell.closest('tr');
    if (goTo(by === 1 ? row?.nextElementSibling : row?.previousElementSibling, cell.cellIndex, by) || by === -1) return;
    if (page === last) return onEnd?.();
    column.current = cell.cellIndex;
    setPage(page + 1);
  };
  return (
    <div>
      <Table label={label} cardsBelow={isStacked ? 900 : undefined} className={`${styles.rows} ${isStacked ? styles.students : ''}`}>
        <thead>
          <tr>
            {heads.map(({ name, numeric, aside }) => (
              <th key={name} scope="col" className={`${numeric ? 'figure' : ''} ${aside ? 'not-on-phone' : ''}`}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys rise from the fields */}
        <tbody ref={body} onKeyDown={onEnd && move}>
          {rows.slice(page * size, (page + 1) * size).map(children)}
        </tbody>
      </Table>
      <Pager of="students" page={page} size={size} count={rows.length} onPage={setPage} rows={choice} />
    </div>
  );
};

/** Focuses the field of this row in a column, or of the first row after it that has one. Whether there is any. */
const goTo = (first: Element | null | undefined, column: number, by: 1 | -1): boolean => {
  for (let row = first; row instanceof HTMLTableRowElement; row = by === 1 ? row.nextElementSibling : row.previousElementSibling) {
    const field = row.cells[column]?.querySelector<HTMLInputElement>('input:not(:disabled)');
    if (!field) continue;
    field.focus();
    field.select();
    return true;
  }
  return false;
};
