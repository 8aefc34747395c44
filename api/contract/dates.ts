/** Dates as schools write them. */

/** DD/MM/YYYY (D/M/YYYY too) as YYYY-MM-DD; null where it is empty; undefined where there is no such day. */
export const dateOf = (text: string): string | null | undefined => {
  if (text === '') return null;
  const [, day = '', month = '', year = ''] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? [];
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const date = new Date(`${iso}T00:00:00Z`);
  // 31/02 is a date to some engines: it must come back as it went in.
  const exists = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso);
  return exists && Number(year) >= 1000 && Number(year) <= 3000 ? iso : undefined;
};

/** YYYY-MM-DD as DD/MM/YYYY; empty where it is not known. */
export const dateText = (iso: string | null): string => (iso === null ? '' : iso.slice(0, 10).split('-').toReversed().join('/'));
