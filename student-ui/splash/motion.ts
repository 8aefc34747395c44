import { useSyncExternalStore } from 'react';

/** Whether the reader prefers reduced motion. Pre-rendered pages say no: nothing moves before the script runs. */
export const useReducedMotion = (): boolean => useSyncExternalStore(subscribe, isReduced, () => false);

const reduced = (): MediaQueryList => matchMedia('(prefers-reduced-motion: reduce)');
const isReduced = (): boolean => reduced().matches;
const subscribe = (changed: () => void): (() => void) => {
  const query = reduced();
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
};
