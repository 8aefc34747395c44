import { toldApart } from '#api/contract/names';
import type { Structure } from '#api/school/school.contract';
import type { EnteredTotals } from '#api/tasks/entered-totals.contract';
import type { TaskCardSet } from '#api/tasks/task.contract';
import { counted, some } from '../../format.ts';
import type { SchoolSet } from '../../shell/place.ts';

/** A class that sits an assessment for a task, as one text. */
export const mapKey = ({ setId, testId }: { readonly setId: string; readonly testId: string }): string => `${setId} ${testId}`;

export const mapOf = (key: string): { setId: string; testId: string } => {
  const [setId = '', testId = ''] = key.split(' ');
  return { setId, testId };
};

type Test = Pick<Structure['tests'][number], 'testId' | 'name' | 'max'>;
type Class = Pick<SchoolSet, 'setId' | 'name' | 'students' | 'testIds'>;
type Held = Pick<TaskCardSet, 'setId' | 'name' | 'students' | 'tests'>;

export type OfferedMaps = ReturnType<typeof offeredMaps>;

/**
 * What can be chosen for a task: the assessments with questions of the year group's classes, and whatever the task has already, so that a class
 * or an assessment that was deleted since (`gone`) can be taken out of it.
 */
export const offeredMaps = (tests: readonly Test[], sets: readonly Class[], held: readonly Held[]) => {
  const heldTests = new Map(held.flatMap((set) => set.tests.map((test) => [test.testId, test] as const)));
  const there = tests.filter(
    ({ testId, max }) => max !== null && (heldTests.has(testId) || sets.some(({ testIds }) => testIds.includes(testId))),
  );
  const [testIds, setIds] = [new Set(there.map(({ testId }) => testId)), new Set(sets.map(({ setId }) => setId))];
  const heldKeys = new Set(held.flatMap(({ setId, tests: setTests }) => setTests.map(({ testId }) => mapKey({ setId, testId }))));
  return {
    offered: [
      ...there.map(({ testId, name }) => ({ testId, name, gone: false })),
      ...[...heldTests.values()].flatMap(({ testId, name }) => (testIds.has(testId) ? [] : [{ testId, name, gone: true }])),
    ],
    sets: [
      ...sets.map(({ setId, name, students }) => ({ setId, name, students, gone: false })),
      ...held.flatMap(({ setId, name, students }) => (setIds.has(setId) ? [] : [{ setId, name, students, gone: true }])),
    ],
    /** What is gone can only be taken out, or left in. */
    isOffered: (key: string): boolean => {
      const { setId, testId } = mapOf(key);
      return heldKeys.has(key) || (setIds.has(setId) && testIds.has(testId));
    },
  };
};

type Entered = EnteredTotals['entered'][number];

/**
 * What a new task begins with: for each class the newest assessment in which it has totals and which no task gives it yet. With two tiers, the
 * totals thus tell which paper a class sat. Of several on one day, the one in which more of the class have a total.
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
    `${taken.size} of ${counted(sets.length, 'class', 'classes')} ticked: each with its newest assessment that has totals and is in no task yet.`,
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
