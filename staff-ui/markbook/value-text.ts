import type { Value } from '#contract/marks';

/** A value as people say it. */
export const valueText = (value: Value): string =>
  typeof value === 'number' ? String(value) : { cleared: 'cleared', sat: 'sat it', absent: 'absent', exempt: 'exempt' }[value];
