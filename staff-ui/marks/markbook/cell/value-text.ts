import type { Value } from '#api/marks/marks.contract';

/** A mark as text for the user. */
export const valueText = (value: Value): string => (value === 'sat' ? 'sat it' : String(value));
