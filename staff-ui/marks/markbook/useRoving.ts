import type { KeyboardEvent } from 'react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';

/** A roving tab stop: Tab reaches one cell of the body, and keys move from there. The focus keeps its place when rows change. */
export const useRoving = (
  size: { readonly rows: number; readonly columns: number },
  firstColumn: number,
  openAt: (place: Place) => void,
  turnPage: (by: 1 | -1) => void,
) => {
  const [place, setPlace] = useState<Place>({ row: 0, column: firstColumn });
  const body = useRef<HTMLTableSectionElement>(null);
  const focused = useRef(false);
  const at = { row: Math.min(place.row, Math.max(0, size.rows - 1)), column: Math.min(place.column, size.columns - 1) };

  const cellAt = ({ row, column }: Place) => body.current?.querySelector<HTMLElement>(`[data-row="${row}"][data-column="${column}"]`);

  /** When the focused row disappears, the cell in its place takes the focus, unless the user has clicked elsewhere. */
  useLayoutEffect(() => {
    if (focused.current && (document.activeElement === document.body || document.activeElement === null))
      cellAt(at)?.focus({ preventScroll: true });
  });
  useEffect(() => {
    const leave = (event: PointerEvent) => {
      if (event.target instanceof Node && !body.current?.contains(event.target)) focused.current = false;
    };
    document.addEventListener('pointerdown', leave);
    return () => document.removeEventListener('pointerdown', leave);
  }, []);

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.altKey || event.metaKey || !(event.target instanceof Node) || !body.current?.contains(event.target)) return;
    const act = actOf(event, at, size);
    if (!act) return;
    event.preventDefault();
    if (act.kind === 'open') openAt(at);
    if (act.kind === 'page') turnPage(act.by);
    if (act.kind === 'go') {
      setPlace(act.to);
      const cell = cellAt(act.to);
      cell?.focus({ preventScroll: true });
      cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    }
  };

  const onFocus = (event: { readonly target: EventTarget }) => {
    if (!(event.target instanceof HTMLElement)) return;
    const { row, column } = event.target.dataset;
    if (row === undefined || column === undefined) return;
    focused.current = true;
    setPlace({ row: Number(row), column: Number(column) });
    event.target.addEventListener(
      'blur',
      (blur) => {
        if (blur.relatedTarget !== null) focused.current = false;
      },
      { once: true },
    );
  };

  return { at, body, onKeyDown, onFocus };
};

/** A cell of the current page, counted from 0. */
type Place = { readonly row: number; readonly column: number };
type Size = { readonly rows: number; readonly columns: number };

type GridAct = { readonly kind: 'go'; readonly to: Place } | { readonly kind: 'page'; readonly by: 1 | -1 } | { readonly kind: 'open' };

/** What a key does in the grid; undefined: left to the browser. */
export const actOf = (
  { key, ctrlKey }: { readonly key: string; readonly ctrlKey: boolean },
  at: Place,
  { rows, columns }: Size,
): GridAct | undefined => {
  const go = (row: number, column: number): GridAct => ({
    kind: 'go',
    to: { row: Math.min(rows - 1, Math.max(0, row)), column: Math.min(columns - 1, Math.max(0, column)) },
  });
  switch (key) {
    case 'ArrowUp':
      return go(at.row - 1, at.column);
    case 'ArrowDown':
      return go(at.row + 1, at.column);
    case 'ArrowLeft':
      return go(at.row, at.column - 1);
    case 'ArrowRight':
      return go(at.row, at.column + 1);
    case 'Home':
      return go(ctrlKey ? 0 : at.row, 0);
    case 'End':
      return go(ctrlKey ? rows - 1 : at.row, columns - 1);
    case 'PageUp':
      return { kind: 'page', by: -1 };
    case 'PageDown':
      return { kind: 'page', by: 1 };
    case 'Enter':
    case ' ':
      return { kind: 'open' };
    default:
      return undefined;
  }
};
