import { useEffect, useRef } from 'react';

/**
 * Moves the focus to the page's main part when it was lost with the previous page. Otherwise the keyboard would start again at the top of
 * the document. A link of the menu keeps the focus.
 *
 * @returns ref of the main part
 */
export const useFocusOnNewPage = (path: string) => {
  const main = useRef<HTMLElement>(null);
  const before = useRef(path);
  useEffect(() => {
    if (before.current === path) return;
    before.current = path;
    // After this commit's effects: a dialog that closes with the page first returns the focus to an element that is gone.
    const timer = setTimeout(() => {
      if (document.activeElement === document.body) main.current?.focus({ preventScroll: true });
    });
    return () => clearTimeout(timer);
  }, [path]);
  return main;
};
