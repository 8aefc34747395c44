import { readPreference, writePreference } from '../../ui/site/preferences.ts';

const placeOf = (accountId: string, testId: string): string => `marktrail-ticks-${accountId}-${testId}`;

/** The questions that the student has ticked on this device: ids alone. */
export const readTicks = (accountId: string, testId: string): ReadonlySet<string> =>
  new Set((readPreference(placeOf(accountId, testId)) ?? '').split(' ').filter((one) => one !== ''));

export const writeTicks = (accountId: string, testId: string, ticked: ReadonlySet<string>): void =>
  writePreference(placeOf(accountId, testId), [...ticked].join(' '));
