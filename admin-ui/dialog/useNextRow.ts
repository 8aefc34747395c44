import type { RefObject } from 'react';
import { useCallback, useEffect, useRef, useState } from 'react';

/**
 * Keeps the focus in place when a row of a list is deleted: on the delete button (`data-delete`) of the row that took its place, or of
 * the last row.
 */
export const useNextRow = (): { readonly list: RefObject<HTMLOListElement | null>; readonly deleted: (place: number) => void } => {
  const list = useRef<HTMLOListElement>(null);
  const [place, setPlace] = useState<{ readonly at: number }>();
  useEffect(() => {
    if (!place) return;
    const buttons = [...(list.current?.querySelectorAll<HTMLElement>('[data-delete]') ?? [])];
    (buttons[place.at] ?? buttons.at(-1))?.focus();
  }, [place]);
  return { list, deleted: useCallback((at: number) => setPlace({ at }), []) };
};
