import { toldApart } from '#api/contract/names';
import type { EnteredTotals } from '#api/tasks/entered-totals.contract';
import { mapKey } from './maps.ts';

type Entered = EnteredTotals['entered'][number];

/**
 * What a new task begins with: for each class the newest assessment that it has totals for and that no task gives it yet. In two tiers it
 * is thus the totals that tell which paper a class sat. Of several on a day, the one in which more of the class have a total.
 * @param isOffered whether a class can be given an assessment (`offeredMaps`)
 */
export const presetMaps = (entered: readonly Entered[], isOffered: (key: string) => boolean): ReadonlySet<string> => {
  const free = entered.filter((one) => !one.inTask && isOffered(mapKey(one)));
  const newest = [...Map.groupBy(free, ({ setId }) => setId).values()].flatMap((of) => of.toSorted(isNewer)[0] ?? []);
  return new Set(newest.map(mapKey));
};

/** The newest first. */
const isNewer = (a: Entered, b: Entered): number => (b.satOn ?? '').localeCompare(a.satOn ?? '') || b.entered - a.entered;

/** '28 of 30' */
export const enteredText = ({ entered, students }: Pick<Entered, 'entered' | 'students'>): string => `${entered} of ${students}`;

/** 'Adams, Ann; Bell, Tom; 2 were absent or exempt'; undefined: everybody has a total. */
export const missingText = ({ missing, out }: Pick<Entered, 'missing' | 'out'>): string | undefined => {
  const names = toldApart(missing).map(({ name }) => name ?? 'a forgotten student');
  const parts = [...names, ...(out === 0 ? [] : [`${out} absent or exempt`])];
  return parts.length === 0 ? undefined : parts.join('; ');
};
