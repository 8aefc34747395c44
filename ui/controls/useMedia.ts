import { useMemo, useSyncExternalStore } from 'react';

/** Whether a media query, such as `(max-width: 767px)`, holds now. */
export const useMedia = (query: string): boolean => {
  const media = useMemo(() => {
    const list = matchMedia(query);
    return {
      follow: (listener: () => void): (() => void) => {
        list.addEventListener('change', listener);
        return () => list.removeEventListener('change', listener);
      },
      matches: () => list.matches,
    };
  }, [query]);
  return useSyncExternalStore(media.follow, media.matches, media.matches);
};

/** Below 768 px, and on a phone that lies on its side, one student is shown at a time; else the grid. */
export const useIsPhone = (): boolean => useMedia('(max-width: 767px), (max-height: 500px)');
