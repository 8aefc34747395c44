import type { CSSProperties, RefObject } from 'react';
import { useLayoutEffect, useState } from 'react';

/** px. `name` and `tail` stay in sight at both ends; `column` takes what is left. */
export type Widths = { readonly name: number; readonly column: number; readonly tail: number };

/**
 * The widths of a table of marks that is `free` px wide, whose longest head has so many characters. They are fixed, so that a row that comes
 * into sight moves no column.
 */
export const widthsIn = (free: number, columns: number, tails: number, longest: number): Widths => {
  const isNarrow = free < NARROW;
  // A single column is a list of totals: half of the room is for it, the other for what there is to say about them.
  if (columns === 1 && free >= ROOMY) return { name: 280, column: 168, tail: 132 };
  const [name, tail] = isNarrow ? [144, 72] : [192, 74];
  const least = columns <= 4 ? 112 : columns <= 10 ? 64 : Math.max(44, 18 + 8 * longest);
  const most = columns === 1 ? least : MOST;
  return { name, tail, column: Math.max(least, Math.min(most, Math.floor((free - name - tails * tail) / columns))) };
};

const NARROW = 760;
const ROOMY = 1000;
/** Room for a topic of some words. */
const MOST = 168;

/** The same for what has room around the table, before anything is painted. */
export const useWidths = (scroll: RefObject<HTMLElement | null>, columns: number, tails: number, longest: number): Widths => {
  const [free, setFree] = useState(NARROW);
  useLayoutEffect(() => {
    const [element, around] = [scroll.current, scroll.current?.parentElement];
    if (!element || !around) return;
    const look = () => setFree(around.clientWidth - (element.offsetWidth - element.clientWidth));
    look();
    const resized = new ResizeObserver(look);
    resized.observe(around);
    return () => resized.disconnect();
  }, [scroll]);
  return widthsIn(free, columns, tails, longest);
};

/** How far from the right end a column of the tail stays. */
export const tailPlace = (index: number): CSSProperties => ({ right: `calc((var(--tails) - ${index + 1}) * var(--tail))` });
