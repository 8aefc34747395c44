import { SCHOOL_ZONE } from '#api/contract/dates';

const clock = new Intl.DateTimeFormat('en-GB', { timeZone: SCHOOL_ZONE, hour: 'numeric', hourCycle: 'h23' });

/**
 * When a day of the school begins; `day`: 2026-03-29. At midnight UTC it is midnight there or one o'clock, also on the days on which the clocks
 * change, because they do at one o'clock UTC.
 */
export const beginOf = (day: string): Date => {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  return new Date(midnight - Number(clock.format(midnight)) * 3_600_000);
};

/** The last millisecond of a day of the school. */
export const endOf = (day: string): Date => {
  const next = new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000);
  return new Date(beginOf(next.toISOString().slice(0, 10)).getTime() - 1);
};
