import type { Structure } from '#api/school/school.contract';
import { useCallback, useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import { readPreference, writePreference } from '../../ui/site/preferences.ts';
import { naturalOrder } from '#api/contract/order';

export type YearGroup = Structure['yearGroups'][number];
export type SchoolSet = YearGroup['sets'][number];

/**
 * The year group and class in the address, by their names: ?year=11&set=11X1. Unknown names fall back to the year group that was seen last,
 * or the first, and to all classes. What is renamed while it is shown stays, and the address follows.
 */
export const usePlace = (structure: Structure | undefined) => {
  const [search, setSearch] = useSearchParams();
  const yearGroups = structure?.yearGroups ?? [];
  const year = useNamed(yearGroups, search.get('year'), asYear);
  const key = structure && `marktrail_year_${structure.subject.subjectId}`;
  const seen = key && readPreference(key);
  const last = yearGroups.find(({ yearGroupId }) => yearGroupId === seen);
  const yearGroup = year ?? last ?? yearGroups.find(({ sets }) => sets.length > 0) ?? yearGroups[0];
  const isNew = year !== undefined || last === undefined;
  useEffect(() => {
    if (key && isNew && yearGroup) writePreference(key, yearGroup.yearGroupId);
  }, [key, isNew, yearGroup]);
  const set = useNamed(yearGroup?.sets, search.get('set'), asSet);
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
  const isRenamed = (set && set.name !== search.get('set')) || (year && String(year.year) !== search.get('year'));
  useEffect(() => {
    if (isRenamed) change({ ...(year && { year: String(year.year) }), ...(set && { set: set.name }) });
  }, [isRenamed, year, set, change]);
  return { yearGroups, yearGroup, set, search, change };
};

/** What a name in the address stands for: as long as it says the same, what it stood for at first, whatever that is called by now. */
const useNamed = <One>(all: readonly One[] | undefined, name: string | null, as: (one: One) => Named): One | undefined => {
  const [meant, setMeant] = useState<Named>();
  const same = meant?.name === name ? all?.find((one) => as(one).id === meant.id) : undefined;
  const found = same ?? all?.find((one) => as(one).name === name);
  if (name === null) {
    if (meant) setMeant(undefined);
  } else if (found && (meant?.name !== name || meant.id !== as(found).id)) setMeant({ id: as(found).id, name });
  return found;
};

type Named = { readonly id: string; readonly name: string };
const asYear = ({ yearGroupId, year }: YearGroup): Named => ({ id: yearGroupId, name: String(year) });
const asSet = ({ setId, name }: SchoolSet): Named => ({ id: setId, name });

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
