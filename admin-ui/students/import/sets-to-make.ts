import { typedNumber, wrongYear } from '#api/contract/rules';
import { decidedFor } from './import-input.ts';

/** A set that the file needs: its year group as typed, and its scheme of work. */
export type SetToMake = { readonly name: string; readonly year: string; readonly schemeId: string };
/** What the user has corrected, by the set's name. */
export type Corrections = Readonly<Record<string, Partial<Omit<SetToMake, 'name'>>>>;
type Scheme = { readonly schemeId: string; readonly name: string };

/** Guessed from each name, and as it was corrected since. */
export const setsToMake = (names: readonly string[], schemes: readonly Scheme[], corrected: Corrections): readonly SetToMake[] =>
  names.map((name) => {
    const year = guessedYear(name);
    return { name, year, schemeId: guessedScheme(year, schemes), ...decidedFor(corrected, name) };
  });

/** 12X1, Year 12 Maths: year 12. */
const guessedYear = (name: string): string => {
  const year = /^\s*(?:y(?:ea)?r?)?\s*0?(\d{1,2})(?!\d)/iu.exec(name)?.[1] ?? '';
  return wrongYear(typedNumber(year)) === undefined ? year : '';
};

/** The scheme of work that is named after the year, else the first one. */
const guessedScheme = (year: string, schemes: readonly Scheme[]): string => {
  const named = year === '' ? undefined : schemes.find(({ name }) => new RegExp(`(?<!\\d)0?${year}(?!\\d)`, 'u').test(name));
  return (named ?? schemes[0])?.schemeId ?? '';
};

/** What all have; '': they differ. */
export const inCommon = (values: readonly string[]): string => (new Set(values).size === 1 ? (values[0] ?? '') : '');

type Group = { readonly year: number; readonly schemeId: string; readonly names: readonly string[] };

/** Those of one year group with one scheme of work are made together. */
export const groupsOf = (sets: readonly SetToMake[]): readonly Group[] =>
  [...Map.groupBy(sets, ({ year, schemeId }) => `${typedNumber(year)} ${schemeId}`).values()].map((group) => ({
    year: typedNumber(group[0]?.year ?? ''),
    schemeId: group[0]?.schemeId ?? '',
    names: group.map(({ name }) => name),
  }));
