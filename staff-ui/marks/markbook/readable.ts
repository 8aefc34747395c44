import type { Me } from '#api/accounts/accounts.contract';
import type { YearGroup } from '../../shell/place.ts';

/** The year groups whose markbook somebody may read: a teacher those of their own classes. */
export const readableYears = (yearGroups: readonly YearGroup[], role: Me['role']): readonly YearGroup[] =>
  role === 'teacher' ? yearGroups.filter(({ sets }) => sets.some(({ mayWrite }) => mayWrite)) : yearGroups;
