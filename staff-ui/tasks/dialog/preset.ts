import { toldApart } from '#api/contract/names';
import type { EnteredTotals } from '#api/tasks/entered-totals.contract';
import { counted, some } from '../../format.ts';
import type { OfferedMaps } from './maps.ts';
import { mapKey, mapOf } from './maps.ts';

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

/** Which classes a new task begins with, and why the others are left out. */
export const presetText = (entered: readonly Entered[], { sets, isOffered }: Pick<OfferedMaps, 'sets' | 'isOffered'>): string => {
  const taken = new Set([...presetMaps(entered, isOffered)].map((key) => mapOf(key).setId));
  const left = sets.filter(({ setId }) => !taken.has(setId));
  const inTask = left.filter((set) => entered.some(({ setId, inTask: isIn }) => setId === set.setId && isIn));
  const without = left.filter((set) => !inTask.includes(set));
  const named = (of: typeof left, why: string) => (of.length === 0 ? [] : [`${some(of.map(({ name }) => name))} (${why})`]);
  const others = [...named(inTask, 'in a task already'), ...named(without, 'no totals yet')];
  return [
    `${taken.size} of ${counted(sets.length, 'class', 'classes')} ticked: each with the newest assessment that it has totals for and that no task has yet.`,
    ...(others.length === 0 ? [] : [`Not ticked: ${others.join('; ')}.`]),
  ].join(' ');
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
