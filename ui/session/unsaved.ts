import { useEffect } from 'react';
import { isLeaving } from './signed-out.ts';

/** The screens of this page that hold unsaved input. */
const holding = new Set<symbol>();

/**
 * The guard for unsaved input: while `isUnsaved`, closing the page, logging out or choosing another subject asks first. Apps call
 * `mayLeave` before they open another of their pages.
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

/** Whether any screen holds unsaved input. */
export const holdsUnsaved = (): boolean => holding.size > 0;

/** Whether unsaved input may be lost; asks the user if there is any. */
export const mayLeave = (): boolean =>
  // oxlint-disable-next-line no-alert -- the browser's own question: nothing else can be done before it is answered
  !holdsUnsaved() || confirm('What you changed here is not stored yet, and would be lost. Leave all the same?');
