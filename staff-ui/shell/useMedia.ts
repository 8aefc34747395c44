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
