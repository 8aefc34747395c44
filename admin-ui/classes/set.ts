import type { RecordOf } from '../data/record.ts';

export type Thresholds = { readonly red: number; readonly amber: number; readonly green: number };

/** A record of /api/rest/year-groups. */
export type YearGroup = RecordOf<'yearGroups'>;

/** A record of /api/rest/sets. */
export type TeachingSet = RecordOf<'sets'>;
/** What a set can be assigned: a scheme of work, an assessment. */
export type Choice = { readonly id: string; readonly name: string };

/** Validates the year of a year group. undefined: valid */
export const yearTrouble = (text: string, taken: readonly number[]): string | undefined => {
  if (!/^-?\d+$/.test(text.trim())) return 'The value must be an integer number';
  const year = Number(text);
  if (year <= 0) return 'The value must be greater than zero';
  if (year > 99) return 'The value must be less than 99';
  if (year === 99) return 'Year 99 is kept for Off-Roll';
  return taken.includes(year) ? 'This year group exists already' : undefined;
};

export const nameTrouble = (name: string, others: readonly string[]): string | undefined => {
  if (name.trim() === '') return 'Required.';
  const same = others.some((other) => other.trim().toLowerCase() === name.trim().toLowerCase());
  return same ? 'Set name needs to be unique' : undefined;
};
