import type { RefObject } from 'react';
import { useLayoutEffect } from 'react';

/**
 * Tells the page how much of its foot a line takes (`--notice` is the sum, in tokens.css): what else stands there makes room. Whoever has
 * scrolled to the end of the page is still at its end.
 */
export const useRoomAtFoot = (of: '--toast' | '--oops', line: RefObject<HTMLElement | null>, isOnPage: boolean) => {
  useLayoutEffect(() => {
    const element = line.current;
    if (!element || !isOnPage) return;
    const { documentElement: root } = document;
    const observer = new ResizeObserver(() => {
      const isAtEnd = window.scrollY > 0 && window.scrollY + window.innerHeight >= root.scrollHeight - 1;
      root.style.setProperty(of, `${element.offsetHeight}px`);
      if (isAtEnd) window.scrollTo({ top: root.scrollHeight });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      root.style.removeProperty(of);
    };
  }, [of, line, isOnPage]);
};
