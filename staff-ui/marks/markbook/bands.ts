import type { Markbook } from '#api/marks/marks.contract';

export type Band = 'green' | 'amber' | 'red';
export const bands: readonly Band[] = ['green', 'amber', 'red'];

type Norm = Pick<Markbook['tests'][number], 'mean' | 'sd'>;

/**
 * Colour bands: above the mean plus one deviation green, above the mean minus one deviation amber, above zero red. A
 * zero or an empty cell has none. Mean and deviation are those of the whole year group, even when the table is filtered.
 */
export const bandOf = (total: number | null, { mean, sd }: Norm): Band | undefined => {
  if (total === null || mean === null || sd === null) return undefined;
  if (total > mean + sd) return 'green';
  if (total > mean - sd) return 'amber';
  return total > 0 ? 'red' : undefined;
};
