import { useMemo, useSyncExternalStore } from 'react';

/** Whether a media query, such as `(max-width: 767px)`, holds now. */
export const useMedia = (query: string): boolean => {
  const media = useMemo(() => {
    const list = () => matchMedia(query);
    return {
      follow: (listener: () => void): (() => void) => {
        const followed = list();
        followed.addEventListener('change', listener);
        return () => followed.removeEventListener('change', listener);
      },
      matches: () => list().matches,
    };
  }, [query]);
  return useSyncExternalStore(media.follow, media.matches, NOWHERE);
};

/** Where there is no window, as when a page is made ahead of time. */
const NOWHERE = () => false;

/** Below 768 px, and on a phone that lies on its side, one student is shown at a time; else the grid. */
export const useIsPhone = (): boolean => useMedia('(max-width: 767px), (max-height: 500px)');
