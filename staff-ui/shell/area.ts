import { useLocation } from 'wouter';

/** The current section: the specification's "view as". */
export type Area = '/teacher' | '/leader';

export const useArea = (): Area => (useLocation()[0].startsWith('/leader') ? '/leader' : '/teacher');
