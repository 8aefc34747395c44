import { useEffect } from 'react';
import { isLeaving } from '../api/signed-out.ts';

/**
 * With what it is lost: with the part of a page that it is typed into, such as a dialog or a step; with the page; or only with the app, which
 * is closed with the browser's page, or by logging out.
 */
const WITHIN = ['part', 'page', 'app'] as const;
type Within = (typeof WITHIN)[number];

/** The screens that hold unsaved input. */
const holding = new Map<symbol, Within>();

/**
 * The guard for unsaved input: while `isUnsaved`, closing the browser's page, logging out or choosing another subject asks first. Apps call
 * `mayLeave` before they open another of their pages.
 */
export const useUnsaved = (isUnsaved: boolean, within: Within = 'page'): void => {
  useEffect(() => {
    if (!isUnsaved) return;
    const screen = Symbol('screen');
    const ask = (event: BeforeUnloadEvent) => {
      if (!isLeaving()) event.preventDefault();
    };
    holding.set(screen, within);
    window.addEventListener('beforeunload', ask);
    return () => {
      holding.delete(screen);
      window.removeEventListener('beforeunload', ask);
    };
  }, [isUnsaved, within]);
};

/** Whether any screen holds unsaved input. */
export const holdsUnsaved = (): boolean => holding.size > 0;

/** One act may pass several guards: it is asked about once. */
let isAgreed = false;

/** Whether unsaved input may be lost, by leaving a part of a page, the page or the app; asks the user if there is any. */
export const mayLeave = (left: Within = 'app'): boolean => {
  if (isAgreed || [...holding.values()].every((within) => WITHIN.indexOf(within) > WITHIN.indexOf(left))) return true;
  // oxlint-disable-next-line no-alert -- the browser's own question: nothing else can be done before it is answered
  isAgreed = confirm('What you changed here is not stored yet, and would be lost. Leave all the same?');
  setTimeout(() => {
    isAgreed = false;
  });
  return isAgreed;
};
