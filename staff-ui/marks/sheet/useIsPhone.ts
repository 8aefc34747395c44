import { useMedia } from '../../shell/useMedia.ts';

/** Below 768 px, and on a phone that lies on its side, one student is shown at a time; else the grid. */
export const useIsPhone = (): boolean => useMedia('(max-width: 767px), (max-height: 500px)');
