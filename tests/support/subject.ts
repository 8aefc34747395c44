import { defaultThresholds } from '../../events/school/subject.ts';
import type { Happened } from './decider.ts';
import { id } from './decider.ts';

/** The events of a subject with a year group and a set, for tests of its commands. */
export const subjectId = id('maths');
export const yearGroupId = id('year 11');
export const setId = id('11A');
export const schemeId = id('scheme');
export const added: Happened = { type: 'SubjectAdded', data: { name: 'Mathematics' } };
export const year: Happened = { type: 'YearGroupAdded', data: { yearGroupId, year: 11 } };
export const set = (name: string): Happened => ({
  type: 'SetAdded',
  data: { setId: id(name), yearGroupId, name, schemeId, thresholds: defaultThresholds },
});
export const school = [added, year, set('11A')];
