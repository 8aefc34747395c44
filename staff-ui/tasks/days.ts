import { localDate } from '../../ui/as-of/moments.ts';

/** YYYY-MM-DD, where the reader is. */
export const today = (): string => localDate(new Date());

/** YYYY-MM-DD of so many days from today. */
export const dayAhead = (days: number): string => {
  const day = new Date();
  day.setDate(day.getDate() + days);
  return localDate(day);
};
