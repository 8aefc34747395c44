import type { Value } from '#api/marks/marks.contract';

/** A mark as text for the user. */
export const valueText = (value: Value): string =>
  typeof value === 'number' ? String(value) : { cleared: 'cleared', sat: 'sat it', absent: 'absent', exempt: 'exempt' }[value];
