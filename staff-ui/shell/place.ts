import type { Structure } from '#api/structure/structure.contract';
import { useCallback } from 'react';
import { useSearchParams } from 'wouter';
import { naturalOrder } from '#api/contract/order';

export type YearGroup = Structure['yearGroups'][number];
export type SchoolSet = YearGroup['sets'][number];

/**
 * The year group and class in the address, by their names: ?year=11&set=11X1. Unknown names fall back to the first year group and to all
 * classes.
 */
export const usePlace = (structure: Structure | undefined) => {
  const [search, setSearch] = useSearchParams();
  const yearGroups = structure?.yearGroups ?? [];
  const yearGroup =
    yearGroups.find(({ year }) => String(year) === search.get('year')) ?? yearGroups.find(({ sets }) => sets.length > 0) ?? yearGroups[0];
  const set = yearGroup?.sets.find(({ name }) => name === search.get('set'));
  /** Changes parts of the query string; undefined removes a part. */
  const change = useCallback(
    (parts: Readonly<Record<string, string | undefined>>) => {
      setSearch(
        (before) => {
          const after = new URLSearchParams(before);
          for (const [name, value] of Object.entries(parts)) {
            if (value === undefined || value === '') after.delete(name);
            else after.set(name, value);
          }
          return after;
        },
        { replace: true },
      );
    },
    [setSearch],
  );
  return { yearGroups, yearGroup, set, search, change };
};

/** A school with some of its classes, and the year groups that have any of them. */
export const limitedTo = (structure: Structure, isWanted: (set: SchoolSet) => boolean): Structure => {
  const yearGroups = structure.yearGroups.map((yearGroup) => ({ ...yearGroup, sets: yearGroup.sets.filter(isWanted) }));
  return { ...structure, yearGroups: yearGroups.filter(({ sets }) => sets.length > 0) };
};

export const setsInOrder = (yearGroup: YearGroup): readonly SchoolSet[] => yearGroup.sets.toSorted((a, b) => naturalOrder(a.name, b.name));

/** The query string for a year group and class. */
export const placeQuery = (yearGroup: YearGroup | undefined, set: { readonly name: string } | undefined): string => {
  const query = new URLSearchParams({
    ...(yearGroup ? { year: String(yearGroup.year) } : {}),
    ...(set ? { set: set.name } : {}),
  }).toString();
  return query && `?${query}`;
};
