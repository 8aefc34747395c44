import { useEffect } from 'react';
import type { Pressed } from './keys.ts';

/** `from`: what had the focus when the wait began. */
type Wait = { readonly from: Element | null; readonly keys: readonly Pressed[]; readonly isElsewhere: boolean };
let wait: Wait | undefined;
let waiting = 0;

/** Stands where a sheet will be that takes the focus: keys that are pressed meanwhile go into its first cell. */
export const FirstKeys = () => {
  useEffect(noteKeys, []);
  return null;
};

/**
 * Notes the keys that are pressed, until the returned function is called; whoever waits on in the same moment has them too. Whoever clicks
 * somewhere, or goes to a control, means that: their keys are noted no more.
 */
export const noteKeys = (): (() => void) => {
  const leaving = new AbortController();
  const where = { capture: true, signal: leaving.signal };
  waiting++;
  wait ??= { from: document.activeElement, keys: [], isElsewhere: false };
  addEventListener('keydown', note, where);
  addEventListener('pointerdown', goElsewhere, where);
  return () => {
    if (leaving.signal.aborted) return;
    leaving.abort();
    waiting--;
    queueMicrotask(() => {
      if (waiting === 0) wait = undefined;
    });
  };
};

/** The keys so far; undefined: the focus has gone to another control, and stays there. */
export const firstKeys = (): readonly Pressed[] | undefined => (isAt(document.activeElement) ? wait?.keys : undefined);

/** It takes no keys, or is what began the wait. */
const isAt = (element: EventTarget | null): boolean => !(element instanceof HTMLElement) || element.tabIndex < 0 || element === wait?.from;

const note = (event: KeyboardEvent): void => {
  const { key, shiftKey: shift } = event;
  if (!wait || wait.isElsewhere || event.ctrlKey || event.metaKey || event.altKey) return;
  if (key === 'Tab' || key === 'Escape' || !isAt(event.target)) return goElsewhere();
  if (!OF_CELLS.test(key)) return;
  // It would scroll, or press again what began the wait.
  event.preventDefault();
  event.stopPropagation();
  if (!event.repeat) wait = { ...wait, keys: [...wait.keys, { key, shift, ctrl: false }] };
};

const OF_CELLS = /^(?:.|Enter|Arrow\w+|Home|End|Page\w+|Delete|Backspace)$/u;

const goElsewhere = (): void => {
  if (wait) wait = { ...wait, keys: [], isElsewhere: true };
};
