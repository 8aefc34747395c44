import { naturalOrder } from '../contract/order.ts';
import type { Caller } from './caller.ts';

/** What calls have in common that tell of the structure of a subject. */

/** Classes of a subject, in the order of their names; of one year group, if it is named. */
export const setsIn = async (caller: Caller, subjectId: string, yearGroupId?: string) => {
  const { yearGroups } = await caller.query('structure', { subjectId });
  return yearGroups
    .flatMap((year) => (yearGroupId === undefined || year.yearGroupId === yearGroupId ? year.sets.map((set) => ({ ...set, year })) : []))
    .toSorted((one, other) => naturalOrder(one.name, other.name))
    .map(({ setId, name, schemeId, year }) => ({ SetId: setId, SetName: name, YeargroupID: year.yearGroupId, SoWID: schemeId }));
};

/** Assessments of a subject, in the order of their names. */
export const testsIn = async (caller: Caller, subjectId: string) => {
  const { tests } = await caller.query('structure', { subjectId });
  return tests.map(({ testId, name, max, visible }) => ({ TestID: testId, TestName: name, MaxMark: max, visible }));
};

/** As the documents have yes and no. */
export const binary = (is: boolean): 0 | 1 => (is ? 1 : 0);
