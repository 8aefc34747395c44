import type { RefObject } from 'react';
import { useEffect, useLayoutEffect, useRef } from 'react';

/**
 * For a box that is redrawn under its user's hands: when what had the focus in it is gone, the first field that can be typed into gets it, else
 * the first button, else the box itself, which then needs a tabIndex. Not if the user has moved on, or has left a field that is still there.
 * `isSettled`: what is drawn now stays.
 */
export const useFocusStays = <Box extends HTMLElement>(isSettled = true): RefObject<Box | null> => {
  const box = useRef<Box>(null);
  /** What had the focus last, if it was in the box. */
  const held = useRef<Element>(null);
  useEffect(() => {
    const follow = ({ target }: FocusEvent) => {
      held.current = target instanceof Element && box.current?.contains(target) === true ? target : null;
    };
    const leave = () => {
      held.current = null;
    };
    document.addEventListener('focusin', follow);
    document.addEventListener('pointerdown', leave);
    return () => {
      document.removeEventListener('focusin', follow);
      document.removeEventListener('pointerdown', leave);
    };
  }, []);
  // After each redraw: what is removed says nothing when it loses the focus.
  useLayoutEffect(() => {
    if (!isSettled || !held.current || document.activeElement !== document.body) return;
    if (held.current.isConnected && !held.current.matches(':disabled')) return;
    const next = box.current?.querySelector<HTMLElement>(FIELD) ?? box.current?.querySelector<HTMLElement>(BUTTON) ?? box.current;
    next?.focus();
  });
  return box;
};

const FIELD = 'input:not(:disabled, [readonly])';
const BUTTON = 'button:not(:disabled)';
