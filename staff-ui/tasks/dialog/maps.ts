import type { Structure } from '#api/school/school.contract';
import type { TaskCardSet } from '#api/tasks/task.contract';
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
 * What can be chosen for a task: assessments with questions that a class of the year group has; and whatever the task has already, so that
 * a class or an assessment that was deleted since (`gone`) can be taken out of it.
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
