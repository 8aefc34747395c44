import type { CSSProperties, PointerEvent, ReactNode } from 'react';
import { Fragment, useRef } from 'react';
import states from './CellStates.module.css';
import styles from './Grid.module.css';
import { GridRow } from './GridRow.tsx';
import type { Place } from './place.ts';
import { at, blockOf } from './place.ts';
import type { Grid as State } from './useGrid.ts';
import { ROW, useWindow } from './useWindow.ts';
import type { CellView, Column, RowHead } from './view.ts';
import { gapAfter, gapsBefore } from './window.ts';

type GridProps = {
  readonly label: string;
  readonly grid: State;
  readonly columns: readonly Column[];
  readonly rows: readonly RowHead[];
  readonly cellAt: (place: Place) => CellView;
  readonly tailHeads: readonly string[];
  readonly readOnly: boolean;
};

/**
 * A table of marks: a grid by the ARIA pattern with one tab stop and a real input in its active cell. Only the rows and columns in sight are
 * drawn, and only rows that have changed are redrawn.
 */
export const Grid = ({ label, grid, columns, rows, cellAt, tailHeads, readOnly }: GridProps) => {
  const scroll = useRef<HTMLDivElement>(null);
  const hasFocus = useRef(false);
  const { selection, mode } = grid;
  const block = blockOf(selection);
  const width = columnWidth(columns.length);
  const drawn = useWindow(scroll, { rows: rows.length, columns: columns.length }, selection.active, { column: width, beside: NAME });
  const gaps = gapsBefore(drawn.rows);
  const drag = usePointer(grid, () => {
    hasFocus.current = true;
  });
  return (
    <div
      ref={scroll}
      className={styles.scroll}
      onFocus={() => {
        hasFocus.current = true;
      }}
      onBlur={({ relatedTarget }) => {
        if (relatedTarget !== null && !(relatedTarget instanceof Node && scroll.current?.contains(relatedTarget))) {
          hasFocus.current = false;
          grid.settle();
        }
      }}
    >
      <table
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- a grid by the ARIA pattern
        role="grid"
        className={`${styles.grid} ${states.states}`}
        style={widthOf(columns.length, width, tailHeads.length)}
        aria-label={label}
        aria-rowcount={rows.length + 1}
        aria-colcount={1 + columns.length + tailHeads.length}
        aria-multiselectable
        aria-readonly={readOnly || undefined}
        onKeyDown={grid.onKeyDown}
        onCopy={grid.onCopy}
        onCut={grid.onCopy}
        onPaste={grid.onPaste}
        {...drag}
      >
        <colgroup>
          <col className={styles.nameColumn} />
          {columns.map(({ id }) => (
            <col key={id} className={styles.column} />
          ))}
          {tailHeads.map((head) => (
            <col key={head} className={styles.tailColumn} />
          ))}
        </colgroup>
        <Head columns={columns} tailHeads={tailHeads} chosen={block} />
        <tbody>
          {drawn.rows.map((row, index) => {
            const head = rows[row];
            if (!head) return null;
            const isIn = row >= block.top && row <= block.bottom;
            return (
              <Fragment key={head.id}>
                <Gap rows={gaps[index] ?? 0} />
                <GridRow
                  row={row}
                  head={head}
                  cells={drawn.columns.map((column) => cellAt({ row, column }))}
                  drawn={drawn.columns}
                  columns={columns}
                  from={isIn ? block.left : -1}
                  to={isIn ? block.right : -1}
                  active={row === selection.active.row ? selection.active.column : -1}
                  mode={row === selection.active.row ? mode : 'moving'}
                  type={grid.type}
                  hasFocus={hasFocus}
                  readOnly={readOnly}
                />
              </Fragment>
            );
          })}
          <Gap rows={gapAfter(drawn.rows, rows.length)} />
        </tbody>
        {columns.some(({ mean }) => mean !== undefined) && <Foot columns={columns} tail={tailHeads.length} />}
      </table>
    </div>
  );
};

/** px; the widths are fixed, so that a row that comes into sight moves no column. A few columns have room for their topics. */
const widthOf = (columns: number, column: number, tail: number): CSSProperties =>
  ({ '--column': `${column}px`, width: NAME + columns * column + tail * TAIL }) as CSSProperties;
const columnWidth = (columns: number): number => (columns <= 4 ? 112 : columns <= 10 ? 80 : 54);
const NAME = 192;
const TAIL = 84;

/** Rows that are not drawn keep their height. */
const Gap = ({ rows }: { readonly rows: number }): ReactNode => rows > 0 && <tr aria-hidden="true" style={{ height: rows * ROW }} />;

type HeadProps = Pick<GridProps, 'columns' | 'tailHeads'> & { readonly chosen: { readonly left: number; readonly right: number } };

const Head = ({ columns, tailHeads, chosen }: HeadProps) => (
  <thead>
    <tr aria-rowindex={1}>
      <th scope="col" className={styles.name}>
        Name
      </th>
      {columns.map(({ id, name, topic, max }, column) => (
        <th key={id} scope="col" title={topic} data-chosen={(column >= chosen.left && column <= chosen.right) || undefined}>
          <span className={styles.number}>{name}</span>
          {topic !== undefined && <span className={styles.topic}>{topic}</span>}
          <span className={styles.max}>of {max}</span>
        </th>
      ))}
      {tailHeads.map((head) => (
        <th key={head} scope="col" className={styles.tail}>
          {head}
        </th>
      ))}
    </tr>
  </thead>
);

const Foot = ({ columns, tail }: { readonly columns: readonly Column[]; readonly tail: number }) => (
  <tfoot>
    <tr>
      <th scope="row" className={styles.name}>
        Mean
      </th>
      {columns.map(({ id, mean }) => (
        <td key={id}>{mean}</td>
      ))}
      {Array.from({ length: tail }, (_, index) => (
        <td key={index} className={styles.tail}>
          {'\u00A0'}
        </td>
      ))}
    </tr>
  </tfoot>
);

/** A click selects, with Shift up to there; dragging selects a block; a double click edits the text. */
const usePointer = (grid: State, takeFocus: () => void) => {
  const dragging = useRef(false);
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      const place = event.button === 0 ? placeOf(event.target) : undefined;
      if (!place || (grid.mode === 'editing' && event.target instanceof HTMLInputElement)) return;
      event.preventDefault();
      takeFocus();
      if (event.shiftKey) grid.go({ ...grid.selection, to: place });
      else grid.go(at(place));
      dragging.current = event.pointerType === 'mouse';
      // The cell may be active already: nothing else would give it the focus.
      if (event.target instanceof HTMLInputElement) event.target.focus();
    },
    onMouseDown: (event: { readonly target: EventTarget; preventDefault(): void }) => {
      if (placeOf(event.target) && !(grid.mode === 'editing' && event.target instanceof HTMLInputElement)) event.preventDefault();
    },
    onPointerOver: (event: PointerEvent<HTMLElement>) => {
      if (!dragging.current) return;
      dragging.current = event.buttons === 1;
      const place = placeOf(event.target);
      if (dragging.current && place) grid.go({ ...grid.selection, to: place });
    },
    onPointerUp: () => {
      dragging.current = false;
    },
    onDoubleClick: () => void grid.edit(),
  };
};

const placeOf = (target: EventTarget): Place | undefined => {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-row][data-column]') : null;
  const { row, column } = cell?.dataset ?? {};
  return row === undefined || column === undefined ? undefined : { row: Number(row), column: Number(column) };
};
