import type { RefObject } from 'react';
import { useCallback, useEffect, useEffectEvent } from 'react';
import { flushSync } from 'react-dom';
import { firstKeys, noteKeys } from './FirstKeys.tsx';
import type { Pressed } from './keys.ts';

/** The element in which the table is. */
type Around = RefObject<HTMLElement | null>;

const focusIn = ({ current }: Around): boolean => {
  const input = current?.querySelector<HTMLElement>('td[data-active] input');
  input?.focus();
  return input !== null && input !== undefined;
};

/** Gives the focus to the active cell of a table once it is drawn, which scrolls to it. */
export const useActiveCell = (around: Around): (() => void) =>
  useCallback(() => void requestAnimationFrame(() => focusIn(around)), [around]);

/**
 * If `isWanted`, gives the focus to the active cell once, when the table appears and after the dialog that it opens with has taken the focus.
 * It then takes the keys that were pressed before, one by one.
 */
export const useFirstFocus = (around: Around, isWanted: boolean, take: (key: Pressed) => void): void => {
  const takeKey = useEffectEvent(take);
  useEffect(() => {
    if (!isWanted) return;
    const stop = noteKeys();
    const frame = requestAnimationFrame(() => {
      const keys = firstKeys();
      stop();
      if (keys && focusIn(around)) for (const key of keys) flushSync(() => takeKey(key));
    });
    return () => {
      cancelAnimationFrame(frame);
      stop();
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once
  }, []);
};
