/** Dates as schools write them. */

/** Schools are in the United Kingdom: what happened is told by their clock, wherever its reader is. */
export const SCHOOL_ZONE = 'Europe/London';

/** The day of the school, as YYYY-MM-DD. */
export const schoolDay = (at: Date): string => new Intl.DateTimeFormat('en-CA', { timeZone: SCHOOL_ZONE }).format(at);

/** DD/MM/YYYY (or D/M/YYYY) as YYYY-MM-DD; null if empty; undefined if there is no such day. */
export const dateOf = (text: string): string | null | undefined => {
  if (text === '') return null;
  const [, day = '', month = '', year = ''] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? [];
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const date = new Date(`${iso}T00:00:00Z`);
  // Some engines accept 31/02, so the date must convert back to the same text.
  const exists = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso);
  return exists && Number(year) >= 1000 && Number(year) <= 3000 ? iso : undefined;
};

/** YYYY-MM-DD as DD/MM/YYYY; empty if unknown. */
export const dateText = (iso: string | null): string => (iso === null ? '' : iso.slice(0, 10).split('-').toReversed().join('/'));

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** A date in a form in which day and month cannot be mistaken for each other, as YYYY-MM-DD: 2009-09-01, 01-Sep-2009, Tue 1 September 2009. */
export const writtenDate = (text: string): string | undefined => {
  const {
    year,
    month = '',
    day,
  } = (
    /^(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})(?:[T ][\d:.Z+-]*)?$/.exec(text.trim()) ??
    /^(?:[a-z]+\.?,?\s+)?(?<day>\d{1,2})(?:st|nd|rd|th)?[-\s./]+(?<month>[a-z]{3,9})\.?,?[-\s./]+(?<year>\d{4})$/i.exec(text.trim()) ??
    /^(?:[a-z]+,?\s+)?(?<month>[a-z]{3,9})\.?\s+(?<day>\d{1,2})(?:st|nd|rd|th)?,?\s+(?<year>\d{4})$/i.exec(text.trim())
  )?.groups ?? {};
  if (year === undefined || day === undefined) return undefined;
  const number = /^\d+$/.test(month) ? Number(month) : MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1;
  return dateOf(`${day}/${number}/${year}`) ?? undefined;
};
