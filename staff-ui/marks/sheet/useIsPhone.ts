import { useMedia } from '../../shell/useMedia.ts';

/** Below 768 px one student is shown at a time, from there on the grid. */
export const useIsPhone = (): boolean => useMedia('(max-width: 767px)');
