import { useSyncExternalStore } from 'react';

/** Below 768 px one student is shown at a time, from there on the grid. */
export const useIsPhone = (): boolean => useSyncExternalStore(follow, isPhone);

const query = '(max-width: 767px)';
const isPhone = (): boolean => matchMedia(query).matches;
const follow = (listener: () => void): (() => void) => {
  const media = matchMedia(query);
  media.addEventListener('change', listener);
  return () => media.removeEventListener('change', listener);
};
