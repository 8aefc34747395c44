/** Dates as schools write them. */

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
