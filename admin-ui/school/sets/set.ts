import { ask } from '../../../ui/feedback/ask.ts';
import { isAmong } from '#api/contract/names';
import { typedNumber, wrongName, wrongYear } from '#api/contract/rules';
import type { RecordOf } from '../../data/record.ts';

export type Thresholds = { readonly red: number; readonly amber: number; readonly green: number };

/** A record of /api/rest/year-groups. */
export type YearGroup = RecordOf<'yearGroups'>;

/** A record of /api/rest/sets. */
export type TeachingSet = RecordOf<'sets'>;
/** What a set can be assigned: a scheme of work, an assessment. */
export type Choice = { readonly id: string; readonly name: string };

/** Validates the year of a year group. undefined: valid */
export const yearTrouble = (text: string, taken: readonly number[]): string | undefined => {
  const year = typedNumber(text);
  return wrongYear(year) ?? (taken.includes(year) ? 'This year group exists already' : undefined);
};

/** Schools end with year 13: whoever names a later one is asked whether it is meant. */
export const isYearMeant = async (text: string): Promise<boolean> =>
  typedNumber(text) <= 13 ||
  ask({
    title: `Year ${typedNumber(text)}?`,
    text: 'Year groups go up to 13 as a rule. Is this the one you mean?',
    go: `Yes, year ${typedNumber(text)}`,
    stay: 'Change it',
  });

export const nameTrouble = (name: string, others: readonly string[]): string | undefined =>
  wrongName(name) ?? (isAmong(others, name) ? 'Set name needs to be unique' : undefined);

export const colours = [
  { key: 'red', label: 'Red %' },
  { key: 'amber', label: 'Amber %' },
  { key: 'green', label: 'Green %' },
] as const;

/** A set's assessments with one more, or one fewer. Those that it has stored are in their stored order, so that they are no change. */
export const turned = (stored: TeachingSet, { testIds }: TeachingSet, testId: string, sits: boolean): string[] => {
  const now = new Set(testIds.filter((id) => id !== testId));
  if (sits) now.add(testId);
  return [...stored.testIds.filter((id) => now.has(id)), ...[...now].filter((id) => !stored.testIds.includes(id))];
};
