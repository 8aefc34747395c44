import { useLocation } from 'wouter';

/** The area one is in: the specification's "view as". */
export type Area = '/teacher' | '/leader';

export const useArea = (): Area => (useLocation()[0].startsWith('/leader') ? '/leader' : '/teacher');
