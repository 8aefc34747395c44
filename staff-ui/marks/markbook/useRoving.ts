import type { KeyboardEvent } from 'react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Place } from './grid-keys.ts';
import { actOf } from './grid-keys.ts';

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
