/** Formats numbers, times and lists for display. */
const one = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const whole = new Intl.NumberFormat('en-GB');
const date = new Intl.DateTimeFormat('en-GB', { day: '2-digit', month: '2-digit', year: 'numeric' });
const moment = new Intl.DateTimeFormat('en-GB', { day: '2-digit', month: '2-digit', year: 'numeric', hour: '2-digit', minute: '2-digit' });

const four = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 4, maximumFractionDigits: 4 });

/** 16.9 */
export const oneDecimal = (value: number): string => one.format(value);
const two = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** 0.19, −0.02: a correlation */
export const twoDecimals = (value: number): string => two.format(value).replace('-', '−');
/** 16.9342, −0.0200: where a figure is explained */
export const fourDecimals = (value: number): string => four.format(value).replace('-', '−');
/** +0.6, −0.6 */
export const difference = (value: number): string => `${value < 0 ? '−' : '+'}${one.format(Math.abs(value))}`;
/** 15,000 */
export const count = (value: number): string => whole.format(value);
/** '1 mark', '30 marks' */
export const counted = (value: number, singular: string, plural = `${singular}s`): string =>
  `${whole.format(value)} ${value === 1 ? singular : plural}`;
/** 21/11/2026; of an instant in the reader's zone */
export const day = (iso: string): string => date.format(new Date(iso));
/** 21/11/2026, 11:04 in the reader's zone */
export const dateTime = (iso: string): string => moment.format(new Date(iso));

/** '11X1', '11X1 and 11X2', '11X1, 11X2 and 24 more' */
export const some = (names: readonly string[], most = 3): string => {
  if (names.length <= most) return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  return `${names.slice(0, most - 1).join(', ')} and ${names.length - most + 1} more`;
};
