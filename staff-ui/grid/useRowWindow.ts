import type { RefObject } from 'react';
import { useEffect, useState } from 'react';

/** Cells up to which all rows are drawn. Each drawn cell costs time when a block is pasted, and again when it is stored. */
const ALL = 600;
const MARGIN = 4;
/** What most screens show at first. A larger one is measured before it is painted, and fewer need not be taken away again. */
const AT_FIRST = { first: 0, last: 16 };

/** px, as in Grid.module.css */
export const ROW = 32;

/** The rows to draw of a table that scrolls: those that are seen, some around them, and the active one, which holds the focus. */
export const useRowWindow = (scroll: RefObject<HTMLElement | null>, rows: number, columns: number, active: number): readonly number[] => {
  const isAll = rows * columns <= ALL;
  const [{ first, last }, setSeen] = useState(AT_FIRST);
  useEffect(() => {
    const element = scroll.current;
    if (isAll || !element) return;
    const look = () => {
      // In steps, so that not each pixel draws.
      const from = Math.floor(element.scrollTop / ROW / MARGIN) * MARGIN;
      const to = Math.ceil((element.scrollTop + element.clientHeight) / ROW / MARGIN) * MARGIN;
      setSeen((before) => (before.first === from && before.last === to ? before : { first: from, last: to }));
    };
    look();
    element.addEventListener('scroll', look, { passive: true });
    const resized = new ResizeObserver(look);
    resized.observe(element);
    return () => {
      element.removeEventListener('scroll', look);
      resized.disconnect();
    };
  }, [scroll, isAll]);
  if (isAll) return Array.from({ length: rows }, (_, row) => row);
  const from = Math.max(0, first - MARGIN);
  const to = Math.min(rows, last + MARGIN);
  const seen = Array.from({ length: Math.max(0, to - from) }, (_, row) => from + row);
  return active < from ? [active, ...seen] : active >= to && active < rows ? [...seen, active] : seen;
};
