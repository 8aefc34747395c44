import type { CSSProperties, MouseEvent, PointerEvent, ReactNode } from 'react';
import { Fragment, useRef, useState } from 'react';
import { useMedia } from '../../../ui/controls/useMedia.ts';
import type { MenuPlace } from './CellMenu.tsx';
import { CellMenu } from './CellMenu.tsx';
import states from './CellStates.module.css';
import { Find } from './Find.tsx';
import styles from './Grid.module.css';
import { GridRow } from './GridRow.tsx';
import type { Block, Place } from './place.ts';
import { at, blockOf } from './place.ts';
import type { Grid as State } from './useGrid.ts';
import { useWindow, gapAfter, gapsBefore } from './useWindow.ts';
import type { CellView, Column, RowHead } from './view.ts';
import type { Widths } from './widths.ts';
import { tailPlace, useWidths } from './widths.ts';

type GridProps = {
  readonly label: string;
  readonly grid: State;
  readonly columns: readonly Column[];
  /** At the foot: the mean of each column. */
  readonly means: readonly string[];
  readonly rows: readonly RowHead[];
  readonly cellAt: (place: Place) => CellView;
  readonly tailHeads: readonly string[];
  readonly readOnly: boolean;
  readonly onHelp: () => void;
};

/**
 * A table of marks: a grid by the ARIA pattern with one tab stop and a real input in its active cell. Only the rows and columns in sight are
 * drawn, and only rows that have changed are redrawn.
 */
export const Grid = ({ label, grid, columns, means, rows, cellAt, tailHeads, readOnly, onHelp }: GridProps) => {
  const scroll = useRef<HTMLDivElement>(null);
  const hasFocus = useRef(false);
  const { selection, mode } = grid;
  const block = blockOf(selection);
  const size = { rows: rows.length, columns: columns.length };
  const longest = Math.max(0, ...columns.map(({ name, max }) => `${name}${max}`.length));
  const widths = useWidths(scroll, columns.length, tailHeads.length, longest);
  const rowHeight = useMedia(TOUCH) ? 44 : 28;
  const drawn = useWindow(scroll, size, selection.active, {
    row: rowHeight,
    column: widths.column,
    beside: widths.name + tailHeads.length * widths.tail,
  });
  const gaps = gapsBefore(drawn.rows);
  const items = readOnly ? [] : grid.menu();
  const [menu, setMenu] = useState<MenuPlace>();
  const drag = usePointer(grid, {
    takeFocus: () => {
      hasFocus.current = true;
    },
    openMenu: (under) => setMenu(items.length > 0 ? under : undefined),
  });
  const find = () => scroll.current?.querySelector<HTMLElement>('[data-find]')?.focus();
  return (
    <div
      ref={scroll}
      className={`box ${styles.scroll}`}
      data-narrow={widths.name < 190 || undefined}
      style={sizesOf(columns.length, widths, tailHeads.length, rowHeight)}
      onFocus={({ target }) => {
        // Whoever searches goes on typing there, while the active cell moves.
        hasFocus.current = !target.matches('[data-find]');
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
        aria-label={label}
        aria-rowcount={rows.length + 1}
        aria-colcount={1 + columns.length + tailHeads.length}
        aria-multiselectable
        aria-readonly={readOnly || undefined}
        onKeyDown={(event) => {
          // In a cell that one moves to they begin no mark.
          const action = grid.mode === 'moving' ? { '/': find, '?': onHelp }[event.key] : undefined;
          if (action) event.preventDefault();
          if (action) action();
          else grid.onKeyDown(event);
        }}
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
        <Head columns={columns} tailHeads={tailHeads} chosen={block} find={<Find rows={rows} grid={grid} />} />
        <tbody>
          {drawn.rows.map((row, index) => {
            const head = rows[row];
            if (!head) return null;
            const isIn = row >= block.top && row <= block.bottom;
            return (
              <Fragment key={head.id}>
                <Gap height={(gaps[index] ?? 0) * rowHeight} />
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
                  hasMenu={items.length > 0}
                />
              </Fragment>
            );
          })}
          <Gap height={gapAfter(drawn.rows, rows.length) * rowHeight} />
        </tbody>
        <Foot columns={columns} means={means} tail={tailHeads.length} />
      </table>
      {menu && <CellMenu label={chosenWords(block, rows, columns)} under={menu} items={items} onClose={() => setMenu(undefined)} />}
    </div>
  );
};

/** Whom the menu is about. */
const chosenWords = ({ top, left, bottom, right }: Block, rows: readonly RowHead[], columns: readonly Column[]): string => {
  const who = top === bottom ? (rows[top]?.name ?? '') : `${bottom - top + 1} students`;
  if (left === 0 && right === columns.length - 1) return who;
  return `${who}, ${columns[left]?.name ?? ''}${left === right ? '' : ` to ${columns[right]?.name ?? ''}`}`;
};

/** Where rows are for fingers. */
const TOUCH = '(pointer: coarse), (max-width: 767px)';

const sizesOf = (columns: number, { name, column, tail }: Widths, tails: number, row: number): CSSProperties =>
  ({
    '--name': `${name}px`,
    '--column': `${column}px`,
    '--tail': `${tail}px`,
    '--tails': tails,
    '--row-height': `${row}px`,
    '--name-lines': row > 40 ? 3 : 2,
    '--table': `${name + columns * column + tails * tail}px`,
  }) as CSSProperties;

/** Rows that are not drawn keep their height. */
const Gap = ({ height }: { readonly height: number }): ReactNode => height > 0 && <tr aria-hidden="true" style={{ height }} />;

type HeadProps = Pick<GridProps, 'columns' | 'tailHeads'> & {
  readonly chosen: { readonly left: number; readonly right: number };
  readonly find: ReactNode;
};

const Head = ({ columns, tailHeads, chosen, find }: HeadProps) => (
  <thead>
    <tr aria-rowindex={1}>
      <th scope="col" className={styles.name}>
        Name
        {find}
      </th>
      {columns.map(({ id, name, topic, max }, column) => (
        <th
          key={id}
          scope="col"
          title={topic}
          data-head={column}
          data-chosen={(column >= chosen.left && column <= chosen.right) || undefined}
        >
          <span className="strong">{name}</span>{' '}
          <span className="tiny muted">
            <span className="sr">of </span>
            <span aria-hidden="true">/</span>
            {max}
          </span>
          {topic !== undefined && <span className={`tiny muted ${styles.topic}`}>{topic}</span>}
        </th>
      ))}
      {tailHeads.map((head, index) => (
        <th key={head} scope="col" className={styles.tail} style={tailPlace(index)}>
          {head}
        </th>
      ))}
    </tr>
  </thead>
);

type FootProps = Pick<GridProps, 'columns' | 'means'> & { readonly tail: number };

const Foot = ({ columns, means, tail }: FootProps) => (
  <tfoot>
    <tr>
      <th scope="row" className={styles.name}>
        Mean
      </th>
      {columns.map(({ id }, column) => (
        <td key={id}>{means[column]}</td>
      ))}
      {Array.from({ length: tail }, (_, index) => (
        <td key={index} className={styles.tail} style={tailPlace(index)}>
          {'\u00A0'}
        </td>
      ))}
    </tr>
  </tfoot>
);

type Pointed = { readonly takeFocus: () => void; readonly openMenu: (under: MenuPlace) => void };

/**
 * A click selects, with Shift up to there; dragging selects a block; a double click edits the text. The head of a column selects it; the
 * head of a row too, and opens the menu, as the other mouse button does anywhere.
 */
const usePointer = (grid: State, { takeFocus, openMenu }: Pointed) => {
  const dragging = useRef(false);
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      const head = event.button === 0 ? headOf(event.target) : undefined;
      if (head !== undefined) {
        event.preventDefault();
        takeFocus();
        grid.selectColumn(head, event.shiftKey);
      }
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
    onClick: (event: MouseEvent<HTMLElement>) => {
      const name = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-row-head]') : null;
      if (!name) return;
      takeFocus();
      grid.selectRow(Number(name.dataset['rowHead']), event.shiftKey);
      openMenu(name.getBoundingClientRect());
    },
    /** The other button of the mouse, a long press, and the keyboard's own key. */
    onContextMenu: (event: MouseEvent<HTMLElement>) => {
      const place = placeOf(event.target);
      if (!place || grid.mode === 'editing') return;
      event.preventDefault();
      takeFocus();
      const { top, left, bottom, right } = blockOf(grid.selection);
      const isIn = place.row >= top && place.row <= bottom && place.column >= left && place.column <= right;
      if (!isIn) grid.go(at(place));
      openMenu(event.clientX === 0 && event.target instanceof Element ? event.target.getBoundingClientRect() : pointAt(event));
    },
    onDoubleClick: (event: MouseEvent<HTMLElement>) => {
      if (placeOf(event.target)) grid.edit();
    },
  };
};

const pointAt = ({ clientX, clientY }: MouseEvent): MenuPlace => ({ left: clientX, top: clientY, bottom: clientY });

const headOf = (target: EventTarget): number | undefined => {
  const head = target instanceof Element ? target.closest<HTMLElement>('[data-head]') : null;
  return head ? Number(head.dataset['head']) : undefined;
};

const placeOf = (target: EventTarget): Place | undefined => {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-row][data-column]') : null;
  const { row, column } = cell?.dataset ?? {};
  return row === undefined || column === undefined ? undefined : { row: Number(row), column: Number(column) };
};
