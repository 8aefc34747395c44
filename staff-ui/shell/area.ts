import { useLocation } from 'react-router';

/** The area one is in: the specification's "view as". */
export type Area = '/teacher' | '/leader';

export const useArea = (): Area => (useLocation().pathname.startsWith('/leader') ? '/leader' : '/teacher');
