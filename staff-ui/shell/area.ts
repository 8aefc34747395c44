import { useLocation } from 'wouter';

/** The current section of the staff: the role that the site is viewed as. */
export type Area = '/teacher' | '/leader';

export const useArea = (): Area => (useLocation()[0].startsWith('/leader') ? '/leader' : '/teacher');
