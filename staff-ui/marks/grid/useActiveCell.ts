import type { RefObject } from 'react';
import { useCallback, useEffect } from 'react';

/**
 * Gives the focus to the active cell of the table within an element, which scrolls to it. `atFirst`: also once, when the table appears, and
 * after the dialog that it opens with has taken the focus.
 */
export const useActiveCell = (around: RefObject<HTMLElement | null>, atFirst: boolean): (() => number) => {
  /** Once it is drawn. */
  const focus = useCallback(
    () => requestAnimationFrame(() => around.current?.querySelector<HTMLElement>('td[data-active] input')?.focus()),
    [around],
  );
  useEffect(() => {
    if (!atFirst) return;
    const frame = focus();
    return () => cancelAnimationFrame(frame);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once
  }, []);
  return focus;
};
