import type { RefObject } from 'react';
import { useEffect, useMemo, useState } from 'react';
import type { Place, Size } from './place.ts';

/** A table of up to this many cells is drawn whole. Each drawn cell costs time when a block is pasted, and again when it is stored. */
const ALL = 600;
/** Extra rows and columns around those in sight; also the step in which the window moves, so that not every pixel redraws. */
const MARGIN = 4;
/** What most screens show at first. A larger window is measured before it is painted, and nothing has to be taken away again. */
const AT_FIRST = { rows: { first: 0, last: 16 }, columns: { first: 0, last: 20 } };

/** px. `beside`: what stays at both ends of a row. */
type Sizes = { readonly row: number; readonly column: number; readonly beside: number };

/** The rows and columns to draw of a table that scrolls: those in sight, some around them, and the active one, which holds the focus. */
export const useWindow = (
  scroll: RefObject<HTMLElement | null>,
  { rows, columns }: Size,
  active: Place,
  { row, column, beside }: Sizes,
) => {
  const isAll = rows * columns <= ALL;
  const [seen, setSeen] = useState(AT_FIRST);
  useEffect(() => {
    const element = scroll.current;
    if (isAll || !element) return;
    const look = () => {
      const { scrollTop, scrollLeft, clientHeight, clientWidth } = element;
      const now = { rows: between(scrollTop, clientHeight, row), columns: between(scrollLeft, clientWidth - beside, column) };
      setSeen((before) => (isSame(before.rows, now.rows) && isSame(before.columns, now.columns) ? before : now));
    };
    look();
    element.addEventListener('scroll', look, { passive: true });
    const resized = new ResizeObserver(look);
    resized.observe(element);
    return () => {
      element.removeEventListener('scroll', look);
      resized.disconnect();
    };
  }, [scroll, isAll, row, column, beside]);
  return {
    rows: useShown(isAll ? undefined : seen.rows, rows, active.row),
    columns: useShown(isAll ? undefined : seen.columns, columns, active.column),
  };
};

/** The same array until something else is drawn. */
const useShown = (seen: Seen | undefined, count: number, active: number): readonly number[] => {
  const { first, last } = seen ?? { first: 0, last: count };
  const from = Math.max(0, first - MARGIN);
  const to = Math.min(count, last + MARGIN);
  const beyond = active < from || active >= to ? active : -1;
  return useMemo(() => shown(from, to, count, beyond), [from, to, count, beyond]);
};

const between = (scrolled: number, length: number, each: number): Seen => ({
  first: Math.floor(scrolled / each / MARGIN) * MARGIN,
  last: Math.ceil((scrolled + length) / each / MARGIN) * MARGIN,
});

const isSame = (one: Seen, other: Seen): boolean => one.first === other.first && one.last === other.last;

/** Rows or columns that are seen: `last` is the first one after them. */
type Seen = { readonly first: number; readonly last: number };

/** Those from `from` to before `to`, and the one `beyond` them that is drawn all the same; -1: none is. */
export const shown = (from: number, to: number, count: number, beyond: number): readonly number[] => {
  const all = Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
  if (beyond < 0 || beyond >= count) return all;
  return beyond < from ? [beyond, ...all] : [...all, beyond];
};

/** How many are left out before each that is drawn. */
export const gapsBefore = (drawn: readonly number[]): readonly number[] =>
  drawn.map((one, index) => one - (index === 0 ? 0 : (drawn[index - 1] ?? 0) + 1));

/** How many are left out after the last that is drawn. */
export const gapAfter = (drawn: readonly number[], count: number): number => count - 1 - (drawn.at(-1) ?? -1);
