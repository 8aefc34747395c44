import type { Dashboard } from '#api/analysis/tests.contract';

export type Average = Dashboard['tests'][number]['averages'][number];

/** How the mean of a class stands to its year group. */
export const STANDS: Readonly<Record<Average['stands'], string>> = {
  higher: 'above the year by more than chance',
  lower: 'below the year by more than chance',
  among: 'no different from the year',
  few: 'too few students to say',
};

/** 2025/26 */
export const schoolYearName = (schoolYear: number): string => `${schoolYear}/${String((schoolYear + 1) % 100).padStart(2, '0')}`;
