import { useCallback, useSyncExternalStore } from 'react';

/** Whether a media query, such as `(max-width: 767px)`, holds now. */
export const useMedia = (query: string): boolean => {
  const follow = useCallback(
    (listener: () => void): (() => void) => {
      const media = matchMedia(query);
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(follow, () => matchMedia(query).matches);
};

/** Below 768 px, and on a phone that lies on its side, one student is shown at a time; else the grid. */
export const useIsPhone = (): boolean => useMedia('(max-width: 767px), (max-height: 500px)');
