import { useEffect } from 'react';
import { isLeaving } from './signed-out.ts';

/** The screens of this page that hold something that is not stored yet. */
const holding = new Set<symbol>();

/**
 * The one guard of what is typed and not stored: while `isUnsaved`, nobody closes the page, logs out or chooses another subject without
 * being asked. Apps ask `mayLeave` before they open another of their pages.
 */
export const useUnsaved = (isUnsaved: boolean): void => {
  useEffect(() => {
    if (!isUnsaved) return;
    const screen = Symbol('screen');
    const ask = (event: BeforeUnloadEvent) => {
      if (!isLeaving()) event.preventDefault();
    };
    holding.add(screen);
    window.addEventListener('beforeunload', ask);
    return () => {
      holding.delete(screen);
      window.removeEventListener('beforeunload', ask);
    };
  }, [isUnsaved]);
};

/** Whether a screen holds something that is not stored. */
export const holdsUnsaved = (): boolean => holding.size > 0;

/** Whether what is not stored may go; asks if there is something. */
export const mayLeave = (): boolean =>
  // oxlint-disable-next-line no-alert -- the browser's own question: nothing else can be done before it is answered
  !holdsUnsaved() || confirm('What you changed here is not stored yet, and would be lost. Leave all the same?');
