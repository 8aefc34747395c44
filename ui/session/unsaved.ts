import { useEffect } from 'react';
import { isLeaving } from '../api/signed-out.ts';
import { ask } from '../feedback/ask.ts';

/**
 * What unsaved input is lost with: the part of a page that it is typed into, such as a dialog or a step; the page; or only the app, which is
 * closed with the browser's page, or by logging out.
 */
const WITHIN = ['part', 'page', 'app'] as const;
type Within = (typeof WITHIN)[number];

/** The screens that hold unsaved input. */
const holding = new Map<symbol, Within>();

/**
 * The guard for unsaved input: while `isUnsaved`, logging out, choosing another subject and the like ask first by `leaving`. Closing the
 * browser's page is asked about by the browser: nobody else can.
 */
export const useUnsaved = (isUnsaved: boolean, within: Within = 'page'): void => {
  useEffect(() => (isUnsaved ? holdUnsaved(within) : undefined), [isUnsaved, within]);
};

/** A screen holds unsaved input until the returned function is called. */
export const holdUnsaved = (within: Within): (() => void) => {
  const screen = Symbol('screen');
  const askByBrowser = (event: BeforeUnloadEvent) => {
    if (!isLeaving() && !isAgreed) event.preventDefault();
  };
  holding.set(screen, within);
  window.addEventListener('beforeunload', askByBrowser);
  return () => {
    holding.delete(screen);
    window.removeEventListener('beforeunload', askByBrowser);
  };
};

/** Whether any screen holds unsaved input. */
export const holdsUnsaved = (): boolean => holding.size > 0;

/** Whether unsaved input would be lost by leaving a part of a page, the page or the app. */
export const wouldLose = (left: Within): boolean =>
  !isAgreed && [...holding.values()].some((within) => WITHIN.indexOf(within) <= WITHIN.indexOf(left));

/** One act may pass several guards: it is asked about once. */
let isAgreed = false;
let isAsked = false;

/**
 * Does what leaves a part of a page, the page or the app: at once, or after a question where unsaved input would be lost. What else would
 * leave while the question stands does nothing.
 */
export const leaving = (left: Within, leave: () => void, stay?: () => void): void => {
  if (!wouldLose(left)) return leave();
  if (isAsked) return;
  isAsked = true;
  void ask(WOULD_BE_LOST).then((agreed) => {
    isAsked = false;
    if (!agreed) return stay?.();
    isAgreed = true;
    setTimeout(() => {
      isAgreed = false;
    });
    return leave();
  });
};

/** The question before unsaved input is lost. */
export const WOULD_BE_LOST = {
  title: 'Leave without saving?',
  text: 'What you changed here is not stored yet, and would be lost.',
  go: 'Leave all the same',
  stay: 'Stay here',
  removes: true,
};
