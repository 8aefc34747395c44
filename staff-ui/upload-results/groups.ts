import type { Structure } from '#contract/structure';
import { inOrder } from '../format.ts';

/** For whom a results file is: a class, or all classes of a year group. */
export type Group = { readonly id: string; readonly name: string; readonly year: number; readonly setIds: readonly string[] };

/** Year groups as a whole are for leaders and admins; classes only those in which one may write. */
export const groupsOf = ({ yearGroups }: Structure, wholeYears: boolean): readonly Group[] =>
  yearGroups.flatMap(({ yearGroupId, year, sets }) => {
    const mine = sets.filter(({ mayWrite }) => mayWrite).toSorted((a, b) => inOrder(a.name, b.name));
    const all =
      wholeYears && mine.length > 1
        ? [{ id: yearGroupId, name: `All classes of year ${year}`, year, setIds: mine.map(({ setId }) => setId) }]
        : [];
    return [...all, ...mine.map(({ setId, name }) => ({ id: setId, name, year, setIds: [setId] }))];
  });
