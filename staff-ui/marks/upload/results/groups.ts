import type { Structure } from '#api/school/school.contract';
import { naturalOrder } from '#api/contract/order';

/** The group a results file is for: a class, or all classes of a year group. */
export type Group = { readonly id: string; readonly name: string; readonly year: number; readonly setIds: readonly string[] };

/** Whole year groups are for leaders and admins; classes are those the user may write to. */
export const groupsOf = ({ yearGroups }: Structure, wholeYears: boolean): readonly Group[] =>
  yearGroups.flatMap(({ yearGroupId, year, sets }) => {
    const mine = sets.filter(({ mayWrite }) => mayWrite).toSorted((a, b) => naturalOrder(a.name, b.name));
    const all =
      wholeYears && mine.length > 1
        ? [{ id: yearGroupId, name: `All classes of year ${year}`, year, setIds: mine.map(({ setId }) => setId) }]
        : [];
    return [...all, ...mine.map(({ setId, name }) => ({ id: setId, name, year, setIds: [setId] }))];
  });
